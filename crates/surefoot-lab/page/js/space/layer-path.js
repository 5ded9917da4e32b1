// The part of a path that runs through one layer.

/**
 * The points `[x, y]` of a path of places `[x, y, z]` where it is in a layer, with null between parts that are not
 * joined. Lines that cross the layer are cut where they enter and leave it.
 */
export function pathInLayer(path, layer) {
  const points = [];
  const put = ([x, y]) => {
    const last = points.at(-1);
    if (!last || last[0] !== x || last[1] !== y) points.push([x, y]);
  };
  path.forEach((to, i) => {
    const from = path[Math.max(i - 1, 0)];
    const part = within(from[2], to[2], layer);
    if (!part) return;
    const at = (share) => [0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * share);
    // A line that comes from another layer begins something new.
    if (i > 0 && part[0] > 0 && points.length > 0) points.push(null);
    put(at(part[0]));
    put(at(part[1]));
  });
  return points;
}

/** The range, as shares of its length, in which a line between two heights is in a layer: at most half a cell away from it. */
function within(from, to, layer) {
  if (from === to) return from === layer ? [0, 1] : null;
  const shares = [layer - 0.5, layer + 0.5].map((height) => (height - from) / (to - from)).sort((a, b) => a - b);
  const [enter, leave] = [Math.max(shares[0], 0), Math.min(shares[1], 1)];
  return enter < leave ? [enter, leave] : null;
}
