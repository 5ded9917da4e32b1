// The settings of the live mode: positions of units, behaviour of the target, walls on their path.

import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { onceAFrame } from "./frame.js";
import { placeRow } from "./places.js";
import { recordingPanel } from "./recording.js";

const IN_SPACE = [
  ["stay", "Stays in place"],
  ["steer", "Dragged"],
];
const IN_SCENE = [["scene", "Scripted"], ...IN_SPACE];
const TARGETS = [
  ["stay", "Stays in place"],
  ["flee", "Flees"],
  ["wander", "Wanders"],
  ["steer", "Dragged"],
];
/** Targets with a speed of their own. */
const WALKING = ["flee", "wander"];
const MOST_WALLS = 4;
const MOST_SENSING = 1024;
const MOST_SHARE = 200;

/** Fills the section of the live mode; `section` is shown while units walk. */
export function mountLive(app, element, section) {
  const { live, ui, actions, store, about } = app;
  const repairs = ({ algorithm }) => about.algorithms.some((known) => known.incremental && known.name === algorithm);
  const target = choice("Target", (kind) => live.set({ targetKind: kind }));
  const share = number("Target speed", { min: 5, max: MOST_SHARE, unit: "%" }, (value) =>
    live.set({ targetShare: value / 100 }),
  );
  share.row.title = "As a percentage of the units’ speed";
  const sensing = number("Sensor range", { min: 1, max: MOST_SENSING, unit: "cells", empty: "unlimited" }, (value) =>
    live.set({ sensing: value }),
  );
  sensing.row.title = "How far units see changes to the map; leave empty for unlimited";
  const unitAt = placeRow(app, "Unit at", () => live.units[ui.board]?.cell, openOnly(app, (place) => actions.setStart(place)));
  const targetAt = placeRow(app, "Target at", () => live.target, openOnly(app, (place) => actions.setGoals([place])));
  const drop = dropRow(app);
  const guard = el("input", { type: "checkbox", onchange: () => live.set({ guarded: guard.checked }) });
  const guardTitle = "Abandons a repair that would take longer than a new search";
  const guardRow = el("label", { class: "check", title: guardTitle }, guard, "Replan from scratch when repair is slower");
  const record = recordingPanel(app);
  fill(element, record.element, target.row, share.row, sensing.row, unitAt.element, targetAt.element, guardRow, drop.element);

  const update = () => {
    section.hidden = !live.active;
    if (!live.active) return;
    const { world, scene } = store.doc;
    const isGrid = world.kind === "grid";
    record.update();
    drop.element.hidden = unitAt.element.hidden = live.replay !== null;
    target.show(live.targetKind, isGrid ? TARGETS : scene?.goalMoves ? IN_SCENE : IN_SPACE);
    sensing.row.hidden = !isGrid;
    guard.checked = live.guarded;
    guardRow.hidden = isGrid || live.replay !== null || !store.doc.boards.some(repairs);
    share.row.hidden = !isGrid || !WALKING.includes(live.targetKind);
    share.show(Math.round(100 * live.targetShare));
    sensing.show(live.sensing);
    for (const row of [unitAt, targetAt]) row.follow();
  };
  const later = onceAFrame(update);
  live.on("state", later);
  live.on("ticked", later);
  ui.on("change", (names) => names.has("board") && later());
  update();
}

/** Puts something into open cells only; gives back what is wrong with others. */
const openOnly = ({ store }, act) => (place) => {
  const { world } = store.doc;
  if (!world.isOpen(world.indexOf(place))) return "That cell is a wall.";
  act(place);
  return null;
};

/** A list to choose from; what it does not offer is shown as the first that it does. */
function choice(title, act) {
  const id = `live-${title.toLowerCase()}`;
  const select = el("select", { id, onchange: () => act(select.value) });
  const row = el("div", { class: "row" }, el("label", { for: id }, title), select);
  let offered = null;
  const show = (value, options) => {
    if (options !== offered) fill(select, options.map(([value, text]) => el("option", { value }, text)));
    offered = options;
    select.value = options.some(([known]) => known === value) ? value : options[0][0];
  };
  return { row, show };
}

/** A number with its unit; with `empty` nothing may stand for null. */
function number(title, { min, max, unit, empty = "" }, act) {
  const id = `live-${title.toLowerCase().replaceAll(" ", "-")}`;
  const input = el("input", { type: "number", id, min, max, step: "any", inputMode: "decimal", placeholder: empty });
  input.addEventListener("change", () => {
    const isEmpty = input.value === "" && empty !== "";
    const value = Number(input.value);
    const valid = isEmpty || (input.value !== "" && value >= min && value <= max);
    input.setAttribute("aria-invalid", `${!valid}`);
    if (valid) act(isEmpty ? null : value);
  });
  const field = el("div", { class: "with-unit" }, input, el("span", { class: "hint" }, unit));
  const row = el("div", { class: "row" }, el("label", { for: id }, title), field);
  const show = (value) => {
    if (document.activeElement !== input) input.value = value ?? "";
  };
  return { row, show };
}

/** The button that drops walls, and how many. */
function dropRow({ ui, actions }) {
  const count = el("select", { "aria-label": "Number of walls", onchange: () => ui.set({ dropCount: Number(count.value) }) });
  fill(count, Array.from({ length: MOST_WALLS + 1 }, (_, value) => el("option", { value }, `${value}`)));
  const button = el(
    "button",
    { type: "button", class: "outlined", title: "Put walls on the path of the first board’s unit (D)", onclick: () => actions.dropWalls() },
    icon("drop"),
    "Drop walls",
  );
  const update = () => (count.value = `${ui.dropCount}`);
  ui.on("change", (names) => names.has("dropCount") && update());
  update();
  return { element: el("div", { class: "drop" }, button, count) };
}
