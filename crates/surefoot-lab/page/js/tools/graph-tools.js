// Tools for waypoint graphs: what presses and drags on the board do. Keys are in graph-keys.js.

import { edgeAt } from "../board/graph-shape.js";
import { addEdge, addNode, edgeBetween, edgeCount, moveNode, removeEdge, removeNode } from "../core/graph-edit.js";

export { nextNode } from "../core/graph-edit.js";

/** How near to an edge the pointer has to be, in CSS pixels. */
const EDGE_REACH = 9;
/** A drag that is shorter, in CSS pixels, is a click. */
const CLICK = 5;

/** The tools that graphs have. */
export const GRAPH_TOOLS = ["node", "edge", "start", "goal"];

export class GraphTools {
  #app;
  /** What a drag does: `move(at)` and `up(at)`; null while no button is down. */
  #drag = null;

  constructor(app) {
    this.#app = app;
  }

  get #tool() {
    const { tool } = this.#app.ui;
    return GRAPH_TOOLS.includes(tool) ? tool : "node";
  }

  down(at) {
    this.cancel();
    if (at.button === 2) return this.#erase(at);
    const { start, goals } = this.#app.store.doc;
    const tool = this.#tool;
    if (tool === "start" || (at.alt && at.node >= 0 && at.node === start)) return this.#dragStart(at);
    if (tool === "goal" || (at.alt && goals.includes(at.node))) return this.#dragGoal(at);
    if (at.node >= 0) return tool === "edge" ? this.#drawEdge(at) : this.#dragNode(at, at.node);
    const edge = this.#edgeAt(at);
    if (edge >= 0) return this.#select("edge", edge);
    if (tool === "node") return this.#place(at);
    this.#select(null);
  }

  move(at) {
    this.#drag?.move(at);
  }

  up(at) {
    const drag = this.#drag;
    this.#drag = null;
    drag?.up?.(at);
    this.#app.ui.set({ draft: null });
    this.#app.store.end();
  }

  cancel() {
    if (!this.#drag) return;
    this.#drag = null;
    this.#app.ui.set({ draft: null });
    this.#app.store.cancel();
  }

  /** The painter shows what is under the pointer. */
  hover() {}

  cursorOf(at) {
    if (this.#drag) return "grabbing";
    const tool = this.#tool;
    if (at.node >= 0) return tool === "edge" ? "crosshair" : tool === "node" ? "grab" : "pointer";
    if (this.#edgeAt(at) >= 0) return "pointer";
    return tool === "node" ? "copy" : "default";
  }

  #edgeAt({ x, y }) {
    return edgeAt(this.#app.store.doc.world, x, y, EDGE_REACH / this.#app.camera.scale);
  }

  #select(kind, index) {
    this.#app.ui.set({ selected: kind && { kind, index } });
  }

  #place(at) {
    const { store } = this.#app;
    store.begin("add node");
    const node = placeNode(this.#app, at.x, at.y);
    if (node >= 0) this.#dragNode(at, node);
    else store.end();
  }

  #dragNode(at, node) {
    const { store, camera } = this.#app;
    const [fromX, fromY] = store.doc.world.nodes[node];
    let moved = false;
    store.begin("move node");
    this.#select("node", node);
    this.#drag = {
      move: ({ x, y }) => {
        const [dx, dy] = [x - at.x, y - at.y];
        moved ||= Math.hypot(dx, dy) * camera.scale >= CLICK;
        if (moved) store.change("move node", moveNode(store.doc, node, ...round(fromX + dx, fromY + dy, camera.scale)));
      },
    };
  }

  #drawEdge(at) {
    const { store, ui, camera } = this.#app;
    const from = at.node;
    this.#select("node", from);
    this.#drag = {
      move: ({ x, y, node, shift }) => {
        const to = node === from ? -1 : node;
        ui.set({ draft: { from, to, x, y, oneWay: ui.oneWay || shift } });
      },
      up: ({ x, y, node, shift }) => {
        if (node === from) return;
        const [fromX, fromY] = store.doc.world.nodes[from];
        if (node < 0 && Math.hypot(x - fromX, y - fromY) * camera.scale < 2 * CLICK) return;
        store.begin("add edge");
        const to = node >= 0 ? node : placeNode(this.#app, x, y);
        if (to >= 0) joinNodes(this.#app, from, to, ui.oneWay || shift);
      },
    };
  }

  #dragStart(at) {
    const { actions, store } = this.#app;
    const move = ({ node }) => node >= 0 && node !== store.doc.start && actions.setStart(node);
    store.begin("move start");
    move(at);
    this.#drag = { move };
  }

  /** Takes hold of the goal under the pointer, or brings the last one here; with shift adds one. */
  #dragGoal(at) {
    const { actions, store } = this.#app;
    if (at.node < 0) return;
    if (at.shift) return actions.toggleGoal(at.node);
    const held = store.doc.goals.indexOf(at.node);
    const which = held >= 0 ? held : Math.max(store.doc.goals.length - 1, 0);
    const move = ({ node }) => {
      const { goals } = store.doc;
      if (node >= 0 && !goals.includes(node)) actions.setGoals(goals.toSpliced(which, 1, node));
    };
    store.begin("move goal");
    move(at);
    this.#drag = { move };
  }

  #erase(at) {
    const { store, actions } = this.#app;
    if (at.node >= 0 && this.#tool === "goal") {
      if (store.doc.goals.includes(at.node)) actions.toggleGoal(at.node);
      return;
    }
    if (at.node >= 0) return eraseNode(this.#app, at.node);
    const edge = this.#edgeAt(at);
    if (edge >= 0) eraseEdge(this.#app, edge);
  }
}

