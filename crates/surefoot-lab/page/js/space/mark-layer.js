// Draws the path, start and goals. What is behind something solid shines through it.

import { Program, ballTriangles, tubeTriangles, vertexArray } from "./gl.js";
import { BALL_VERTEX, PLAIN_FRAGMENT, RING_FRAGMENT, TUBE_VERTEX } from "./mark-shaders.js";

/** Numbers of a place in a shape. */
const PLACE = 3;
const RADIUS = 0.13;
const END_RADIUS = 0.46;
/** Pixels below which nothing shrinks: half the width of the path, and the ends. */
const THINNEST = 1.7;
const SMALLEST_END = 7;
/** How much wider the casing is. */
const CASING = 1.55;
/** How strong things are behind others. */
const BEHIND = 0.35;
/** How strong the body of a wide agent is. */
const BODY = 0.22;
const BODY_RIM = 0.05;
const START_RIM = 0.36;
const GOAL_RIM = 0.16;
const UNIT_RIM = 0.1;
/** A unit that is smaller on the screen has a ring of so many pixels around it; one without a radius is a dot in it. */
const HALO_PIXELS = 7;
const HALO_RIM = 0.3;
const HALO = 0.15;
const DOT_PIXELS = 1.5;
/** Hits are crosses of three bars: half their length in cells, and at least in pixels. */
const HIT_REACH = 0.55;
const HIT_PIXELS = 7;
const HIT_RADIUS = 0.1;
const HIT_THINNEST = 1.4;
/** The directions of the bars: no camera looks along two of them. */
const BARS = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]].map((bar) => bar.map((part) => part / Math.sqrt(3)));

/** The points of a path in the middle of its cells, without those on the way of a straight line. */
export function corners(path) {
  const points = [];
  for (const place of path) {
    const point = place.map((value) => value + 0.5);
    if (points.length >= 2 && goesOn(points.at(-2), points.at(-1), point)) points.pop();
    points.push(point);
  }
  return points;
}

/** Whether a point continues the line from one to another. */
function goesOn(a, b, c) {
  const [first, second] = [b.map((value, i) => value - a[i]), c.map((value, i) => value - b[i])];
  const parallel = [0, 1, 2].every((i) => first[i] * second[(i + 1) % 3] === first[(i + 1) % 3] * second[i]);
  return parallel && first.reduce((sum, value, i) => sum + value * second[i], 0) > 0;
}

export class MarkLayer {
  #gl;
  #tube;
  #ball;
  #ring;
  #path = null;
  #tubes = null;
  #joints = null;
  #ends = null;
  #hits = null;

  constructor(gl) {
    this.#gl = gl;
    this.#tube = new Program(gl, TUBE_VERTEX, PLAIN_FRAGMENT);
    this.#ball = new Program(gl, BALL_VERTEX, PLAIN_FRAGMENT);
    this.#ring = new Program(gl, BALL_VERTEX, RING_FRAGMENT);
    const tube = [{ at: 1, size: 3, offset: 12 }, { at: 2, size: 3, offset: 24 }];
    this.#tubes = this.#many(tubeTriangles(), 6, tube);
    this.#hits = this.#many(tubeTriangles(6), 6, tube);
    const ball = [{ at: 1, size: 4, offset: 12 }];
    // Joints are as round as the tubes between them: a path may have hundreds.
    this.#joints = this.#many(ballTriangles(6, 12), 4, ball);
    this.#ends = this.#many(ballTriangles(12, 20), 4, ball);
  }

