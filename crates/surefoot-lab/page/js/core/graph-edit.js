// Changes of waypoint graphs. Each takes the document and answers the fields of it that are new, for `store.change`.

import { GraphWorld } from "./world.js";

/** The cost of new links. */
export const LINK_COST = 1;
/** The highest cost of an edge, in cells. */
export const MOST_COST = 180_000;

/** Adds a node. The first two of a graph become start and goal. */
export function addNode({ world, start, goals }, x, y) {
  const node = world.nodeCount;
  const fields = { world: new GraphWorld([...world.nodes, [x, y]], world.edges) };
  if (start === null) fields.start = node;
  else if (goals.length === 0) fields.goals = [node];
  return fields;
}

/** Moves a node; a height that it has stays. */
export function moveNode({ world }, node, x, y) {
  const nodes = world.nodes.with(node, [x, y, ...world.nodes[node].slice(2)]);
  return { world: new GraphWorld(nodes, world.edges) };
}

/** Takes a node and its edges away. Nodes after it move up by one number. */
export function removeNode({ world, start, goals }, node) {
  const moved = (other) => (other > node ? other - 1 : other);
  const edges = world.edges
    .filter(({ from, to }) => from !== node && to !== node)
    .map((edge) => ({ ...edge, from: moved(edge.from), to: moved(edge.to) }));
  return {
    world: new GraphWorld(world.nodes.toSpliced(node, 1), edges),
    start: start === node || start === null ? null : moved(start),
    goals: goals.filter((goal) => goal !== node).map(moved),
  };
}

/** Adds an edge that costs its length or, as a link, `LINK_COST`. */
export function addEdge({ world }, { from, to, two_way, kind }) {
  const edge = { from, to, cost: kind === "link" ? LINK_COST : null, kind, two_way };
  return { world: new GraphWorld(world.nodes, [...world.edges, edge]) };
}

/** Gives an edge other properties. A link always has a cost. */
export function changeEdge({ world }, index, properties) {
  const edge = { ...world.edges[index], ...properties };
  if (edge.kind === "link") edge.cost ??= LINK_COST;
  return { world: new GraphWorld(world.nodes, world.edges.with(index, edge)) };
}

export function removeEdge({ world }, index) {
  return { world: new GraphWorld(world.nodes, world.edges.toSpliced(index, 1)) };
}

/** The edge that already leads from one node to another, or -1. */
export function edgeBetween(world, from, to) {
  const leads = (edge) =>
    (edge.from === from && edge.to === to) || (edge.two_way && edge.from === to && edge.to === from);
  return world.edges.findIndex(leads);
}

/** How many edges the server counts: one that leads both ways is two. */
export function edgeCount(world) {
  return world.edges.reduce((sum, edge) => sum + (edge.two_way ? 2 : 1), 0);
}

/** The straight length of an edge. */
export function edgeLength(world, { from, to }) {
  const [a, b] = [world.nodes[from], world.nodes[to]];
  return Math.hypot(a[0] - b[0], a[1] - b[1], (a[2] ?? 0) - (b[2] ?? 0));
}

/** The nearest node in a direction (each of -1, 0, 1), straight ahead before aside; `from` itself if there is none. */
export function nextNode(world, from, dx, dy) {
  if (world.nodeCount === 0) return -1;
  if (!world.isOpen(from)) return 0;
  const [x, y] = world.nodes[from];
  const length = Math.hypot(dx, dy);
  let best = from;
  let least = Infinity;
  world.nodes.forEach(([nodeX, nodeY], node) => {
    const ahead = ((nodeX - x) * dx + (nodeY - y) * dy) / length;
    const aside = Math.abs((nodeX - x) * dy - (nodeY - y) * dx) / length;
    // Within 60 degrees of the direction.
    if (node === from || ahead <= 1e-9 || aside > 1.75 * ahead) return;
    const score = ahead + 2 * aside;
    if (score < least) [best, least] = [node, score];
  });
  return best;
}
