// Cells that are more than a step apart.

/** Whether two cells of a grid are not even neighbours. */
export function isFar(a, b, width) {
  if (Math.abs((a % width) - (b % width)) > 1) return true;
  return Math.abs(Math.floor(a / width) - Math.floor(b / width)) > 1;
}

/** The same for cells of a voxel world. */
export function isFarInSpace(a, b, width, depth) {
  const [row, other] = [Math.floor(a / width), Math.floor(b / width)];
  if (Math.abs((a % width) - (b % width)) > 1 || Math.abs((row % depth) - (other % depth)) > 1) return true;
  return Math.abs(Math.floor(row / depth) - Math.floor(other / depth)) > 1;
}
