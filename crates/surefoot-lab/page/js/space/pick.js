// What is under the pointer: follows a ray through cells (Amanatides and Woo 1987).

/** Where a ray enters and leaves a box from 0 to `size`: `[enter, leave, axis]`, or null if it misses it. */
function cross(origin, direction, size) {
  let [enter, leave, axis] = [0, Infinity, -1];
  for (let i = 0; i < 3; i++) {
    if (direction[i] === 0) {
      if (origin[i] < 0 || origin[i] >= size[i]) return null;
      continue;
    }
    const [a, b] = [-origin[i] / direction[i], (size[i] - origin[i]) / direction[i]];
    if (Math.min(a, b) > enter) [enter, axis] = [Math.min(a, b), i];
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter < leave ? [enter, leave, axis] : null;
}

/**
 * The first cell that a ray meets for which `stops(x, y, z)` is true: `{cell, before, distance}`, or null. `before` is
 * the cell that the ray comes from, null if it comes from outside the world.
 */
export function castRay({ origin, direction }, size, stops) {
  const crossing = cross(origin, direction, size);
  if (!crossing) return null;
  let [distance] = crossing;
  const cell = origin.map((value, i) => {
    const at = Math.floor(value + direction[i] * distance);
    return Math.min(Math.max(at, 0), size[i] - 1);
  });
  // A ray that enters through a side is in the cell behind it, whatever rounding says.
  const side = crossing[2];
  if (side >= 0) cell[side] = direction[side] > 0 ? 0 : size[side] - 1;
  const step = direction.map(Math.sign);
  const next = cell.map((value, i) =>
    step[i] === 0 ? Infinity : (value + (step[i] > 0 ? 1 : 0) - origin[i]) / direction[i],
  );
  const each = direction.map((value) => (value === 0 ? Infinity : Math.abs(1 / value)));
  let before = null;
  for (;;) {
    if (stops(...cell)) return { cell, before, distance };
    const axis = next[0] < next[1] ? (next[0] < next[2] ? 0 : 2) : next[1] < next[2] ? 1 : 2;
    before = [...cell];
    distance = next[axis];
    next[axis] += each[axis];
    cell[axis] += step[axis];
    if (cell[axis] < 0 || cell[axis] >= size[axis]) return null;
  }
}

/** How far along a ray a ball begins, or Infinity. */
export function castBall({ origin, direction }, middle, radius) {
  const to = middle.map((value, i) => value - origin[i]);
  const along = to.reduce((sum, value, i) => sum + value * direction[i], 0);
  const square = to.reduce((sum, value) => sum + value * value, 0) - along * along;
  if (square > radius * radius) return Infinity;
  const distance = along - Math.sqrt(radius * radius - square);
  return distance >= 0 ? distance : Infinity;
}
