// What the search knows of the inspected cell, on the board that it is pointed at.

import { WALL } from "../core/world.js";
import { el, fill } from "../dom.js";
import { placeOf } from "../format.js";
import { obstacleIn } from "../space/cell-gap.js";
import { clearanceWords } from "../space/clearance.js";
import { cost, count } from "./figures.js";
import { onceAFrame } from "./frame.js";
import { figures, list } from "./lists.js";
import { plannerCell } from "./planner-cell.js";

const TERRAIN_NAMES = { 0: "wall", 1: "floor", 4: "grass", 10: "water" };
/** In space the arrow keys turn the view, so cells are reached in the slice editor. */
const HINTS = {
  grid: "Hover over or tap a cell to inspect it, or use the arrow keys on the board.",
  voxel: "Hover over or tap a cell to inspect it, or use the arrow keys in the slice editor.",
  graph: "Hover over or tap a node to inspect it, or use the arrow keys on the board.",
};
/** Letters of an obstacle's name that are shown. */
const LONG_NAME = 24;
const STATES = ["not visited", "open", "closed"];

/** Fills the inspector. */
export function mountInspector(app, element) {
  const { ui, store, runner, player, live, crowd } = app;
  const title = el("h2", { class: "cell-title" });
  const terrain = el("span", { class: "hint" });
  const sums = figures([
    ["g", "Cost of the path from the start to this cell"],
    ["h", "Estimated cost from here to the goal, with the weight that the search uses"],
    ["f", "g + h; the search closes the open cell with the smallest f next"],
  ]);
  const rows = list([
    ["State", "Open cells are waiting to be expanded; closed cells have been expanded"],
    ["Parent", "The cell from which this one was reached"],
    ["Order", "Order in which this cell was closed"],
    ["Reopened", "How often a cheaper path was found after this cell was closed"],
  ]);
  const hint = el("p", { class: "hint" });
  const planner = plannerCell();
  const head = el("div", { class: "cell-head" }, title, terrain);
  fill(element, head, sums.element, rows.element, planner.element, hint);

  const update = () => {
    const { world } = store.doc;
    const node = ui.inspected >= 0 ? ui.inspected : ui.lastInspected;
    const shown = node >= 0 && node < world.nodeCount;
    hint.hidden = shown;
    hint.textContent = HINTS[world.kind];
    sums.element.hidden = rows.element.hidden = !shown || app.moving !== null;
    planner.element.hidden = !shown || !live.active || !ui.planner;
    terrain.textContent = shown ? groundWords(app, node) : "";
    title.textContent = shown ? titleWords(world, node) : world.kind === "graph" ? "No node inspected" : "No cell inspected";
    if (!shown) return;
    const board = Math.min(ui.inspectedBoard, runner.boards.length - 1);
    if (crowd.active) return;
    if (live.active) return planner.show(world, live.units[board]?.knowledge?.inspect(node));
    const { replay } = runner.boards[board];
    const known = replay?.inspect(node) ?? null;
    sums.show([known?.g, known?.h, known?.f].map(cost));
    const side = known?.backward ? ", backward search" : "";
    rows.show([
      `${STATES[known?.state ?? 0]}${side}`,
      known && known.parent >= 0 ? placeOf(world, known.parent) : "–",
      known?.order ? `#${count(known.order)}` : "–",
      known ? `${count(known.reopened)}×` : "–",
    ]);
  };
  const later = onceAFrame(update);
  forgetOldNodes(app);
  ui.on("change", later);
  store.on("change", later);
  player.on("move", later);
  for (const type of ["ticked", "state"]) live.on(type, later);
  crowd.on("state", later);
  for (const type of ["cleared", "began", "progress", "done", "failed", "boards"]) runner.on(type, later);
  update();
}

/** On another map the same number is another node: nothing is inspected and no playing stops there. */
function forgetOldNodes({ store, ui }) {
  const shape = ({ kind, width, height, size }) => `${kind} ${width} ${height} ${size}`;
  let last = shape(store.doc.world);
  store.on("fields", (names) => {
    const now = shape(store.doc.world);
    if (!names.has("world") || now === last) return;
    last = now;
    const breakpoints = ui.breakpoints.filter(({ kind }) => kind === "f");
    ui.set({ hovered: -1, cursor: -1, lastInspected: -1, brokenAt: null, breakpoints });
  });
}

function titleWords(world, node) {
  const words = placeOf(world, node);
  return world.kind === "graph" ? `Node ${node}` : `Cell ${words}`;
}

/** "open, clearance 2.55", "solid, static", "obstacle 3, box, patrols" */
function spaceWords(world, movement, node) {
  if (movement?.covers(node)) return obstacleWords(movement, obstacleIn(movement, node));
  if (world.isOpen(node)) return `open, ${clearanceWords(world, node)}`;
  return movement?.scene.obstacles.length > 0 ? "solid, static" : "solid";
}

function obstacleWords({ scene }, obstacle) {
  if (obstacle < 0) return "obstacle";
  const { name, shape, habits } = scene.obstacles[obstacle];
  const number = `${obstacle + 1}`;
  const short = name.length > LONG_NAME ? `${name.slice(0, LONG_NAME)}…` : name;
  const named = short && short !== number ? [`“${short}”`] : [];
  return [`obstacle ${number}`, ...named, shape.kind, ...habits].join(", ");
}

/** "grass, cost 4 · start" */
function groundWords({ store, live }, node) {
  const { world, start, goals } = store.doc;
  const words = [];
  if (world.kind === "grid") {
    const paid = world.cost[node];
    const name = TERRAIN_NAMES[paid];
    words.push(paid === WALL ? name : [name, `cost ${paid}`].filter(Boolean).join(", "));
  } else if (world.kind === "voxel") {
    words.push(spaceWords(world, live.movement?.world === world ? live.movement : null, node));
  } else {
    words.push(`at ${world.nodes[node].map(cost).join(", ")}`);
  }
  if (world.indexOf(start) === node) words.push("start");
  if (goals.some((goal) => world.indexOf(goal) === node)) words.push("goal");
  if (live.units.some(({ cell }) => world.indexOf(cell) === node)) words.push("unit");
  if (live.active && world.indexOf(live.target) === node) words.push("target");
  return words.join(" · ");
}
