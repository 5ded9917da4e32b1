// What of moving obstacles is in the layer that the slice editor shows: cells that look like no ground there is.

import { WALL } from "../core/ground.js";

/** Stands for an obstacle in the picture of a layer; nothing can be painted with it in voxel worlds. */
const OBSTACLE = 255;

export class LayerCover {
  #layer = null;
  #covered = new Set();

  /** Brings a layer's cells in step with what covers them; gives back those that changed. */
  update({ world, layer, grid }, movement) {
    if (layer !== this.#layer) this.#covered = new Set();
    this.#layer = layer;
    const covered = new Set();
    if (movement?.world === world) {
      for (let i = 0; i < movement.count; i++) {
        const cell = layer.cellOf(movement.cells[i]);
        if (cell >= 0) covered.add(cell);
      }
    }
    const changed = [];
    for (const cell of this.#covered) {
      if (covered.has(cell)) continue;
      grid.cost[cell] = world.cost[layer.indexOf(cell)];
      changed.push(cell);
    }
    for (const cell of covered) {
      if (grid.cost[cell] === OBSTACLE || grid.cost[cell] === WALL) continue;
      grid.cost[cell] = OBSTACLE;
      changed.push(cell);
    }
    this.#covered = covered;
    return changed;
  }
}
