// Draws a waypoint graph and a search in it. What is drawn depends on the document, the step, the camera and the tools,
// never on what was drawn before.

import { circle, diamond, hatch, head, label, trace } from "./graph-ink.js";
import { Roads, drawCost, toPixels } from "./graph-roads.js";
import { curveOf, nodeAt, radiusOf, shapeOf, stepOf } from "./graph-shape.js";
import { short } from "./glyphs.js";
import { cased, rimmed } from "./outline.js";
import { palette } from "./palette.js";

/** How near to a node the pointer has to be, in CSS pixels: enough for a finger. */
export const REACH = 18;
/** Paths of more nodes than this have no costs on them. */
const MOST_COSTS = 100;
const UNSEEN = 0;
const OPENED = 1;
const CLOSED = 2;
const BACKWARD = 4;

export class GraphPainter {
  #app;
  #board;
  #roads = new Roads();

  constructor(app, board) {
    this.#app = app;
    this.#board = board;
  }

  /** The node at world coordinates, or -1. */
  pick(x, y) {
    return nodeAt(this.#app.store.doc.world, x, y, REACH / this.#app.camera.scale);
  }

  // Everything but the edges is drawn anew each time, and those know themselves when they are out of date.
  touch() {}
  invalidate() {}

  draw(context, view) {
    const { ratio, width, height, left, top, scale } = view;
    const { store, ui, runner, player } = this.#app;
    const { world, start, goals } = store.doc;
    const run = runner.boards[this.#board];
    const replay = ui.aid ? run.replay : null;
    const radius = radiusOf(world, scale);
    const at = (node) => [(world.nodes[node][0] - left) * scale, (world.nodes[node][1] - top) * scale];
    const scene = { context, view, world, radius, at, replay };
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#roads.draw(context, world, view);
    if (world.nodeCount === 0) return drawEmpty(context, width, height);
    scene.shown = nodesIn(scene);
    drawSelection(scene, ui);
    const ended = !run.timeline || player.stepOf(this.#board) >= run.timeline.steps;
    if (ended && run.result?.path?.length > 1) drawPath(scene, run.result.path);
    drawNodes(scene);
    if (ui.arrows && replay) drawArrows(scene);
    if (replay && !ended) drawCurrent(scene);
    drawEnds(scene, start, goals);
    drawMarks(scene, ui);
    drawTexts(scene, ui.numbers);
  }
}

/** Nodes in view, with their states and places: `[{node, x, y, state, backward}]`. */
function nodesIn({ world, view, radius, at, replay }) {
  const shown = [];
  const margin = 3 * radius + 8;
  for (let node = 0; node < world.nodeCount; node++) {
    const [x, y] = at(node);
    if (x < -margin || y < -margin || x > view.width + margin || y > view.height + margin) continue;
    const state = replay?.stateOf(node) ?? UNSEEN;
    const backward = state !== UNSEEN && (replay.timeline.action[replay.last[node]] & BACKWARD) !== 0;
    shown.push({ node, x, y, state, backward });
  }
  return shown;
}

/** Unseen nodes are hollow, open ones have a ring, closed ones are filled and hatched. */
function drawNodes({ context, shown, radius }) {
  const tiny = radius < 3.5;
  const batch = (nodes, add) => {
    context.beginPath();
    for (const { x, y } of nodes) add(x, y);
  };
  // Thousands of dots are drawn as squares: the difference is invisible, and it is several times faster.
  const round = (x, y) => (tiny ? context.rect(x - radius, y - radius, 2 * radius, 2 * radius) : circle(context, x, y, radius));
  const of = (state, backward) => shown.filter((node) => node.state === state && node.backward === backward);
  context.lineCap = "butt";
  batch(shown, round);
  context.fillStyle = palette.css("floor");
  context.fill();
  batch(of(UNSEEN, false), round);
  context.strokeStyle = palette.css("frame");
  context.lineWidth = tiny ? 1 : 1.5;
  context.stroke();
  for (const backward of [false, true]) {
    const side = backward ? "-back" : "";
    const closed = of(CLOSED, backward);
    batch(closed, round);
    context.fillStyle = palette.css(`closed${side}`);
    context.fill();
    context.strokeStyle = palette.css(`closed${side}-mark`);
    context.lineWidth = tiny ? 1 : 1.25;
    context.stroke();
    if (!tiny) {
      batch(closed, (x, y) => hatch(context, x, y, radius));
      context.stroke();
    }
    const open = of(OPENED, backward);
    const ring = Math.max(radius * 0.42, 1.5);
    if (tiny) {
      batch(open, round);
      context.fillStyle = palette.css(`open${side}`);
      context.fill();
    } else {
      batch(open, (x, y) => circle(context, x, y, radius - ring / 2));
      context.strokeStyle = palette.css(`open${side}`);
      context.lineWidth = ring;
      context.stroke();
    }
    batch(open, round);
    context.strokeStyle = palette.css(`open${side}-mark`);
    context.lineWidth = 1;
    context.stroke();
  }
}

/** The path follows its edges; links on it are dashed. */
function drawPath({ context, world, view, radius, at }, path) {
  const width = Math.min(Math.max(radius * 0.5, 3), 7);
  const colour = palette.css("path");
  const solid = new Path2D();
  const dashed = new Path2D();
  const costs = [];
  for (let i = 1; i < path.length; i++) {
    const edge = stepOf(world, path[i - 1], path[i]);
    const curve = edge < 0 ? straight(at(path[i - 1]), at(path[i])) : toPixels(curveOf(world, edge), view);
    trace(world.edges[edge]?.kind === "link" ? dashed : solid, curve);
    if (edge >= 0 && path.length <= MOST_COSTS) costs.push([world.edges[edge], curve]);
  }
  context.lineCap = "round";
  for (const [line, dash] of [[solid, []], [dashed, [2.5 * width, 1.5 * width]]]) {
    context.strokeStyle = palette.css("path-casing");
    context.lineWidth = width + 3;
    context.stroke(line);
    context.setLineDash(dash);
    if (dash.length > 0) context.lineCap = "butt";
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke(line);
    context.setLineDash([]);
  }
  for (const [edge, curve] of costs) drawCost(context, world, edge, curve);
}

const straight = ([x1, y1], [x2, y2]) => [x1, y1, (x1 + x2) / 2, (y1 + y2) / 2, x2, y2];

/** From each node that was seen, an arrow towards its parent. */
function drawArrows({ context, shown, radius, at, replay }) {
  const size = Math.min(Math.max(radius * 0.75, 4), 9);
  const lines = new Path2D();
  const heads = new Path2D();
  for (const { node, x, y, state } of shown) {
    if (state === UNSEEN) continue;
    const parent = replay.timeline.parent[replay.last[node]];
    if (parent < 0 || parent === node) continue;
    const [px, py] = at(parent);
    const length = Math.hypot(px - x, py - y);
    if (length < 2.5 * radius) continue;
    const angle = Math.atan2(py - y, px - x);
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    const tip = Math.min(radius + 0.4 * (length - 2 * radius) + size, length - radius);
    lines.moveTo(x + radius * dx, y + radius * dy);
    lines.lineTo(x + (tip - size / 2) * dx, y + (tip - size / 2) * dy);
    head(heads, x + tip * dx, y + tip * dy, angle, size);
  }
  context.strokeStyle = context.fillStyle = palette.css("arrow");
  context.lineWidth = Math.min(Math.max(radius * 0.2, 1), 2);
  context.stroke(lines);
  context.fill(heads);
}

function drawCurrent({ context, radius, at, replay }) {
  const node = replay.timeline.nodeOfStep(replay.step);
  if (node < 0) return;
  context.lineJoin = "miter";
  context.beginPath();
  diamond(context, ...at(node), Math.max(radius * 1.15, 6));
  rimmed(context, palette.css("current"));
}

/** The start is ringed; a goal has a dot, with its number if there are several. */
function drawEnds({ context, radius, at, world }, start, goals) {
  const ring = Math.max(radius * 0.32, 2.5);
  if (world.isOpen(start)) {
    context.beginPath();
    circle(context, ...at(start), radius + ring + 1);
    cased(context, palette.css("start"), ring);
  }
  goals.forEach((goal, i) => {
    if (!world.isOpen(goal)) return;
    const [x, y] = at(goal);
    context.beginPath();
    circle(context, x, y, radius + ring + 1);
    cased(context, palette.css("goal"), ring * 0.7);
    context.beginPath();
    circle(context, x, y, Math.max(radius * 0.62, 3));
    rimmed(context, palette.css("goal"), 2);
    if (goals.length < 2 || radius < 8) return;
    context.fillStyle = palette.css("path-casing");
    context.font = `700 ${radius}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(i + 1, x, y + radius * 0.08);
  });
}

/** What tools and keys point at: selection below, everything else above the nodes. */
function drawSelection({ context, view, world, radius, at }, { selected, draft, edgeKind }) {
  context.lineCap = "round";
  if (selected?.kind === "edge" && world.edges[selected.index]) {
    const curve = toPixels(curveOf(world, selected.index), view);
    context.beginPath();
    trace(context, curve);
    context.globalAlpha = 0.35;
    context.strokeStyle = palette.css("cursor");
    context.lineWidth = Math.max(radius * 0.9, 9);
    context.stroke();
    context.globalAlpha = 1;
    drawCost(context, world, world.edges[selected.index], curve);
  }
  if (draft && world.isOpen(draft.from)) {
    const [x1, y1] = at(draft.from);
    const [x2, y2] = draft.to >= 0 ? at(draft.to) : [(draft.x - view.left) * view.scale, (draft.y - view.top) * view.scale];
    context.beginPath();
    trace(context, straight([x1, y1], [x2, y2]));
    cased(context, palette.css(edgeKind), 3, 2, edgeKind === "link" ? [6, 4] : []);
    if (!draft.oneWay || Math.hypot(x2 - x1, y2 - y1) < 3 * radius) return;
    context.beginPath();
    head(context, (x1 + 2 * x2) / 3, (y1 + 2 * y2) / 3, Math.atan2(y2 - y1, x2 - x1), 12);
    rimmed(context, palette.css(edgeKind), 2);
  }
}

function drawMarks({ context, world, radius, at }, { hovered, cursor, selected, draft, breakpoints }) {
  const ring = (node, colour, away, width, dash) => {
    if (!world.isOpen(node)) return;
    context.beginPath();
    circle(context, ...at(node), radius + away);
    cased(context, colour, width, 2, dash);
  };
  const accent = palette.css("cursor");
  for (const { kind, node } of breakpoints) {
    if (kind === "f" || !world.isOpen(node)) continue;
    const [x, y] = at(node);
    const size = Math.min(Math.max(radius * 0.8, 5), 10);
    context.beginPath();
    context.moveTo(x + radius * 0.6, y - radius * 0.6);
    context.lineTo(x + radius * 0.6, y - radius * 0.6 - size);
    context.lineTo(x + radius * 0.6 + size, y - radius * 0.6 - size);
    context.closePath();
    rimmed(context, palette.css("break"), 2);
  }
  if (selected?.kind === "node") ring(selected.index, accent, radius * 0.5 + 6, 2.5, []);
  if (draft) ring(draft.to >= 0 ? draft.to : draft.from, accent, radius * 0.5 + 6, 2, [4, 3]);
  if (hovered !== selected?.index || selected.kind !== "node") ring(hovered, palette.css("number"), radius * 0.4 + 5, 1, []);
  if (world.isOpen(cursor)) {
    const [x, y] = at(cursor);
    const reach = radius * 1.4 + 6;
    context.lineJoin = "miter";
    context.beginPath();
    context.rect(x - reach, y - reach, 2 * reach, 2 * reach);
    cased(context, accent, 2.5);
  }
}

/** The numbers of nodes; with `figures` also g, h and f of those that were seen. */
function drawTexts({ context, view, world, shown, radius, replay }, figures) {
  const room = shapeOf(world).spacing * view.scale;
  if (room < 52 || shown.length > 600) return;
  for (const { node, x, y, state } of shown) {
    label(context, node, x + radius * 1.15 + 5, y + radius * 1.15 + 3, { size: 10, colour: "arrow", weight: 400 });
    if (!figures || state === UNSEEN || room < 72) continue;
    const event = replay.last[node];
    const [g, h] = [replay.timeline.g[event], replay.timeline.h[event]];
    label(context, `f ${short(g + h)}`, x, y - radius - 23, { size: 11, weight: 700 });
    label(context, `g ${short(g)}  h ${short(h)}`, x, y - radius - 12, { size: 10 });
  }
}

function drawEmpty(context, width, height) {
  label(context, "Click to place the first node", width / 2, height / 2, { size: 15, colour: "arrow" });
}
