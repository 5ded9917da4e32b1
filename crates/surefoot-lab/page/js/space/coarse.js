// A world with cells twice as large: what is drawn of a large one while the eye moves, where drawing takes long.

import { FLOOR, WALL } from "../core/ground.js";
import { VoxelWorld } from "../core/voxels.js";

/** Solid cells, of eight, that make one that is solid: a row of single cells is still there, a single cell is not. */
const ENOUGH = 2;

/** Whether a cell of the coarser world is solid. */
function isSolid({ size, cost }, [x, y, z]) {
  const [width, depth, height] = size;
  let solid = 0;
  for (let up = 2 * z; up < Math.min(2 * z + 2, height); up++) {
    for (let down = 2 * y; down < Math.min(2 * y + 2, depth); down++) {
      const row = (up * depth + down) * width;
      if (cost[row + 2 * x] === WALL) solid++;
      if (2 * x + 1 < width && cost[row + 2 * x + 1] === WALL) solid++;
    }
  }
  return solid >= ENOUGH;
}

/** The coarser world of a world. */
export function coarser(world) {
  const coarse = new VoxelWorld(world.size.map((side) => Math.ceil(side / 2)));
  const place = [0, 0, 0];
  let cell = 0;
  for (place[2] = 0; place[2] < coarse.size[2]; place[2]++) {
    for (place[1] = 0; place[1] < coarse.size[1]; place[1]++) {
      for (place[0] = 0; place[0] < coarse.size[0]; place[0]++) coarse.cost[cell++] = isSolid(world, place) ? WALL : FLOOR;
    }
  }
  return coarse;
}

/** Brings a coarser world up to date with painted cells of the finer one; gives back which of its own are different now. */
export function followEdits(world, coarse, cells) {
  const changed = new Set();
  for (const painted of cells) {
    const place = world.place(painted).map((value) => value >> 1);
    const cell = coarse.index(...place);
    const cost = isSolid(world, place) ? WALL : FLOOR;
    if (coarse.cost[cell] === cost) continue;
    coarse.cost[cell] = cost;
    changed.add(cell);
  }
  return changed;
}
