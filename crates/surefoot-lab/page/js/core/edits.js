// Painted cells as the server takes them.

/** Cells as `[x, y, n, cost]`, neighbours of one cost joined. */
export function toRuns(world, cells) {
  const runs = [];
  let next = -1;
  for (const index of Uint32Array.from(cells).sort()) {
    const cost = world.cost[index];
    const last = runs.at(-1);
    const [x, y] = world.place(index);
    if (last && index === next && x > 0 && last[3] === cost) last[2]++;
    else runs.push([x, y, 1, cost]);
    next = index + 1;
  }
  return runs;
}
