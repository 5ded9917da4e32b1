// Where to search from and to, typed; and taking things off the board.

import { el, fill } from "../dom.js";
import { icon } from "../icons.js";

/** Reads "41, 17" or "41 17", with z in voxel worlds, a node's number on graphs: the place, or a text that says what is wrong. */
export function readPlace(world, text) {
  if (world.kind === "graph") {
    const node = /^\s*(\d+)\s*$/.test(text) ? Number(text) : -1;
    return world.indexOf(node) >= 0
      ? { place: node }
      : { error: `Enter a node number from 0 to ${world.nodeCount - 1}.` };
  }
  if (world.kind === "voxel") return readCell(world, text);
  const match = /^\s*\(?\s*(\d+)\s*[,; ]\s*(\d+)\s*\)?\s*$/.exec(text);
  if (!match) return { error: "Enter a column and a row, such as 12, 7." };
  const place = [Number(match[1]), Number(match[2])];
  if (world.indexOf(place) >= 0) return { place };
  return { error: `Columns run from 0 to ${world.width - 1}, rows from 0 to ${world.height - 1}.` };
}

function readCell(world, text) {
  const place = /^\s*\(?\s*\d+(\s*[,; ]\s*\d+){2}\s*\)?\s*$/.test(text) ? text.match(/\d+/g).map(Number) : null;
  if (!place) return { error: "Enter x, y and z, such as 12, 7, 3." };
  if (world.indexOf(place) >= 0) return { place };
  return { error: `x runs from 0 to ${world.size[0] - 1}, y from 0 to ${world.size[1] - 1}, z from 0 to ${world.size[2] - 1}.` };
}

const EXAMPLES = {
  grid: ["x, y", "Column and row, from 0"],
  voxel: ["x, y, z", "x, y and z, from 0"],
  graph: ["node", "Node number"],
};

/** What a field for a place says while it is empty, and in words. */
export const placeExample = ({ kind }) => EXAMPLES[kind];

/** A place as `readPlace` reads it. */
export const writePlace = (place) => (Array.isArray(place) ? place.join(", ") : `${place ?? ""}`);

/** Fills the section with coordinates. */
export function mountPlaces(app, element) {
  const { store, actions, about } = app;
  const rows = el("div", { class: "places" });
  const add = el(
    "button",
    { type: "button", class: "small", onclick: () => addGoal(app) },
    icon("add"),
    "Add goal",
  );
  const clearPath = el(
    "button",
    {
      type: "button",
      class: "small outlined",
      title: "Remove the search from the board; the path stays (C)",
      onclick: () => actions.clearPath(),
    },
    "Clear search",
  );
  const clearWalls = el(
    "button",
    {
      type: "button",
      class: "small outlined",
      title: "Turn all walls into floor (Shift+C)",
      onclick: () => actions.clearWalls(),
    },
    "Clear walls",
  );
  fill(
    element,
    rows,
    el("div", { class: "buttons" }, add),
    el("div", { class: "buttons" }, clearPath, clearWalls),
  );

  const start = placeRow(
    app,
    "Start",
    () => store.doc.start,
    (place) => actions.setStart(place),
  );
  let goals = [];
  const match = () => {
    const { goals: wanted, world } = store.doc;
    if (goals.length !== wanted.length) {
      goals = wanted.map((_, at) => goalRow(app, at, wanted.length));
      fill(
        rows,
        start.element,
        goals.map((row) => row.element),
      );
    }
    for (const row of [start, ...goals]) row.show();
    add.disabled = wanted.length >= about.limits.goals;
    clearWalls.hidden = world.kind === "graph";
  };
  store.on("fields", (names) => ["world", "start", "goals"].some((name) => names.has(name)) && match());
  fill(rows, start.element);
  match();
}

function goalRow(app, at, total) {
  const { store, actions } = app;
  const name = total > 1 ? `Goal ${at + 1}` : "Goal";
  const remove = total > 1 && (() => actions.setGoals(store.doc.goals.toSpliced(at, 1)));
  return placeRow(
    app,
    name,
    () => store.doc.goals[at],
    (place) => actions.setGoals(store.doc.goals.with(at, place)),
    remove,
  );
}

/**
 * A field with a place. Errors are shown below it, and invalid input changes nothing; `act` may return an error. `show`
 * fills it, `follow` does so unless it is being edited.
 */
export function placeRow({ store }, name, read, act, remove) {
  const id = `place-${name.toLowerCase().replace(" ", "-")}`;
  const input = el("input", { type: "text", id, autocomplete: "off", spellcheck: false, inputMode: "text" });
  const error = el("p", { class: "error", id: `${id}-error`, role: "alert" });
  input.setAttribute("aria-describedby", error.id);
  const complain = (text) => {
    error.textContent = text;
    input.setAttribute("aria-invalid", `${text !== ""}`);
  };
  const show = () => {
    const { world } = store.doc;
    [input.placeholder, input.title] = placeExample(world);
    input.value = writePlace(read());
    complain("");
  };
  input.addEventListener("change", () => {
    const { place, error: wrong } = readPlace(store.doc.world, input.value);
    complain(wrong ?? act(place) ?? "");
  });
  const properties = {
    type: "button",
    class: "icon-button",
    title: `Remove ${name.toLowerCase()}`,
    "aria-label": `Remove ${name.toLowerCase()}`,
  };
  const button = remove && el("button", { ...properties, onclick: remove }, icon("close"));
  const field = el("div", { class: "place-field" }, input, button);
  const isTyped = () => document.activeElement === input || input.getAttribute("aria-invalid") === "true";
  const follow = () => isTyped() || show();
  const element = el("div", { class: "row narrow" }, el("label", { for: id }, name), field, error);
  return { element, show, follow };
}

/** Adds a goal where there is room: at the inspected cell, else at the open cell nearest to the last goal. */
function addGoal({ store, ui, actions }) {
  const { world, goals, start } = store.doc;
  const taken = new Set([start, ...goals].map((place) => world.indexOf(place)));
  const free = (node) => node >= 0 && world.isOpen(node) && !taken.has(node);
  if (free(ui.lastInspected)) return actions.toggleGoal(world.place(ui.lastInspected));
  const origin = goals.length > 0 ? goals.at(-1) : start;
  const distance = (node) => {
    if (!Array.isArray(origin)) return node;
    return world.place(node).reduce((sum, value, axis) => sum + Math.abs(value - origin[axis]), 0);
  };
  let best = -1;
  for (let node = 0; node < world.nodeCount; node++) {
    if (free(node) && (best < 0 || distance(node) < distance(best))) best = node;
  }
  if (best >= 0) actions.toggleGoal(world.place(best));
}
