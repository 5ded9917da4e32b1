// The jumps of a search on the board: the tree so far as thin lines, the last expansion's as strong ones.

import { arcBetween, traceArcs } from "./arcs.js";
import { HIDDEN, JumpList, LINE } from "./jump-list.js";
import { LineTiles } from "./line-tiles.js";
import { circle } from "./markers.js";
import { cased, rimmed } from "./outline.js";
import { palette } from "./palette.js";

/** Jumps that are shorter than this on the screen, in device pixels, say nothing. */
const SHORTEST = 3;
/** How far the control points of arcs are beside them, as a share of their length, and the lines that an arc is drawn as. */
const BEND = 0.16;
const PIECES = 8;

export class JumpLayer {
  #tiles = new LineTiles();
  #list = null;
  #listOf = {};
  #replay = null;
  /** The events whose lines the tiles show: how many have happened, and the last at each node. */
  #events = 0;
  #drawn = new Int32Array(0);

  /** Notices what there is to draw; false if there is nothing. `about` has `world`, `links`, `moves`, `anyAngle`. */
  show(replay, about) {
    const jumps = replay?.timeline.jumps ?? 0;
    if (jumps === 0) {
      this.#tiles.clear();
      this.#listOf = {};
      return false;
    }
    const { timeline } = replay;
    const of = { timeline, ...about };
    if (Object.keys(of).some((name) => of[name] !== this.#listOf[name])) {
      this.#list = new JumpList(timeline, about.world, about.links, about);
      this.#listOf = of;
      this.#tiles.clear();
      this.#drawn = new Int32Array(about.world.nodeCount).fill(-1);
      this.#events = 0;
    }
    this.#list.extend();
    this.#replay = replay;
    return true;
  }

  /** Draws the tree into a context whose origin is the map's corner, in device pixels. */
  draw(context, view) {
    const { timeline, step } = this.#replay;
    const events = timeline.eventsAt(step);
    const width = Math.max(Math.round(view.ratio * Math.min(Math.max(0.08 * view.scale, 1), 2)), 1);
    const before = this.#events;
    this.#events = events;
    // Middles of cells, so that lines along rows and columns cover whole pixels.
    const half = (width % 2) / 2;
    const at = (cell) => Math.round((cell + 0.5) * this.#tiles.scale - half) + half;
    const paint = () => this.#drawAll(timeline.jumpsBefore(events), at);
    const change = () => this.#drawChanges(Math.min(before, events), Math.max(before, events), at);
    this.#tiles.draw(context, view, { colour: "jump", width }, paint, change);
  }

  /** Draws the lines to all nodes that were reached by the first jumps, up to a number, and have not been reached differently since. */
  #drawAll(jumps, at) {
    const { last, timeline } = this.#replay;
    const { jumpAt, node } = timeline;
    for (let jump = 0; jump < jumps; jump++) {
      if (last[node[jumpAt[jump]]] === jumpAt[jump]) this.#drawLine(jump, at, 1);
    }
  }

  /** Draws what differs after so many events and after so many more. */
  #drawChanges(from, to, at) {
    const { last, timeline } = this.#replay;
    const { node, parent } = timeline;
    const drawn = this.#drawn;
    for (let event = from; event < to; event++) {
      const [before, now] = [drawn[node[event]], last[node[event]]];
      if (before === now) continue;
      drawn[node[event]] = now;
      // The line to a node is the same when it is closed as when it was opened.
      if (before >= 0 && now >= 0 && parent[before] === parent[now]) continue;
      this.#drawLine(timeline.jumpOf(before), at, -1);
      this.#drawLine(timeline.jumpOf(now), at, 1);
    }
  }

  /** Draws a jump, or takes it away; -1 is none. `at` turns columns and rows into device pixels. */
  #drawLine(jump, at, sign) {
    const { kinds, points } = this.#list;
    if (jump < 0 || kinds[jump] === HIDDEN) return;
    const tiles = this.#tiles;
    const i = 6 * jump;
    const ax = at(points[i]);
    const ay = at(points[i + 1]);
    const bx = at(points[i + 4]);
    const by = at(points[i + 5]);
    if (Math.abs(ax - bx) < SHORTEST && Math.abs(ay - by) < SHORTEST) return;
    if (kinds[jump] !== LINE) return drawArc(tiles, ax, ay, bx, by, sign);
    const cx = at(points[i + 2]);
    const cy = at(points[i + 3]);
    if (cx !== ax || cy !== ay) tiles.line(ax, ay, cx, cy, sign);
    if (cx !== bx || cy !== by) tiles.line(cx, cy, bx, by, sign);
  }

  /** Draws the jumps of the last expansion; `scale` is CSS pixels a cell. */
  drawLast(context, scale) {
    const { timeline, step } = this.#replay;
    const current = timeline.nodeOfStep(step);
    if (current < 0) return;
    const { kinds, points } = this.#list;
    const ends = [];
    context.lineJoin = context.lineCap = "round";
    context.beginPath();
    const end = timeline.jumpsBefore(timeline.eventsAt(step));
    for (let jump = timeline.jumpsBefore(timeline.closeAt[step - 1] + 1); jump < end; jump++) {
      if (timeline.parent[timeline.jumpAt[jump]] !== current || kinds[jump] === HIDDEN) continue;
      const [ax, ay, cx, cy, bx, by] = Array.from(points.subarray(6 * jump, 6 * jump + 6), (at) => at + 0.5);
      if (kinds[jump] === LINE) {
        context.moveTo(ax * scale, ay * scale);
        context.lineTo(cx * scale, cy * scale);
        context.lineTo(bx * scale, by * scale);
      } else traceArcs(context, [arcBetween([ax - 0.5, ay - 0.5], [bx - 0.5, by - 0.5], BEND / 2)], scale);
      ends.push([bx * scale, by * scale]);
    }
    if (ends.length === 0) return;
    const colour = palette.css("current");
    cased(context, colour, Math.min(Math.max(scale * 0.08, 1.5), 3), 2);
    context.beginPath();
    for (const [x, y] of ends) circle(context, x, y, Math.min(Math.max(scale * 0.16, 2.5), 6));
    rimmed(context, colour, 2);
  }
}

/** A slightly bent line, in straight pieces. */
function drawArc(tiles, ax, ay, bx, by, sign) {
  const cx = (ax + bx) / 2 + BEND * (by - ay);
  const cy = (ay + by) / 2 - BEND * (bx - ax);
  let [x, y] = [ax, ay];
  for (let piece = 1; piece <= PIECES; piece++) {
    const t = piece / PIECES;
    const [p, q, r] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
    const [nextX, nextY] = [p * ax + q * cx + r * bx, p * ay + q * cy + r * by];
    tiles.line(x, y, nextX, nextY, sign);
    [x, y] = [nextX, nextY];
  }
}
