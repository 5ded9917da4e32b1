// The bar below the boards: running, playing, stepping, speed, breakpoints.

import { FASTEST_RATE, SLOWEST_RATE } from "../core/crowd.js";
import { FASTEST_WALK, SLOWEST_WALK } from "../core/live.js";
import { FASTEST, SLOWEST } from "../core/player.js";
import { el, fill } from "../dom.js";
import { pace, times, walk } from "../format.js";
import { icon } from "../icons.js";
import { mountBreakpoints } from "./breakpoints.js";
import { count, time } from "./figures.js";
import { onceAFrame } from "./frame.js";
import { crowdStatus, crowdSwitch, liveStatus, liveSwitch } from "./live-bar.js";
import { outcomeOf } from "./outcome.js";
import { showShare } from "./slider.js";

/** Positions of the speed slider; the last one is instant. */
const NOTCHES = 60;

/** Speeds as positions of a slider, from 0 to NOTCHES: each notch is the same factor. */
const notchesOf = (least, most) => ({
  toNotch: (speed) => Math.round((Math.log(speed / least) / Math.log(most / least)) * NOTCHES),
  toSpeed: (notch) => least * (most / least) ** (notch / NOTCHES),
});
const STEPS = notchesOf(SLOWEST, FASTEST);
const WALKS = notchesOf(SLOWEST_WALK, FASTEST_WALK);
const RATES = notchesOf(SLOWEST_RATE, FASTEST_RATE);

/** What the speed means now, of searches or of units: `{last, notch, words, set(notch)}`. */
function speedNow({ player, live, crowd }) {
  if (crowd.active) {
    const set = (notch) => crowd.set({ rate: RATES.toSpeed(notch) });
    return { last: NOTCHES, notch: RATES.toNotch(crowd.rate), words: times(crowd.rate), set };
  }
  if (live.active) {
    const set = (notch) => live.set({ speed: WALKS.toSpeed(notch) });
    const words = live.movement ? times(live.rate) : walk(live.speed);
    return { last: NOTCHES, notch: WALKS.toNotch(live.speed), words, set };
  }
  const instant = NOTCHES + 1;
  const set = (notch) => player.set({ speed: notch >= instant ? Infinity : STEPS.toSpeed(notch) });
  const notch = player.speed === Infinity ? instant : STEPS.toNotch(player.speed);
  return { last: instant, notch, words: pace(player.speed), set };
}

/** Makes playing or walking faster or slower by some notches. */
export function changeSpeed(app, notches) {
  const { last, notch, set } = speedNow(app);
  set(Math.min(Math.max(notch + notches, 0), last));
}

/** Fills the playback bar. */
export function mountPlayback(app, element) {
  const { actions, player, live, crowd } = app;
  const transport = [
    button("To start", "toStart", "Go to the start (Home)", () => actions.toStart()),
    button("Step back", "stepBack", "Step back (←)", () => actions.step(-1)),
    button("Play", "play", "Play or pause (Space)", () => actions.playPause()),
    button("Step forward", "stepForward", "Step forward (→)", () => actions.step(1)),
    button("To end", "toEnd", "Go to the end (End)", () => actions.showEnd()),
  ];
  const [first, back, play, forward, end] = transport;
  const run = el(
    "button",
    { type: "button", class: "primary run", title: "Run the search and play it (R)", onclick: () => actions.run() },
    "Run",
  );
  const { scrub, jump, total } = position(player);
  const speed = speedControl(app);
  const statuses = [liveStatus(app), crowdStatus(app)];
  const times = el("p", { class: "times" });
  const outcome = outcomeOf(app, "strip");
  const breaks = el("div", { class: "breaks" });
  const ofSearches = [
    el("div", { class: "scrub" }, scrub),
    el("div", { class: "jump" }, jump, total),
    times,
    breaks,
  ];
  const bar = el(
    "div",
    { class: "playback-bar" },
    el("div", { class: "transport", role: "group", "aria-label": "Steps" }, transport),
    el("div", { class: "go" }, run, liveSwitch(app), crowdSwitch(app)),
    ...statuses.map(({ element }) => element),
    ...ofSearches,
    speed.element,
  );
  fill(element, outcome, bar);
  mountBreakpoints(app, breaks);

  const update = () => {
    const { length } = player;
    const { moving } = app;
    const { playing } = moving ?? player;
    const step = Math.floor(player.position);
    fill(play, icon(playing ? "pause" : "play"));
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    name(first, moving ? "Restart" : "To start", moving ? "Send the units back to the start (R)" : "Go to the start (Home)");
    name(forward, moving ? "One tick" : "Step forward", moving ? "Advance one tick, 1/60 s (→)" : "Step forward (→)");
    first.disabled = back.disabled = step === 0 && !playing && !moving;
    for (const part of [back, end, run, ...ofSearches]) part.hidden = moving !== null;
    bar.classList.toggle("walking", moving !== null);
    for (const status of statuses) status.show();
    run.disabled = !app.ui.connected;
    showPosition({ scrub, jump, total }, step, length);
    speed.show();
    times.textContent = timesText(app);
  };
  const later = onceAFrame(update);
  for (const type of ["move", "state"]) player.on(type, later);
  for (const type of ["cleared", "began", "progress", "done", "timed", "failed", "boards"]) app.runner.on(type, later);
  app.ui.on("change", (names) => (names.has("connected") || names.has("board")) && later());
  live.on("ticked", later);
  crowd.on("told", later);
  // At once: keys may follow.
  for (const moving of [live, crowd]) moving.on("state", update);
  update();
}

