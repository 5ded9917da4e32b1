// What is in the air in a voxel world: obstacles, units and their target, between one answer of the server and the next.

import { Movement } from "./movement.js";
import { MovingScene } from "./scene.js";

const mix = (from, to, share) => from.map((value, axis) => value + (to[axis] - value) * share);

export class Flight {
  /** Where the target is, in cells; null for the middle of its cell. */
  targetAt = null;
  #targetBefore = null;
  /** The cells that obstacles will cover, null where the server does not tell. */
  forecast = null;
  /** What changed in the last answer: `{ticks, changed, us}`, null before the first. */
  update = null;

  /** `scene` is null where nothing moves. */
  constructor(world, scene) {
    this.movement = new Movement(world, scene ?? new MovingScene({}));
  }

  get world() {
    return this.movement.world;
  }

  get hasObstacles() {
    return this.movement.scene.obstacles.length > 0;
  }

  /** From the beginning. */
  begin() {
    this.update = this.forecast = null;
    this.putTarget();
  }

  /** The target is in the middle of its cell. */
  putTarget() {
    this.targetAt = this.#targetBefore = null;
  }

  /** Takes in where obstacles are; everything gets from where it is seen to where it is in so many milliseconds. */
  move(message, { units, target }, now, milliseconds) {
    for (const unit of units) unit.before = this.placeOf(unit, now);
    this.#targetBefore = this.targetPlace(target, now);
    this.movement.take(message, now, milliseconds);
  }

  /** Takes in what the server says of the ticks that it let pass. */
  take({ target, changed, us }, ticks) {
    this.targetAt = target;
    if (ticks > 0) this.update = { ticks, changed, us };
  }

  /** Where a unit is seen. */
  placeOf({ before, at }, now) {
    return mix(before ?? at, at, this.movement.share(now));
  }

  /** Where the target is seen, whose cell is this. */
  targetPlace(cell, now) {
    const at = this.targetAt ?? cell.map((value) => value + 0.5);
    return mix(this.#targetBefore ?? at, at, this.movement.share(now));
  }
}
