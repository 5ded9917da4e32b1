// What of moving obstacles is in the layer that the slice editor shows.

/** Brings a layer's cells in step with what covers them; gives back those that changed. */
export function coverLayer({ world, layer, grid }, movement) {
  const covered = new Uint8Array(grid.nodeCount);
  if (movement?.world === world) {
    for (let i = 0; i < movement.count; i++) {
      const cell = layer.cellOf(movement.cells[i]);
      if (cell >= 0) covered[cell] = 1;
    }
  }
  const changed = [];
  for (let cell = 0; cell < covered.length; cell++) if (covered[cell] !== grid.covered[cell]) changed.push(cell);
  grid.covered.set(covered);
  return changed;
}
