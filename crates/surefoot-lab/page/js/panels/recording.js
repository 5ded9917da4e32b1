// A recorded flight that is shown: what it is, and where in it one is.

import { el } from "../dom.js";
import { count } from "./figures.js";
import { showShare } from "./slider.js";
import { plannerTitle, sentence } from "./words.js";

/** The part of the live section that is there while a record is flown; `update` brings it up to date. */
export function recordingPanel({ live, about }) {
  const words = el("p", {});
  const range = el("input", { type: "range", step: 1, "aria-label": "Tick of the record" });
  const tick = el("output", { class: "record-tick" });
  range.addEventListener("input", () => showTick(Number(range.value)));
  range.addEventListener("change", () => live.seek(Number(range.value)));
  const button = (text, title, onclick) => el("button", { type: "button", class: "outlined", title, onclick }, text);
  const moment = button("First hit", "Shows the tick of the first hit", () => live.seek(live.replay.tick));
  const begin = button("Beginning", "Shows where the flight begins", () => live.seek(live.replay.from));
  const anew = button("Fly again", "Lets the planner of the board fly, from the tick at which the record begins", () => live.flyAnew());
  const buttons = el("div", { class: "buttons" }, begin, moment, anew);
  const slider = el("div", { class: "layer-slider" }, range, tick);
  const element = el("section", { class: "recording", "aria-label": "Recorded flight" }, words, slider, buttons);
  const showTick = (value) => {
    tick.textContent = count(value);
    showShare(range);
  };
  const update = () => {
    const { replay } = live;
    element.hidden = replay === null;
    if (!replay) return;
    words.textContent = recordWords(replay, about);
    moment.textContent = replay.hits.length > 0 ? "First hit" : "End";
    Object.assign(range, { min: replay.from, max: replay.last });
    if (document.activeElement !== range || !live.isWaiting) range.value = live.tick;
    showTick(Number(range.value));
  };
  return { element, update };
}

/** "Recorded flight 17 of A*, seed 0. At tick 3,744 it touched obstacle 4." */
export function recordWords({ planner, run, seed, evade, tick, cause }, about) {
  const name = plannerTitle(about, planner);
  return `Recorded flight ${count(run)} of ${name}, seed ${seed}${evade ? "" : ", without evading"}. Tick ${count(tick)}: ${sentence(cause)}`;
}