/** Coordinates as exact as the screen is, so that they can be read and typed. */
function round(x, y, scale) {
  const unit = 10 ** Math.floor(Math.log10(2 / scale));
  const digits = Math.max(0, -Math.log10(unit));
  return [x, y].map((value) => Number((Math.round(value / unit) * unit).toFixed(digits)));
}

/** Adds a node and selects it; -1 if there are too many. */
export function placeNode(app, x, y) {
  const { store, ui, camera, about } = app;
  const node = store.doc.world.nodeCount;
  if (node >= about.limits.nodes) {
    app.notify(`The lab supports graphs of up to ${about.limits.nodes.toLocaleString("en")} nodes.`);
    return -1;
  }
  store.change("add node", addNode(store.doc, ...round(x, y, camera.scale)));
  ui.set({ selected: { kind: "node", index: node } });
  return node;
}

/** Joins two nodes, or selects the edge that joins them already. */
export function joinNodes(app, from, to, oneWay) {
  const { store, ui, about } = app;
  const { world } = store.doc;
  const known = edgeBetween(world, from, to);
  if (known >= 0) return ui.set({ selected: { kind: "edge", index: known } });
  if (edgeCount(world) + (oneWay ? 1 : 2) > about.limits.edges) {
    return app.notify(`The lab supports graphs of up to ${about.limits.edges.toLocaleString("en")} edges; two-way edges count twice.`);
  }
  store.change("add edge", addEdge(store.doc, { from, to, two_way: !oneWay, kind: ui.edgeKind }));
  ui.set({ selected: { kind: "edge", index: world.edges.length } });
}

/** Takes a node away. Breakpoints and the cursor stay at the nodes they were at. */
export function eraseNode(app, node) {
  const { store, ui } = app;
  const moved = (other) => (other > node ? other - 1 : other);
  const breakpoints = ui.breakpoints
    .filter((point) => point.kind === "f" || point.node !== node)
    .map((point) => (point.kind === "f" ? point : { ...point, node: moved(point.node) }));
  const cursor = Math.min(moved(ui.cursor), store.doc.world.nodeCount - 2);
  ui.set({ selected: null, draft: null, hovered: -1, cursor, breakpoints });
  store.change("remove node", removeNode(store.doc, node));
}

export function eraseEdge(app, edge) {
  app.ui.set({ selected: null });
  app.store.change("remove edge", removeEdge(app.store.doc, edge));
}
