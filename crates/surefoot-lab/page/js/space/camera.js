// The eye of the 3D view. All boards share one.
//
// The world has x to the right, y to the south and z up, which is left-handed: looking north, the right hand is east.

import { Emitter } from "../core/emitter.js";
import { Glide } from "../core/glide.js";
import { add, cross, multiply, normalized, perspective, project, scale, subtract, viewMatrix } from "./matrix.js";

/** The tangent of half the vertical field of view. */
const TANGENT = Math.tan((42 * Math.PI) / 360);
const STEEPEST = Math.PI / 2 - 0.01;
const CLOSEST = 1.5;
/** Radians a pixel of a drag. */
const TURN = 0.0065;
/** The first look: from the south-west, a bit from above. */
const FIRST_LOOK = { yaw: 0.55, pitch: 0.62 };
/** The share of the screen that a whole world fills, and how often to come closer to it. */
const FILLED = 0.86;
const ROUNDS = 8;
/** Shares of the distance to the target that keys fly in a second. */
const FLIGHT = 0.45;
const UP = [0, 0, 1];

/** Events: `change`. */
export class SpaceCamera extends Emitter {
  /** What drags turn: "orbit" (the eye around the target) or "fly" (the eye itself). */
  mode = "orbit";
  target = [0, 0, 0];
  distance = 10;
  /** 0 looks north, a quarter turn east. */
  yaw = FIRST_LOOK.yaw;
  /** Positive looks down. */
  pitch = FIRST_LOOK.pitch;
  /** The diagonal of the world. */
  #reach = 10;
  /** What is held down: a direction in eye coordinates `[right, up, forward]`. */
  #flight = [0, 0, 0];
  #last = 0;
  #glide = new Glide((factor, x, y, height) => this.zoom(factor, x, y, height));

  set(fields) {
    Object.assign(this, fields);
    this.pitch = Math.min(Math.max(this.pitch, -STEEPEST), STEEPEST);
    this.distance = Math.min(Math.max(this.distance, CLOSEST), 6 * this.#reach + 10);
    this.emit("change");
  }

  get forward() {
    const flat = Math.cos(this.pitch);
    return [Math.sin(this.yaw) * flat, -Math.cos(this.yaw) * flat, -Math.sin(this.pitch)];
  }

  get eye() {
    return subtract(this.target, scale(this.forward, this.distance));
  }

  /** The axes of the screen. */
  get axes() {
    const { forward } = this;
    const right = normalized(cross(UP, forward));
    return { right, up: cross(forward, right), forward };
  }

  /** How large the world is: what the limits of moving depend on. */
  measure(size) {
    this.#reach = Math.hypot(...size);
  }

  /** Shows a whole world of a size on a screen. */
  fit(size, width, height) {
    this.measure(size);
    this.#glide.stop();
    const { yaw, pitch } = FIRST_LOOK;
    const target = scale(size, 0.5);
    Object.assign(this, { yaw, pitch, target, distance: 2 * this.#reach });
    const { right, up } = this.axes;
    const aspect = width / Math.max(height, 1);
    const box = Array.from({ length: 8 }, (_, bits) => size.map((side, axis) => ((bits >> axis) & 1) * side));
    // What is nearer is larger, so the middle of the picture is not the middle of the box: a few rounds find both.
    for (let round = 0; round < ROUNDS; round++) {
      const places = box.map((corner) => project(this.matrix(aspect), corner));
      const ends = [0, 1].map((axis) => {
        const values = places.map((place) => place[axis]);
        return [Math.min(...values), Math.max(...values)];
      });
      const [x, y] = ends.map(([least, most]) => ((least + most) / 2) * TANGENT * this.distance);
      this.target = add(this.target, add(scale(right, x * aspect), scale(up, y)));
      this.distance *= Math.max(...ends.map(([least, most]) => (most - least) / 2)) / FILLED;
    }
    this.set({});
  }

  /** A drag with the button that turns. */
  turn(dx, dy) {
    const { eye } = this;
    this.yaw += dx * TURN;
    this.pitch = Math.min(Math.max(this.pitch + dy * TURN, -STEEPEST), STEEPEST);
    if (this.mode === "fly") this.target = add(eye, scale(this.forward, this.distance));
    this.set({});
  }

  /** Moves the picture by pixels of a screen of a height. */
  pan(dx, dy, height) {
    const { right, up } = this.axes;
    const cell = (2 * TANGENT * this.distance) / Math.max(height, 1);
    this.set({ target: add(this.target, add(scale(right, -dx * cell), scale(up, dy * cell))) });
  }

  /** Comes closer by a factor; `x, y` (pixels from the middle) stays where it is. In flight the eye moves ahead. */
  zoom(factor, x = 0, y = 0, height = 1) {
    if (this.mode === "fly") {
      this.set({ target: add(this.target, scale(this.forward, this.distance * Math.log(factor))) });
      return;
    }
    const before = this.distance;
    this.set({ distance: before / factor });
    const { right, up } = this.axes;
    const cell = (2 * TANGENT * (before - this.distance)) / Math.max(height, 1);
    this.set({ target: add(this.target, add(scale(right, x * cell), scale(up, -y * cell))) });
  }

  /** Zooms in the next frames; `amount` is the logarithm of the factor. */
  glide(amount, x = 0, y = 0, height = 1) {
    this.#glide.add(amount, x, y, height);
  }

  /** Moves eye and target by shares of the distance between them: right, up, forward. */
  move(right, up, forward) {
    const axes = this.axes;
    const parts = [scale(axes.right, right), scale(UP, up), scale(axes.forward, forward)];
    const way = scale(parts.reduce(add), Math.max(this.distance, 0.1 * this.#reach));
    this.set({ target: add(this.target, way) });
  }

  /** Flies until told otherwise: right, up, forward, each -1 to 1. */
  fly(direction) {
    if (this.#flight.every((value) => value === 0)) this.#last = performance.now();
    this.#flight = direction;
  }

  /** Called once a frame. */
  tick(now) {
    if (this.#flight.some((value) => value !== 0)) {
      const seconds = Math.min(Math.max(now - this.#last, 0) / 1000, 0.1);
      this.#last = now;
      this.move(...this.#flight.map((value) => value * seconds * FLIGHT));
    }
    this.#glide.tick(now);
  }

  /** From the world to the screen. */
  matrix(aspect) {
    const { right, up, forward } = this.axes;
    const near = Math.max(0.02 * this.distance, 0.05);
    const far = this.distance + 3 * this.#reach + 10;
    return multiply(perspective(TANGENT, aspect, near, far), viewMatrix(this.eye, right, up, forward));
  }

  /** The ray through a point of a screen, in pixels from its upper left corner: `{origin, direction}`. */
  ray(x, y, width, height) {
    const { right, up, forward } = this.axes;
    const across = ((2 * x) / width - 1) * TANGENT * (width / height);
    const down = ((2 * y) / height - 1) * TANGENT;
    const direction = add(forward, add(scale(right, across), scale(up, -down)));
    return { origin: this.eye, direction: normalized(direction) };
  }

  /** Where a point is on a screen, in pixels, or null if it is behind the eye. */
  onScreen(point, width, height) {
    const [x, y, depth] = project(this.matrix(width / height), point);
    return depth > 0 ? [((x + 1) / 2) * width, ((1 - y) / 2) * height] : null;
  }

  /** CSS pixels of a cell at a distance from the eye. */
  pixelsAt(depth, height) {
    return height / (2 * TANGENT * depth);
  }
}
