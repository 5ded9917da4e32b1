// The line of a path, without invisible points.

import { arcBetween } from "./arcs.js";

const key = ([ax, ay], [bx, by]) => `${ax},${ay},${bx},${by}`;

/**
 * The corners of a path as stretches of straight lines, and the jumps over links between them. Where a place is null, the
 * path is not visible.
 */
export class PathLine {
  /** Each a Float64Array x, y, x, y, ... in cells. */
  stretches = [];
  jumps = [];

  constructor(path, links) {
    const linked = new Set();
    for (const { from, to, two_way: twoWay } of links) {
      linked.add(key(from, to));
      if (twoWay) linked.add(key(to, from));
    }
    let stretch = [];
    path.forEach((place, i) => {
      if (place === null) {
        this.stretches.push(Float64Array.from(stretch));
        stretch = [];
        return;
      }
      const [x, y] = place;
      if (i > 0 && linked.size > 0 && isFar(path[i - 1], path[i]) && linked.has(key(path[i - 1], path[i]))) {
        this.jumps.push(arcBetween(path[i - 1], path[i]));
        this.stretches.push(Float64Array.from(stretch));
        stretch = [];
      }
      if (goesOn(stretch, x + 0.5, y + 0.5)) stretch.length -= 2;
      stretch.push(x + 0.5, y + 0.5);
    });
    this.stretches.push(Float64Array.from(stretch));
  }

  /** Adds what is inside a box (in cells) to the current path; `scale` is pixels a cell. */
  trace(context, scale, { left, top, right, bottom }) {
    const near = 0.6 / scale;
    for (const points of this.stretches) {
      let [x, y] = points;
      let down = false;
      for (let i = 2; i < points.length; i += 2) {
        const [nextX, nextY] = [points[i], points[i + 1]];
        const isLast = i + 2 === points.length;
        if (!isLast && Math.abs(nextX - x) < near && Math.abs(nextY - y) < near) continue;
        const outside =
          (x < left && nextX < left) || (x > right && nextX > right) ||
          (y < top && nextY < top) || (y > bottom && nextY > bottom);
        if (!outside) {
          if (!down) context.moveTo(x * scale, y * scale);
          context.lineTo(nextX * scale, nextY * scale);
        }
        down = !outside;
        [x, y] = [nextX, nextY];
      }
    }
  }
}

const isFar = ([ax, ay], [bx, by]) => Math.max(Math.abs(ax - bx), Math.abs(ay - by)) > 1;

/** Whether a point continues the last line of a stretch. */
function goesOn(stretch, x, y) {
  if (stretch.length < 4) return false;
  const [ax, ay, bx, by] = stretch.slice(-4);
  const [dx, dy, ex, ey] = [bx - ax, by - ay, x - bx, y - by];
  return dx * ey === dy * ex && dx * ex + dy * ey > 0;
}
