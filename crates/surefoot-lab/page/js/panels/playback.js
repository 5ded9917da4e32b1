// The bar below the boards: running, playing, stepping, speed, breakpoints.

import { FASTEST, SLOWEST } from "../core/player.js";
import { el, fill } from "../dom.js";
import { pace } from "../format.js";
import { icon } from "../icons.js";
import { mountBreakpoints } from "./breakpoints.js";
import { count, time } from "./figures.js";
import { onceAFrame } from "./frame.js";
import { outcomeOf } from "./outcome.js";
import { showShare } from "./slider.js";

/** Positions of the speed slider; the last one is instant. */
const NOTCHES = 60;

/** Speeds as positions of the slider: each notch is the same factor. */
const toNotch = (speed) =>
  speed === Infinity
    ? NOTCHES + 1
    : Math.round((Math.log(speed / SLOWEST) / Math.log(FASTEST / SLOWEST)) * NOTCHES);
const toSpeed = (notch) => (notch > NOTCHES ? Infinity : SLOWEST * (FASTEST / SLOWEST) ** (notch / NOTCHES));

/** Makes playing faster or slower by some notches. */
export function changeSpeed({ player }, notches) {
  const notch = Math.min(Math.max(toNotch(player.speed) + notches, 0), NOTCHES + 1);
  player.set({ speed: toSpeed(notch) });
}

/** Fills the playback bar. */
export function mountPlayback(app, element) {
  const { actions, player } = app;
  const toStart = () => {
    player.pause();
    player.seek(0);
  };
  const transport = [
    button("To start", "toStart", "To the start (Home)", toStart),
    button("Step back", "stepBack", "One step back (←)", () => actions.step(-1)),
    button("Play", "play", "Play or pause (space)", () => actions.playPause()),
    button("Step forward", "stepForward", "One step forward (→)", () => actions.step(1)),
    button("To end", "toEnd", "To the end (End)", () => actions.showEnd()),
  ];
  const [first, back, play] = transport;
  const run = el(
    "button",
    { type: "button", class: "primary run", title: "Search and play (R)", onclick: () => actions.run() },
    "Run",
  );
  const { scrub, jump, total } = position(player);
  const speed = speedControl(player);
  const times = el("p", { class: "times" });
  const outcome = outcomeOf(app, "strip");
  const breaks = el("div", { class: "breaks" });
  fill(
    element,
    outcome,
    el(
      "div",
      { class: "playback-bar" },
      el("div", { class: "transport", role: "group", "aria-label": "Steps" }, transport),
      run,
      el("div", { class: "scrub" }, scrub),
      el("div", { class: "jump" }, jump, total),
      times,
      speed.element,
      breaks,
    ),
  );
  mountBreakpoints(app, breaks);

  const update = () => {
    const { length, playing } = player;
    const step = Math.floor(player.position);
    fill(play, icon(playing ? "pause" : "play"));
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    first.disabled = back.disabled = step === 0 && !playing;
    run.disabled = !app.ui.connected;
    showPosition({ scrub, jump, total }, step, length);
    speed.show();
    times.textContent = timesText(app);
  };
  const later = onceAFrame(update);
  for (const type of ["move", "state"]) player.on(type, later);
  for (const type of ["began", "progress", "done", "timed", "failed", "boards"]) app.runner.on(type, later);
  app.ui.on("change", (names) => (names.has("connected") || names.has("board")) && later());
  update();
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
  jump.title = "Type a step to jump to it";
  const total = el("span", { class: "total", title: "A step closes one node; the last one closes the goal" });
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

/** A slider whose notches are factors, from one step a second to instant. */
function speedControl(player) {
  const range = el("input", { type: "range", id: "speed", min: 0, max: NOTCHES + 1, step: 1 });
  range.title = "How fast to play ([ and ]); has nothing to do with how fast the search is";
  range.addEventListener("input", () => player.set({ speed: toSpeed(Number(range.value)) }));
  const words = el("output", { for: "speed" });
  const auto = el(
    "button",
    { type: "button", class: "small auto", title: "Choose the speed so that playing takes a few seconds" },
    "auto",
  );
  auto.addEventListener("click", () =>
    player.set(player.automatic ? { speed: player.speed } : { automatic: true }),
  );
  const element = el("div", { class: "speed" }, el("label", { for: "speed" }, "Speed"), range, words, auto);
  const show = () => {
    range.value = toNotch(player.speed);
    words.textContent = pace(player.speed);
    range.setAttribute("aria-valuetext", pace(player.speed));
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
    parts.push(`plays ${time((player.length / player.speed) * 1e6)}`);
  if (measured !== undefined && measured !== null) parts.push(`search took ${time(measured)}`);
  return parts.join(" · ");
}
