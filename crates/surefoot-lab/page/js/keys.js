// The keyboard. Fields and lists keep their own keys; with the focus on a board, arrows move its cell cursor.

import { FLOOR, WALL } from "./core/world.js";
import { placeOf } from "./format.js";
import { showHelp } from "./help.js";
import { chooseCost } from "./panels/brush.js";
import { changeSpeed } from "./panels/playback.js";
import { setLayer } from "./space/slice-editor.js";
import { graphKey } from "./tools/graph-keys.js";
import { nextNode } from "./tools/graph-tools.js";
import { spacePanned } from "./tools/pointer.js";

/** Steps and notches of a key with shift. */
const MANY = 10;
const ZOOM = 1.25;
const SPEED_NOTCHES = 3;
const MAZE = { most: 81, seeds: 100_000 };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Listens to the keyboard of the whole page. */
export function mountKeys(app) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || isModalOpen()) return;
    if (handle(app, event)) event.preventDefault();
  });
  // Space is also held to pan: it plays when it comes up and nothing was dragged.
  addEventListener("keyup", (event) => {
    if (event.key !== " " || ownsKeys(event.target) || takesSpace(event.target) || isModalOpen()) return;
    // Some browsers press a focused button on keyup.
    event.preventDefault();
    if (!spacePanned()) app.actions.playPause();
  });
  addEventListener("pointerdown", () => (focusedByPointer = true), { capture: true });
  addEventListener("keydown", ({ key }) => key === "Tab" && (focusedByPointer = false), { capture: true });
}

/** Whether the last click or tap came after the last use of the tab key: then the focus is where the pointer left it. */
let focusedByPointer = false;

const isModalOpen = () => document.querySelector("dialog:modal") !== null;

/** Whether what is typed belongs to an element. */
const ownsKeys = (target) =>
  target.matches?.("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]") ?? false;

/** Whether space and Enter press an element. */
const pressable = (target) => target.closest?.("button, a, summary, input, label, select") ?? null;

/**
 * Whether space belongs to the focused element. A clicked button keeps the focus, but space then plays and pauses as everywhere
 * else. A button focused with the tab key is pressed.
 */
function takesSpace(target) {
  const element = pressable(target);
  if (!element) return false;
  return !focusedByPointer || !element.matches("button") || element.closest("dialog, [role=dialog]") !== null;
}

/** The lab, or on the slice editor one layer of it. */
const labOf = (app, board) => (board.dataset.slice ? app.space.slice : app);

const boardOf = (target) => (target.matches?.("canvas[data-board]") ? target : null);

/** Does what a key says; true if it said something. */
function handle(app, event) {
  if (event.ctrlKey || event.metaKey) return !event.altKey && history(app, event);
  if (event.altKey || ownsKeys(event.target)) return false;
  if (event.key === " ") return !takesSpace(event.target);
  const board = boardOf(event.target);
  if (board?.dataset.slice && changeLayer(app, event)) return true;
  if (board && onBoard(labOf(app, board), event)) return true;
  return anywhere(app, event);
}

/** Undo and redo; fields have their own. */
function history({ actions }, event) {
  if (event.target.matches?.("input:not([type=range], [type=checkbox]), textarea")) return false;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) actions.undo();
  else if (key === "y" || (key === "z" && event.shiftKey)) actions.redo();
  else return false;
  return true;
}

function anywhere(app, event) {
  const { actions, boards } = app;
  const { key, shiftKey } = event;
  if (/^[1-9]$/.test(key)) return brush(app, Number(key));
  const many = shiftKey ? MANY : 1;
  const commands = {
    ArrowLeft: () => actions.step(-many),
    ArrowRight: () => actions.step(many),
    Home: () => actions.toStart(),
    End: () => actions.showEnd(),
    "[": () => changeSpeed(app, -SPEED_NOTCHES),
    "]": () => changeSpeed(app, SPEED_NOTCHES),
    r: () => actions.run(),
    v: () => actions.toggleLive(),
    u: () => actions.toggleCrowd(),
    d: () => actions.dropWalls(),
    b: () => app.store.doc.world.kind === "grid" && tool(app, "building"),
    c: () => (shiftKey ? actions.clearWalls() : actions.clearPath()),
    g: () => newMaze(app),
    w: () => brush(app, WALL),
    e: () => brush(app, FLOOR),
    s: () => tool(app, "start"),
    t: () => tool(app, "goal"),
    l: () => app.store.doc.world.kind === "grid" && tool(app, "link"),
    "+": () => boards.zoomBy(ZOOM),
    "=": () => boards.zoomBy(ZOOM),
    "-": () => boards.zoomBy(1 / ZOOM),
    0: () => app.fit(),
    "?": () => showHelp(app),
    Escape: () => cancel(app),
  };
  const command = commands[key] ?? commands[key.length === 1 ? key.toLowerCase() : ""];
  if (!command) return false;
  command();
  return true;
}

