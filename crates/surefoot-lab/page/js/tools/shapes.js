// Which cells a stroke, a line, a rectangle or a fill covers.

/** The square that a brush of a size covers around a cell. */
export function footprint(x, y, size) {
  const before = (size - 1) >> 1;
  return { left: x - before, top: y - before, right: x - before + size, bottom: y - before + size };
}

/** The cells of a line from one cell to another, both included: never two beside each other with a gap between. */
export function lineCells([x0, y0], [x1, y1]) {
  const cells = [];
  const [dx, dy] = [Math.abs(x1 - x0), -Math.abs(y1 - y0)];
  const [stepX, stepY] = [Math.sign(x1 - x0), Math.sign(y1 - y0)];
  let [x, y, error] = [x0, y0, dx + dy];
  for (;;) {
    cells.push([x, y]);
    if (x === x1 && y === y1) return cells;
    const doubled = 2 * error;
    if (doubled >= dy) {
      error += dy;
      x += stepX;
    }
    if (doubled <= dx) {
      error += dx;
      // A step to the side between two diagonal ones, so that a wall has no gap at its corners.
      if (doubled >= dy) cells.push([x, y]);
      y += stepY;
    }
  }
}

/** The boxes that a brush of a size covers along a line. */
export const strokeBoxes = (from, to, size) => lineCells(from, to).map(([x, y]) => footprint(x, y, size));

/** The box between two cells, as one box or as the four of its outline. */
export function rectangleBoxes([x0, y0], [x1, y1], outline, size) {
  const [left, top] = [Math.min(x0, x1), Math.min(y0, y1)];
  const [right, bottom] = [Math.max(x0, x1) + 1, Math.max(y0, y1) + 1];
  if (!outline || right - left <= 2 * size || bottom - top <= 2 * size) return [{ left, top, right, bottom }];
  return [
    { left, top, right, bottom: top + size },
    { left, top: bottom - size, right, bottom },
    { left, top: top + size, right: left + size, bottom: bottom - size },
    { left: right - size, top: top + size, right, bottom: bottom - size },
  ];
}

/** The indices of all cells in boxes, each once. */
export function cellsOf(world, boxes) {
  if (boxes.length === 1) return boxCells(world, boxes[0]);
  const cells = new Set();
  for (const box of boxes) for (const cell of boxCells(world, box)) cells.add(cell);
  return cells;
}

function boxCells(world, box) {
  const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
  const width = Math.max(Math.min(box.right, world.width) - left, 0);
  const height = Math.max(Math.min(box.bottom, world.height) - top, 0);
  const cells = new Uint32Array(width * height);
  for (let i = 0; i < cells.length; i++) cells[i] = world.index(left + (i % width), top + Math.floor(i / width));
  return cells;
}

/** The cells of one cost that are joined with a cell side by side. */
export function floodCells(world, from) {
  const { width, height, cost } = world;
  const wanted = cost[from];
  const seen = new Uint8Array(width * height);
  const cells = new Uint32Array(width * height);
  let count = 0;
  const reach = (cell) => {
    if (seen[cell] || cost[cell] !== wanted) return;
    seen[cell] = 1;
    cells[count++] = cell;
  };
  reach(from);
  for (let next = 0; next < count; next++) {
    const cell = cells[next];
    const x = cell % width;
    if (x > 0) reach(cell - 1);
    if (x < width - 1) reach(cell + 1);
    if (cell >= width) reach(cell - width);
    if (cell < width * (height - 1)) reach(cell + width);
  }
  return cells.subarray(0, count);
}
