// Export: the map, a picture, the search as data.

import { api } from "../core/connection.js";
import { writeWorld } from "../core/world.js";
import { el } from "../dom.js";
import { sizeOf } from "../format.js";
import { saveFile } from "./save.js";
import { traceFile } from "./trace-file.js";

/** `worlds` are the kinds that a format can hold. */
const MAPS = [
  { format: "world.json", title: "World", text: "Terrain, links and graphs", worlds: ["grid", "graph"] },
  { format: "map", title: "Benchmark map", text: "Floor and walls", worlds: ["grid"] },
  { format: "txt", title: "Text grid", text: "Walls and costs 1 to 9", worlds: ["grid"] },
  { format: "png", title: "Image map", text: "One pixel per cell: wall, floor, grass, water", worlds: ["grid"] },
  { format: "3dmap", title: "Voxel map", text: "Solid cells", worlds: ["voxel"] },
];
const FLAT = ["grid", "graph"];
const SPACE = ["voxel"];
/** Scenes are seen by the browser only; the server draws worlds in a way of its own. */
const PICTURES = [
  { format: "png", title: "Picture PNG", text: "The board at this step", worlds: FLAT, make: boardDrawn },
  { format: "svg", title: "Picture SVG", text: "The board at this step, scalable", worlds: FLAT, make: boardDrawn },
  { format: "png", title: "Picture PNG", text: "The board as shown now", worlds: SPACE, make: boardSeen },
  { format: "png", title: "Drawing PNG", text: "World and path from above and from the side", worlds: SPACE, make: spaceDrawn },
  { format: "svg", title: "Drawing SVG", text: "World and path, scalable", worlds: SPACE, make: spaceDrawn },
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
    group("Picture", PICTURES.map(({ format, title, text, worlds, make }) => item(title, `.${format}`, text, () => exportPicture(app, format, make), worlds))),
    group("Search", [item("Trace", ".json", "Every event of the search", () => exportTrace(app))]),
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

async function exportPicture(app, format, make) {
  const { name, picture } = await make(app, app.ui.board, format);
  saveFile(`${fileName(app.store.doc.world)}-${name}.${format}`, picture);
  app.announce(`Picture saved as .${format}`);
}

/** The step that a board shows; null for one without a trace, which shows the path: the end of the search. */
const stepShown = ({ runner, player }, board) => (runner.boards[board].timeline ? player.stepOf(board) : null);

const nameOf = ({ algorithm }, step) => (step === null ? algorithm : `${algorithm}-step-${step}`);

/** A flat board, drawn by the server. */
async function boardDrawn(app, board, format) {
  const { world, links } = app.store.doc;
  const [query, steps] = [queryOf(app, board), stepShown(app, board)];
  return { name: nameOf(query, steps), picture: await api.picture(format, { world: writeWorld(world, links), query, steps }) };
}

/** A board in three dimensions, as the browser shows it. */
async function boardSeen(app, board) {
  const name = nameOf(app.store.doc.boards[board], stepShown(app, board));
  return { name, picture: await app.boards.views[board].picture() };
}

/** The current world and the path through it, drawn by the server. */
async function spaceDrawn(app, board, format) {
  const { store, live } = app;
  const { world, links } = store.doc;
  const ends = live.active ? { start: live.units[board].cell, goals: [live.target] } : {};
  const query = { ...queryOf(app, board), ...ends };
  const seen = live.movement?.world === world ? live.movement.seen() : world;
  return { name: `${query.algorithm}-drawing`, picture: await api.picture(format, { world: writeWorld(seen, links), query }) };
}

async function exportTrace(app) {
  const { board } = app.ui;
  const run = app.runner.boards[board];
  if (run.busy && run.timeline) throw new Error("The search is still running. Export the trace when it has ended.");
  if (!run.timeline || !run.result) throw new Error("There is no trace yet. Run the search first.");
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
