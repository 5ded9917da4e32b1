// Painted cells as the server takes them.

/** Cells as `[x, y, n, cost]`, in voxel worlds `[x, y, z, n, cost]`: neighbours of one cost joined. */
export function toRuns(world, cells) {
  const runs = [];
  let next = -1;
  for (const index of Uint32Array.from(cells).sort()) {
    const cost = world.cost[index];
    const last = runs.at(-1);
    const place = world.place(index);
    if (last && index === next && place[0] > 0 && last.at(-1) === cost) last[place.length]++;
    else runs.push([...place, 1, cost]);
    next = index + 1;
  }
  return runs;
}
