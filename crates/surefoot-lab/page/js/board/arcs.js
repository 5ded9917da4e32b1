// Arcs from cell to cell: links and jumps over them.

const BEND = 0.22;

/** The arc between the middles of two places: ends and control point, in cells. `bend` is how far it leaves the line. */
export function arcBetween([x0, y0], [x1, y1], bend = BEND) {
  const [ax, ay, bx, by] = [x0 + 0.5, y0 + 0.5, x1 + 0.5, y1 + 0.5];
  const [dx, dy] = [bx - ax, by - ay];
  return { ax, ay, bx, by, cx: (ax + bx) / 2 + dy * bend * 2, cy: (ay + by) / 2 - dx * bend * 2 };
}

/** Adds arcs to the current path; `scale` is pixels a cell. */
export function traceArcs(context, arcs, scale) {
  for (const { ax, ay, bx, by, cx, cy } of arcs) {
    context.moveTo(ax * scale, ay * scale);
    context.quadraticCurveTo(cx * scale, cy * scale, bx * scale, by * scale);
  }
}

/** Adds an arrow head of a size in pixels at the end of an arc, or at its beginning. */
export function traceHead(context, arc, scale, size, atStart = false) {
  const [x, y] = atStart ? [arc.ax, arc.ay] : [arc.bx, arc.by];
  const angle = Math.atan2(y - arc.cy, x - arc.cx);
  // The tip stops short of the middle, where the end's dot is.
  const tip = size * 0.45;
  const [tx, ty] = [x * scale - tip * Math.cos(angle), y * scale - tip * Math.sin(angle)];
  context.moveTo(tx, ty);
  for (const side of [-0.45, 0.45]) {
    context.lineTo(tx - size * Math.cos(angle + side), ty - size * Math.sin(angle + side));
  }
  context.closePath();
}