  /** A shape of which there are many: each corner has a place in it, and the numbers of the one that it is of. */
  #many(shape, numbers, attributes) {
    const gl = this.#gl;
    const buffer = gl.createBuffer();
    const stride = 4 * (PLACE + numbers);
    return { array: vertexArray(gl, buffer, stride, [{ at: 0, size: PLACE }, ...attributes]), buffer, shape, numbers, count: 0 };
  }

  /** Corner by corner: small shapes drawn one by one, as instances, cost more than what they show. */
  #fill(many, values) {
    const gl = this.#gl;
    const { shape, numbers } = many;
    many.count = (values.length / numbers) * (shape.length / PLACE);
    const all = new Float32Array(many.count * (PLACE + numbers));
    let at = 0;
    for (let from = 0; from < values.length; from += numbers) {
      for (let corner = 0; corner < shape.length; corner += PLACE) {
        for (let i = 0; i < PLACE; i++) all[at++] = shape[corner + i];
        for (let i = 0; i < numbers; i++) all[at++] = values[from + i];
      }
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, many.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, all, gl.DYNAMIC_DRAW);
  }

  #drawAll({ array, count }) {
    const gl = this.#gl;
    gl.bindVertexArray(array);
    gl.drawArrays(gl.TRIANGLES, 0, count);
  }

  /**
   * `path` is null or a list of places, `radius` the agent's; with `unit` the start is a unit, drawn as large as it is; `hits` are the
   * places in cells where it touched something. `pixel` is the size of a pixel at the distance 1.
   */
  draw({ path, start, goals, radius, unit = null, hits = [], board }, { uniforms, colours, pixel }) {
    const gl = this.#gl;
    if (path !== this.#path) this.#takePath(path ?? []);
    this.#path = path;
    gl.enable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    const passes = () => {
      const ends = { uThinnest: SMALLEST_END * pixel, ...uniforms };
      this.#drawPath(uniforms, colours, pixel);
      if (unit) this.#drawUnit(start, radius, uniforms, colours.boards[board], colours.casing, pixel);
      else this.#drawBalls(start ? [start] : [], END_RADIUS, ends, colours.casing, colours.start, START_RIM);
      this.#drawBalls(goals, END_RADIUS, ends, colours.goal, colours.casing, GOAL_RIM);
    };
    gl.depthFunc(gl.GREATER);
    gl.depthMask(false);
    gl.blendColor(0, 0, 0, BEHIND);
    gl.blendFunc(gl.CONSTANT_ALPHA, gl.ONE_MINUS_CONSTANT_ALPHA);
    passes();
    gl.depthFunc(gl.LEQUAL);
    gl.depthMask(true);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    passes();
    this.#drawHits(hits, uniforms, colours, pixel);
    if (start && !unit && radius > 0.5) {
      const body = [...colours.start.slice(0, 3), BODY];
      this.#drawBalls([start], radius, { uThinnest: 0, ...uniforms }, body, colours.start, BODY_RIM);
    }
  }

  /** A ball of the agent's size, ringed where that is hard to find. */
  #drawUnit(at, radius, uniforms, colour, casing, pixel) {
    const away = Math.hypot(...at.map((value, axis) => value + 0.5 - uniforms.uEye[axis]));
    const isSmall = radius < HALO_PIXELS * pixel * away;
    const least = (pixels) => ({ uThinnest: pixels * pixel, ...uniforms });
    this.#drawBalls([at], radius, least(radius > 0 ? 0 : DOT_PIXELS), colour, casing, isSmall ? 0 : UNIT_RIM);
    if (isSmall) this.#drawBalls([at], radius, least(HALO_PIXELS), [...casing.slice(0, 3), HALO], colour, HALO_RIM, 1);
  }

  /** Seen through everything, so that none is missed. */
  #drawHits(hits, uniforms, colours, pixel) {
    if (hits.length === 0) return;
    const gl = this.#gl;
    const { uEye } = uniforms;
    const bars = hits.flatMap((at) => {
      const reach = Math.max(HIT_REACH, HIT_PIXELS * pixel * Math.hypot(...at.map((value, axis) => value - uEye[axis])));
      return BARS.flatMap((bar) => [-reach, reach].flatMap((way) => at.map((value, axis) => value + way * bar[axis])));
    });
    this.#fill(this.#hits, bars);
    gl.disable(gl.DEPTH_TEST);
    for (const [grow, colour] of [[2, colours.casing], [1, colours.hit]]) {
      const look = { uRadius: HIT_RADIUS, uThinnest: HIT_THINNEST * pixel, uGrow: grow, uColour: colour, uLit: 0 };
      this.#tube.use({ ...uniforms, ...look });
      this.#drawAll(this.#hits);
    }
    gl.enable(gl.DEPTH_TEST);
  }

  #takePath(path) {
    const points = corners(path);
    this.#fill(this.#tubes, points.slice(1).flatMap((point, i) => [...points[i], ...point]));
    this.#fill(this.#joints, points.flatMap((point) => [...point, RADIUS]));
  }

  #drawPath(uniforms, colours, pixel) {
    if (this.#joints.count === 0) return;
    const gl = this.#gl;
    const shared = { ...uniforms, uRadius: RADIUS, uThinnest: THINNEST * pixel };
    // The far side of something wider, seen around what is in it, is an outline.
    for (const [grow, colour, lit, culled] of [
      [CASING, colours.casing, 0, gl.FRONT],
      [1, colours.path, 1, gl.BACK],
    ]) {
      gl.cullFace(culled);
      const look = { ...shared, uGrow: grow, uColour: colour, uLit: lit };
      this.#tube.use(look);
      this.#drawAll(this.#tubes);
      this.#ball.use(look);
      this.#drawAll(this.#joints);
    }
    gl.cullFace(gl.BACK);
  }

  #drawBalls(places, radius, uniforms, colour, rim, width, rimAlpha = colour[3]) {
    if (places.length === 0) return;
    this.#fill(this.#ends, places.flatMap((place) => [...place.map((value) => value + 0.5), radius]));
    this.#ring.use({ ...uniforms, uColour: colour, uRim: rim.slice(0, 3), uRimWidth: width, uRimAlpha: rimAlpha, uGrow: 1 });
    this.#drawAll(this.#ends);
  }
}
