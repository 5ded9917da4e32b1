// Where the nodes and edges of a graph lie: for drawing them and for finding them under the pointer.

import { edgeLength } from "../core/graph-edit.js";

/** How far an arc is from its chord, in lengths of the chord. */
const LINK_BEND = 0.2;
const PAIR_BEND = 0.12;
/** Pieces that an arc is measured in. */
const PIECES = 12;
/** Edges that are enough to know how long edges are. */
const SAMPLED = 2000;

const shapes = new WeakMap();

/** What does not depend on the camera: `{bends, spacing}`. */
export function shapeOf(world) {
  if (!shapes.has(world)) shapes.set(world, { bends: bendsOf(world), spacing: spacingOf(world) });
  return shapes.get(world);
}

/** The cheapest edge that leads from one node to another, or -1. */
export function stepOf(world, from, to) {
  const shape = shapeOf(world);
  shape.steps ??= stepsOf(world);
  return shape.steps.get(from * world.nodeCount + to) ?? -1;
}

function stepsOf(world) {
  const steps = new Map();
  const costOf = (edge) => edge.cost ?? edgeLength(world, edge);
  const add = (from, to, index) => {
    const key = from * world.nodeCount + to;
    const known = steps.get(key);
    if (known === undefined || costOf(world.edges[index]) < costOf(world.edges[known])) steps.set(key, index);
  };
  world.edges.forEach(({ from, to, two_way }, index) => {
    add(from, to, index);
    if (two_way) add(to, from, index);
  });
  return steps;
}

/** Links are arcs; so are two one-way edges between the same nodes, which would hide each other. */
function bendsOf({ nodes, edges }) {
  const key = (from, to) => from * nodes.length + to;
  const oneWay = new Set(edges.filter((edge) => !edge.two_way).map((edge) => key(edge.from, edge.to)));
  return Float64Array.from(edges, ({ from, to, kind, two_way }) => {
    if (kind === "link") return LINK_BEND;
    return !two_way && oneWay.has(key(to, from)) ? PAIR_BEND : 0;
  });
}

/** A typical distance between neighbours. */
function spacingOf({ nodes, edges }) {
  const every = Math.ceil(edges.length / SAMPLED);
  const lengths = edges
    .filter((_, index) => index % every === 0)
    .map(({ from, to }) => Math.hypot(nodes[from][0] - nodes[to][0], nodes[from][1] - nodes[to][1]))
    .filter((length) => length > 0)
    .sort((a, b) => a - b);
  return lengths[Math.floor(lengths.length / 4)] ?? 4;
}

/** How large nodes are drawn, in CSS pixels: never so large that neighbours touch, if that can be helped. */
export function radiusOf(world, scale) {
  const room = shapeOf(world).spacing * scale;
  return Math.min(Math.max(0.17 * room, Math.min(0.35 * room, 2.5), 1), 13);
}

/** The ends and the control point of an edge, in world coordinates: `[x1, y1, cx, cy, x2, y2]`. */
export function curveOf(world, index) {
  const { from, to } = world.edges[index];
  const bend = shapeOf(world).bends[index];
  const [[x1, y1], [x2, y2]] = [world.nodes[from], world.nodes[to]];
  // A quadratic curve goes half as far as its control point.
  return [x1, y1, (x1 + x2) / 2 - 2 * bend * (y2 - y1), (y1 + y2) / 2 + 2 * bend * (x2 - x1), x2, y2];
}

/** A point of a curve, `t` from 0 to 1. */
export function pointOf([x1, y1, cx, cy, x2, y2], t) {
  const s = 1 - t;
  return [s * s * x1 + 2 * s * t * cx + t * t * x2, s * s * y1 + 2 * s * t * cy + t * t * y2];
}

/** The nearest node within a distance of a point, or -1. */
export function nodeAt(world, x, y, reach) {
  let best = -1;
  let least = reach;
  world.nodes.forEach((node, index) => {
    const distance = Math.hypot(node[0] - x, node[1] - y);
    if (distance <= least) [best, least] = [index, distance];
  });
  return best;
}

/** The nearest edge within a distance of a point, or -1. */
export function edgeAt(world, x, y, reach) {
  let best = -1;
  let least = reach;
  const { bends } = shapeOf(world);
  world.edges.forEach((_, index) => {
    const distance = distanceTo(curveOf(world, index), bends[index] === 0 ? 1 : PIECES, x, y);
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}

function distanceTo(curve, pieces, x, y) {
  let least = Infinity;
  let [ax, ay] = pointOf(curve, 0);
  for (let piece = 1; piece <= pieces; piece++) {
    const [bx, by] = pointOf(curve, piece / pieces);
    const [dx, dy] = [bx - ax, by - ay];
    const square = dx * dx + dy * dy;
    const along = square === 0 ? 0 : Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / square, 0), 1);
    least = Math.min(least, Math.hypot(x - ax - along * dx, y - ay - along * dy));
    [ax, ay] = [bx, by];
  }
  return least;
}
