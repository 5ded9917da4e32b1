// Keys for waypoint graphs. Arrows, which move the cursor from node to node, belong to the boards' keys.

import { eraseEdge, eraseNode, joinNodes, placeNode } from "./graph-tools.js";

/** The keys on a board and what they do, for the panel and the help. */
export const GRAPH_KEYS = [
  ["Arrows", "Move from node to node on the board"],
  ["N", "Add a node connected to the one at the cursor"],
  ["J", "Connect two nodes: press once at each end"],
  ["Del", "Remove the selection"],
];

/** A new node lies so far from the cursor's, in CSS pixels. */
const BESIDE = 72;

/** Does what a key says; false if it says nothing about graphs. */
export function graphKey(app, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  switch (event.key) {
    case "n":
    case "N":
      addBeside(app);
      return true;
    case "j":
    case "J":
      join(app, event.shiftKey);
      return true;
    case "Delete":
    case "Backspace":
      remove(app);
      return true;
    default:
      return false;
  }
}

/** The node under the cursor, or else the selected one. */
function nodeInHand({ ui, store }) {
  const { world } = store.doc;
  if (world.isOpen(ui.cursor)) return ui.cursor;
  return ui.selected?.kind === "node" ? ui.selected.index : -1;
}

function addBeside(app) {
  const { store, ui, camera } = app;
  const from = nodeInHand(app);
  const [x, y] = from >= 0 ? freePlace(store.doc.world, from, BESIDE / camera.scale) : [camera.x, camera.y];
  store.begin("add node");
  const node = placeNode(app, x, y);
  if (node >= 0 && from >= 0) joinNodes(app, from, node, ui.oneWay);
  store.end();
  if (node < 0) return;
  ui.set({ cursor: node, hovered: -1, selected: { kind: "node", index: node } });
  app.announce(from >= 0 ? `Node ${node} added, connected to ${from}` : `Node ${node} added`);
}

/** Around a node, the place that is farthest from all others. */
function freePlace({ nodes }, from, away) {
  const [x, y] = nodes[from];
  const places = Array.from({ length: 8 }, (_, i) => [
    x + away * Math.cos((i * Math.PI) / 4),
    y + away * Math.sin((i * Math.PI) / 4),
  ]);
  const room = ([px, py]) => Math.min(...nodes.slice(0, 5000).map((node) => Math.hypot(node[0] - px, node[1] - py)));
  const rooms = places.map(room);
  return places[rooms.indexOf(Math.max(...rooms))];
}

function join(app, oneWay) {
  const { ui } = app;
  const node = nodeInHand(app);
  if (node < 0) return app.announce("Move the cursor to a node first");
  if (ui.draft === null) {
    ui.set({ draft: { from: node, to: node, x: 0, y: 0, oneWay: false } });
    return app.announce(`Connecting node ${node}: move to another node and press J again, or press Escape`);
  }
  const { from } = ui.draft;
  ui.set({ draft: null });
  if (from === node) return;
  joinNodes(app, from, node, oneWay || ui.oneWay);
  app.announce(`Nodes ${from} and ${node} connected`);
}

function remove(app) {
  const { ui } = app;
  if (ui.selected?.kind === "edge") {
    eraseEdge(app, ui.selected.index);
    return app.announce("Edge removed");
  }
  const node = nodeInHand(app);
  if (node < 0) return;
  eraseNode(app, node);
  app.announce(`Node ${node} removed with its edges`);
}
