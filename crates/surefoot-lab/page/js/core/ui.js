// What is shown and which tool is selected: all state that is neither part of the document nor undone.

import { Emitter } from "./emitter.js";

/** The storage key for what is remembered between visits. */
const STORAGE = "surefoot-lab";
const REMEMBERED = ["theme", "toolsShown", "factsShown"];

/** Events: `change` with the Set of names that changed. */
export class Ui extends Emitter {
  /** The selected tool: brush, line, rectangle, fill, start, goal, link, building; spawn, send in crowds; node, edge on graphs. */
  tool = "brush";
  /** The cost that the brush gives, 0 for wall. */
  cost = 0;
  /** The width of the brush in cells, 1 to 9. */
  size = 1;
  /** auto, light or dark. */
  theme = "auto";
  /** Arrows to parents. */
  arrows = false;
  /** Numbers in cells. */
  numbers = false;
  /** Lines of searches that cross several cells at once. */
  jumps = true;
  /** What was prepared: true, false, or null for where it shows how the map was divided. */
  prepared = null;
  /** On grids, choke cells: the only connection between parts of the map. */
  chokes = false;
  /** In crowds, for how long units have waited in cells. */
  waits = true;
  /** While units walk, what incremental planners know: g, rhs and keys. */
  planner = false;
  /** In voxel worlds, which cells are shown: "surface", "slice" or "search" (only what a search has seen). */
  cells = "surface";
  /** In scenes, what is shown of obstacles: "shapes", or the "cells" that they cover. */
  obstacles = "shapes";
  /** In scenes, whether the cells are shown that obstacles will cover, and in how many seconds. */
  forecast = false;
  ahead = 0.3;
  /** The axis of the slice, and of the slice editor: 0 is x, 1 is y, 2 is z. */
  axis = 2;
  /** The last layer of a slice along each axis; also the one that the slice editor paints. */
  layers = [0, 0, 0];
  /** Whether the slice editor is beside the boards. */
  sliceEditor = false;
  /** Whether anything of the search but the path is shown. */
  aid = true;
  /** The node under the pointer, -1 for none. */
  hovered = -1;
  /** The board that the pointer is over, or was last. */
  hoveredBoard = 0;
  /** The node under the keyboard's cursor, -1 for none. */
  cursor = -1;
  /** The node that was inspected last, also after the pointer left the board. */
  lastInspected = -1;
  /** The board that keys, inspector and settings belong to. */
  board = 0;
  /** `{kind: "opened" | "closed", node}` or `{kind: "f", value}`. */
  breakpoints = [];
  /** On grids, what a gesture will do when it ends: see js/board/preview.js. */
  preview = null;
  /** On grids, the cost of new links. */
  linkCost = 1;
  /** On grids, the sides of buildings in cells, 1 to 5. */
  buildingWidth = 2;
  buildingHeight = 2;
  /** How many walls are dropped onto the path at once, 0 to 4. */
  dropCount = 1;
  /** What was generated last: `{kind, width, height, seed}`. */
  generated = null;
  /** On graphs, what the panel edits: `{kind: "node" | "edge", index}`. */
  selected = null;
  /** On graphs, an edge being drawn: `{from, to, x, y, oneWay}`; `to` is -1 while it leads to no node. */
  draft = null;
  /** On graphs, whether new edges lead one way. */
  oneWay = false;
  /** On graphs, what new edges are: "road" or "link". */
  edgeKind = "road";
  /** The breakpoint at which playing stopped, until it goes on. */
  brokenAt = null;
  /** Whether the server answers. */
  connected = true;
  /** Whether the panels are unfolded, on wide screens. */
  toolsShown = true;
  factsShown = true;
  /** What the bottom sheet shows on narrow screens: tools, algorithm, facts, log, or null. */
  sheet = null;

  constructor() {
    super();
    Object.assign(this, recall());
  }

  set(fields) {
    const changed = new Set(Object.keys(fields).filter((name) => this[name] !== fields[name]));
    if (changed.size === 0) return;
    Object.assign(this, fields);
    const inspected = this.inspected;
    if (inspected >= 0 && inspected !== this.lastInspected) {
      this.lastInspected = inspected;
      changed.add("lastInspected");
    }
    if (REMEMBERED.some((name) => changed.has(name))) remember(this);
    this.emit("change", changed);
  }

  /** Whether to show what a search has prepared. */
  showsPrepared({ sketch }) {
    return isSketched({ sketch }) && (this.prepared ?? sketch.parts.length > 0);
  }

  /** The node to inspect: the pointer's, else the keyboard's. */
  get inspected() {
    return this.hovered >= 0 ? this.hovered : this.cursor;
  }

  /** The board whose search it belongs to: the pointer may be over another board than the active one. */
  get inspectedBoard() {
    return this.hovered >= 0 || this.cursor < 0 ? this.hoveredBoard : this.board;
  }
}

/** The valid part of what the last visit stored. Nothing, if storage is forbidden. */
function recall() {
  const fields = {};
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE)) ?? {};
    if (["auto", "light", "dark"].includes(stored.theme)) fields.theme = stored.theme;
    for (const name of ["toolsShown", "factsShown"]) {
      if (typeof stored[name] === "boolean") fields[name] = stored[name];
    }
  } catch {
    return {};
  }
  return fields;
}

function remember(ui) {
  try {
    localStorage.setItem(
      STORAGE,
      JSON.stringify(Object.fromEntries(REMEMBERED.map((name) => [name, ui[name]]))),
    );
  } catch {
    // Forbidden or full: the lab works without.
  }
}

/** Whether there is anything to see of what a search has prepared. */
export const isSketched = ({ sketch }) => sketch !== null && Object.values(sketch.totals).some((total) => total > 0);

/** Whether reduced motion is preferred. */
export const lessMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
