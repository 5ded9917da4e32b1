// Getting things out of the lab: the map, a picture, the search as data.

import { api } from "../core/connection.js";
import { writeWorld } from "../core/world.js";
import { el } from "../dom.js";
import { sizeOf } from "../format.js";
import { saveFile } from "./save.js";
import { traceFile } from "./trace-file.js";

/** `worlds` are the kinds that a format can hold. */
const MAPS = [
  { format: "world.json", title: "World", text: "everything: terrain, links, graphs", worlds: ["grid", "graph"] },
  { format: "map", title: "Benchmark map", text: "floor and wall", worlds: ["grid"] },
  { format: "txt", title: "Text grid", text: "wall and costs 1 to 9", worlds: ["grid"] },
  { format: "png", title: "Image map", text: "one pixel a cell: wall, floor, grass, water", worlds: ["grid"] },
  { format: "3dmap", title: "Voxel map", text: "the solid cells", worlds: ["voxel"] },
];
const PICTURES = [
  { format: "png", title: "Picture PNG", text: "the board at this step" },
  { format: "svg", title: "Picture SVG", text: "the board at this step, to be scaled", worlds: ["grid", "graph"] },
];

/** The menu behind the Export button. */
export function exportMenu(app) {
  const limited = [];
  const item = (title, note, text, action, worlds) => {
    const button = el(
      "button",
      { type: "button", onclick: () => (menu.hidePopover(), attempt(app, action)) },
      el("span", { class: "menu-title" }, title, el("span", { class: "menu-note" }, note)),
      el("span", { class: "menu-text" }, text),
    );
    if (worlds) limited.push({ button, worlds });
    return button;
  };
  const group = (title, items) => el("div", { role: "group", "aria-label": title }, el("h3", { class: "heading" }, title), ...items);
  const menu = el(
    "div",
    { class: "menu", popover: "auto", "aria-label": "Export" },
    group("Map", MAPS.map(({ format, title, text, worlds }) => item(title, `.${format}`, text, () => exportMap(app, format), worlds))),
    group("Picture", PICTURES.map(({ format, title, text, worlds }) => item(title, `.${format}`, text, () => exportPicture(app, format), worlds))),
    group("Search", [item("Trace", ".json", "every event of the search", () => exportTrace(app))]),
  );
  const update = () => {
    const { kind } = app.store.doc.world;
    for (const { button, worlds } of limited) button.hidden = !worlds.includes(kind);
  };
  app.store.on("fields", (names) => names.has("world") && update());
  update();
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

const fileName = (world) => (world.kind === "graph" ? `graph-${world.nodeCount}` : `map-${sizeOf(world, "x")}`);

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
  const inSpace = world.kind === "voxel";
  const picture = inSpace ? await app.boards.views[board].picture() : await api.picture(format, { world: writeWorld(world, links), query, steps });
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