function name(button, text, title) {
  button.setAttribute("aria-label", text);
  button.title = title;
}

function button(name, picture, title, act) {
  const properties = { type: "button", class: "icon-button", "aria-label": name, title, onclick: act };
  return el("button", properties, icon(picture));
}

/** Where playing is: a slider, and a number to jump to. */
function position(player) {
  const goTo = (step) => {
    player.pause();
    if (step >= player.length) player.followEnd();
    else player.seek(step);
  };
  const scrub = el("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": "Step" });
  scrub.addEventListener("input", () => goTo(Number(scrub.value)));
  const jump = el("input", {
    type: "number",
    min: 0,
    step: 1,
    inputMode: "numeric",
    "aria-label": "Jump to step",
  });
  jump.addEventListener(
    "change",
    () => jump.value !== "" && goTo(Math.max(0, Math.round(Number(jump.value)))),
  );
  jump.title = "Type a step number to jump to it";
  const total = el("span", { class: "total", title: "Each step closes one node; the last closes the goal" });
  return { scrub, jump, total };
}

function showPosition({ scrub, jump, total }, step, length) {
  scrub.max = length;
  scrub.value = step;
  scrub.disabled = jump.disabled = length === 0;
  scrub.setAttribute("aria-valuetext", length === 0 ? "nothing to play" : `step ${step} of ${length}`);
  showShare(scrub);
  jump.max = length;
  if (document.activeElement !== jump) jump.value = step;
  total.textContent = `/ ${count(length)}`;
}

/** A slider whose notches are factors, from one step a second to instant; or cells a second that units walk. */
function speedControl(app) {
  const { player } = app;
  const range = el("input", { type: "range", id: "speed", min: 0, step: 1 });
  range.title = "Playback speed ([ and ]); unrelated to the measured search time";
  range.addEventListener("input", () => speedNow(app).set(Number(range.value)));
  const words = el("output", { for: "speed" });
  const auto = el(
    "button",
    { type: "button", class: "small auto", title: "Choose the speed so that playback takes a few seconds" },
    "Auto",
  );
  auto.addEventListener("click", () =>
    player.set(player.automatic ? { speed: player.speed } : { automatic: true }),
  );
  const element = el("div", { class: "speed" }, el("label", { for: "speed" }, "Speed"), range, words, auto);
  const show = () => {
    const now = speedNow(app);
    range.max = now.last;
    range.value = now.notch;
    words.textContent = now.words;
    range.setAttribute("aria-valuetext", now.words);
    auto.hidden = app.moving !== null;
    auto.setAttribute("aria-pressed", `${player.automatic}`);
    showShare(range);
  };
  return { element, show };
}

/** Two times that are easily mistaken for each other: of the animation, and of the search. */
function timesText({ player, runner, ui }) {
  const run = runner.boards[Math.min(ui.board, runner.boards.length - 1)];
  const measured = run?.timing?.median_us ?? run?.result?.search_us;
  const parts = [];
  if (player.length > 0 && player.speed !== Infinity)
    parts.push(`playback ${time((player.length / player.speed) * 1e6)}`);
  if (measured !== undefined && measured !== null) parts.push(`search ${time(measured)}`);
  return parts.join(" · ");
}
