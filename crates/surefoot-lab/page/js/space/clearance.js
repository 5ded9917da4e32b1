// How much room there is around a cell.

/** Cells that are looked at in each direction. */
const FAR = 8;

/**
 * The distance in cells from the middle of an open cell to the nearest solid one; what is outside the world counts as
 * solid. Null if that is farther than can be told.
 */
export function clearanceAt(world, [x, y, z]) {
  let best = Infinity;
  for (let dz = -FAR; dz <= FAR; dz++) {
    for (let dy = -FAR; dy <= FAR; dy++) {
      for (let dx = -FAR; dx <= FAR; dx++) {
        const [i, j, k] = [x + dx, y + dy, z + dz];
        if (world.contains(i, j, k) && !world.isSolidAt(i, j, k)) continue;
        const square = [dx, dy, dz].reduce((sum, value) => sum + Math.max(Math.abs(value) - 0.5, 0) ** 2, 0);
        best = Math.min(best, square);
      }
    }
  }
  return best <= FAR * FAR ? Math.sqrt(best) : null;
}

export function clearanceWords(world, node) {
  const clearance = clearanceAt(world, world.place(node));
  return clearance === null ? `clearance over ${FAR}` : `clearance ${Number(clearance.toFixed(2))}`;
}
