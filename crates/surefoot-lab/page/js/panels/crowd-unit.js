// The unit of a crowd that is watched.

import { el, fill } from "../dom.js";
import { count } from "./figures.js";
import { onceAFrame } from "./frame.js";
import { list } from "./lists.js";
import { capitalised } from "../format.js";

const ROWS = [
  ["State", "What the unit is doing"],
  ["At", "Its centre, in cells"],
  ["Goal", "Its own cell near the goal of its group"],
  ["Path", "Corners of its path ahead"],
  ["Plans", "How often it has planned"],
  ["Last plan", "The tick in which it last planned"],
  ["No progress", "For how long it has not come nearer to its goal"],
  ["Longest", "The longest time without progress since it was sent"],
];
const TICKS_PER_SECOND = 60;

/** Fills the section; `section` is shown while there is a crowd. */
export function mountCrowdUnit({ crowd }, element, section) {
  const hint = el("p", { class: "hint" }, "Click on a unit to see what it does and where it goes.");
  const rows = list(ROWS);
  const title = el("p", { class: "crowd-unit-title" });
  const close = el("button", { type: "button", class: "small", onclick: () => crowd.select(null) }, "Deselect");
  fill(element, hint, el("div", { class: "crowd-unit-head" }, title, close), rows.element);
  const update = () => {
    section.hidden = !crowd.active;
    const isShown = crowd.selected !== null && crowd.unit !== null;
    hint.hidden = isShown;
    rows.element.hidden = title.parentElement.hidden = !isShown;
    if (!isShown) return;
    const { unit } = crowd;
    title.textContent = `Unit ${unit.unit} of group ${unit.group + 1}`;
    rows.show(texts(unit));
  };
  const later = onceAFrame(update);
  crowd.on("state", later);
  crowd.on("told", later);
  update();
}

function texts(unit) {
  const seconds = (value) => `${value.toFixed(1)} s`;
  return [
    stateWords(unit),
    unit.at.map((value) => value.toFixed(2)).join(", "),
    unit.goal?.join(", ") ?? "–",
    unit.path.length === 0 ? "–" : `${count(unit.path.length)} ${unit.path.length === 1 ? "corner" : "corners"}`,
    count(unit.plans),
    unit.plans === 0 ? "–" : `${count(unit.planned_at)} (${seconds(unit.planned_at / TICKS_PER_SECOND)})`,
    unit.state === "walking" ? seconds(unit.stalled) : "–",
    seconds(unit.longest_wait),
  ];
}

function stateWords({ state, reason, in_jam: inJam }) {
  if (inJam) return "In a jam that is being resolved";
  const words = { riding: "inside a link" }[state] ?? state;
  return capitalised(reason ? `${words}: ${reason}` : words);
}
