// Getting things out of the lab: the map, a picture, the search as data.

import { api } from "../core/connection.js";
import { writeWorld } from "../core/world.js";
import { el } from "../dom.js";
import { saveFile } from "./save.js";
import { traceFile } from "./trace-file.js";

const MAPS = [
  { format: "world.json", title: "World", text: "everything: terrain, links, graphs" },
  { format: "map", title: "Benchmark map", text: "floor and wall" },
  { format: "txt", title: "Text grid", text: "wall and costs 1 to 9" },
  { format: "png", title: "Image map", text: "one pixel a cell: wall, floor, grass, water" },
];
const PICTURES = [
  { format: "png", title: "Picture PNG", text: "the board at this step" },
  { format: "svg", title: "Picture SVG", text: "the board at this step, to be scaled" },
];

/** The menu behind the Export button. */
export function exportMenu(app) {
  const item = (title, note, text, action) =>
    el(
      "button",
      { type: "button", onclick: () => (menu.hidePopover(), attempt(app, action)) },
      el("span", { class: "menu-title" }, title, el("span", { class: "menu-note" }, note)),
      el("span", { class: "menu-text" }, text),
    );
  const group = (title, items) => el("div", { role: "group", "aria-label": title }, el("h3", { class: "heading" }, title), ...items);
  const menu = el(
    "div",
    { class: "menu", popover: "auto", "aria-label": "Export" },
    group("Map", MAPS.map(({ format, title, text }) => item(title, `.${format}`, text, () => exportMap(app, format)))),
    group("Picture", PICTURES.map(({ format, title, text }) => item(title, `.${format}`, text, () => exportPicture(app, format)))),
    group("Search", [item("Trace", ".json", "every event of the search", () => exportTrace(app))]),
  );
  return menu;
}

/** Does something that may fail and says so if it does. */
export async function attempt(app, action) {
  try {
    await action();
  } catch (error) {
    app.notify(error.message);
  }
}

const fileName = ({ kind, width, height, nodeCount }) => (kind === "grid" ? `map-${width}x${height}` : `graph-${nodeCount}`);

async function exportMap(app, format) {
  const { world, links } = app.store.doc;
  saveFile(`${fileName(world)}.${format}`, await api.export(format, writeWorld(world, links)));
  app.announce(`Saved as .${format}`);
}

async function exportPicture(app, format) {
  const { world, links } = app.store.doc;
  const { board } = app.ui;
  const query = queryOf(app, board);
  const { timeline } = app.runner.boards[board];
  // A board without a trace shows the path: the end of the search.
  const steps = timeline ? app.player.stepOf(board) : null;
  const picture = await api.picture(format, { world: writeWorld(world, links), query, steps });
  saveFile(`${fileName(world)}-${query.algorithm}${steps === null ? "" : `-step-${steps}`}.${format}`, picture);
  app.announce(`Picture saved as .${format}`);
}

async function exportTrace(app) {
  const { board } = app.ui;
  const run = app.runner.boards[board];
  if (run.busy && run.timeline) throw new Error("The search is still running: wait for its end, then export the trace.");
  if (!run.timeline || !run.result) throw new Error("There is no trace yet: run the search first.");
  const query = queryOf(app, board);
  app.announce("Writing the trace");
  const { world } = app.store.doc;
  saveFile(`${fileName(world)}-${query.algorithm}.trace.json`, await traceFile(world, query, run));
  app.announce("Trace saved");
}

function queryOf({ store }, board) {
  const { start, goals, boards } = store.doc;
  if (start === null || goals.length === 0) throw new Error("Place a start and a goal first.");
  return { start, goals, ...boards[board] };
}