/** On the slice editor page up and page down go from layer to layer, and the cell cursor goes along. */
function changeLayer(app, { key, shiftKey }) {
  const step = { PageUp: 1, PageDown: -1 }[key];
  if (!step) return false;
  const { ui, space } = app;
  const { world } = app.store.doc;
  const { axis } = ui;
  const hasCursor = space.slice.ui.cursor >= 0;
  setLayer(app, axis, ui.layers[axis] + step * (shiftKey ? MANY : 1));
  if (hasCursor) ui.set({ cursor: world.index(...world.place(ui.cursor).with(axis, ui.layers[axis])) });
  app.announce(`Layer ${ui.layers[axis]} along ${"xyz"[axis]}`);
  return true;
}

/** Keys that act at the cell cursor. */
function onBoard(app, event) {
  const { ui, store, actions, boards } = app;
  const { key, shiftKey } = event;
  const { world } = store.doc;
  if (world.kind !== "voxel" && key in ARROWS) return moveCursor(app, ARROWS[key], shiftKey ? MANY : 1);
  if (key === "," || key === "." || key === "<" || key === ">") {
    const many = key === "<" || key === ">" ? MANY : 1;
    actions.step(key === "," || key === "<" ? -many : many);
    return true;
  }
  if (world.kind === "graph" && graphKey(app, event)) return true;
  const node = ui.cursor;
  if (world.kind === "voxel" || !(node >= 0 && node < world.nodeCount)) return false;
  switch (key) {
    case "Enter":
      boards.useTool(node, { erase: isPainted(app, node), shift: shiftKey });
      return true;
    case "Delete":
    case "Backspace":
      boards.useTool(node, { erase: true });
      return true;
    case "s":
      if (world.isOpen(node)) actions.setStart(world.place(node));
      return true;
    case "t":
      if (world.isOpen(node)) actions.setGoals([world.place(node)]);
      return true;
    case "T":
      if (world.isOpen(node)) actions.toggleGoal(world.place(node));
      return true;
    default:
      return false;
  }
}

/** Whether the brush would change nothing at a cell: then it erases. */
function isPainted({ ui, store }, node) {
  const { world } = store.doc;
  return world.kind === "grid" && ui.tool === "brush" && world.cost[node] === ui.cost && ui.cost !== FLOOR;
}

function moveCursor(app, [dx, dy], many) {
  const { ui, store, boards } = app;
  const { world, start } = store.doc;
  const from = ui.cursor >= 0 && ui.cursor < world.nodeCount ? ui.cursor : -1;
  let node = Math.max(world.indexOf(start), 0);
  if (from >= 0 && world.kind === "grid") {
    const [x, y] = world.place(from);
    const clamp = (value, size) => Math.min(Math.max(value, 0), size - 1);
    node = world.index(clamp(x + dx * many, world.width), clamp(y + dy * many, world.height));
  } else if (from >= 0) {
    node = nextNode(world, from, dx, dy);
  }
  if (world.nodeCount === 0 || node < 0) return true;
  // The keyboard is in use now: what the pointer rests on is not inspected.
  ui.set({ cursor: node, hovered: -1 });
  boards.ensureVisible(node);
  app.announce(cellWords(app, node));
  return true;
}

/** Describes what is at the cursor, for screen readers. */
function cellWords({ store, ui, runner, wordsOf = placeOf }, node) {
  const { world, start, goals } = store.doc;
  const words = [wordsOf(world, node)];
  if (world.kind === "grid") words.push(world.cost[node] === WALL ? "wall" : `cost ${world.cost[node]}`);
  if (world.indexOf(start) === node) words.push("start");
  if (goals.some((goal) => world.indexOf(goal) === node)) words.push("goal");
  const known = runner.boards[ui.board]?.replay?.inspect(node);
  if (known) words.push(known.state === 2 ? "closed" : "open", `f ${known.f.toFixed(2)}`);
  return words.join(", ");
}

function brush({ ui, store, announce }, cost) {
  const { kind } = store.doc.world;
  if (kind === "graph" || (kind === "voxel" && cost > FLOOR)) return false;
  chooseCost(ui, cost);
  announce(cost === WALL ? "Brush: wall" : `Brush: cost ${cost}`);
  return true;
}

function tool({ ui, announce }, name) {
  ui.set({ tool: name });
  announce(`Tool: ${name}`);
}

/** A maze as large as the map, up to a size that stays readable. */
async function newMaze({ store, actions, notify }) {
  const { world } = store.doc;
  const odd = (size) => Math.min(Math.max(size - 1 + (size % 2), 9), MAZE.most);
  const [width, height] = world.kind === "grid" ? [odd(world.width), odd(world.height)] : [41, 31];
  const seed = Math.floor(Math.random() * MAZE.seeds);
  try {
    await actions.generate("maze", width, height, seed);
    notify(`New maze ${width} × ${height}, seed ${seed}`);
  } catch (error) {
    notify(error.message);
  }
}

function cancel({ runner, ui, boards, player, moving }) {
  boards.views[ui.board]?.tools.cancel();
  player.pause();
  moving?.pause();
  const busy = runner.boards.map((run, board) => (run.busy ? board : -1)).filter((board) => board >= 0);
  for (const board of busy) runner.cancel(board);
  if (ui.sheet) ui.set({ sheet: null });
}
