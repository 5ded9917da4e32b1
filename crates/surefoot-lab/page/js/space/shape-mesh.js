// Shapes of obstacles as triangles: six numbers a corner, its place and which way its face looks. In cells.

import { ballTriangles } from "./gl.js";

const RINGS = 14;
const SLICES = 24;

/** The triangles of a shape: see core/scene.js. */
export function shapeTriangles(shape) {
  switch (shape.kind) {
    case "box":
      return boxTriangles(shape.half);
    case "sphere":
      return ballAround([shape.radius, shape.radius, shape.radius]);
    case "capsule":
      return capsuleTriangles(shape);
    default:
      return flatTriangles(shape.points, shape.faces);
  }
}

const minus = (a, b) => a.map((value, i) => value - b[i]);
const cross = (a, b) => [0, 1, 2].map((i) => a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
const unit = (vector) => {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
};

/** Faces are fans of triangles, each lit evenly. */
function flatTriangles(points, faces) {
  const numbers = [];
  for (const face of faces) {
    const corners = face.map((corner) => points[corner]);
    const sides = corners.slice(2).map((corner, i) => cross(minus(corners[i + 1], corners[0]), minus(corner, corners[0])));
    // Thin triangles say little about where a face looks.
    const normal = unit(sides.reduce((sum, side) => sum.map((value, axis) => value + side[axis]), [0, 0, 0]));
    for (let i = 2; i < corners.length; i++) {
      for (const corner of [corners[0], corners[i - 1], corners[i]]) numbers.push(...corner, ...normal);
    }
  }
  return Float32Array.from(numbers);
}

const CUBE = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

function boxTriangles(half) {
  const points = Array.from({ length: 8 }, (_, corner) => half.map((reach, axis) => (corner & (1 << axis) ? reach : -reach)));
  return flatTriangles(points, CUBE);
}

function ballAround(radii) {
  const ball = ballTriangles(RINGS, SLICES);
  const numbers = [];
  for (let at = 0; at < ball.length; at += 3) {
    const point = [ball[at], ball[at + 1], ball[at + 2]];
    numbers.push(...point.map((value, axis) => value * radii[axis]), ...point);
  }
  return Float32Array.from(numbers);
}

/** A ball whose halves are pulled apart along the capsule's line. */
function capsuleTriangles({ from, to, radius }) {
  const along = minus(to, from);
  if (Math.hypot(...along) === 0) {
    const ball = ballAround([radius, radius, radius]);
    for (let at = 0; at < ball.length; at++) if (at % 6 < 3) ball[at] += from[at % 6];
    return ball;
  }
  const w = unit(along);
  const u = unit(cross(Math.abs(w[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], w));
  const v = cross(w, u);
  const point = (down, around, end) => {
    const [a, b, c] = [Math.sin(down) * Math.cos(around), Math.sin(down) * Math.sin(around), Math.cos(down)];
    const normal = [0, 1, 2].map((axis) => a * u[axis] + b * v[axis] + c * w[axis]);
    return [...normal.map((value, axis) => end[axis] + radius * value), ...normal];
  };
  // From the cap at `to` to the one at `from`, with a straight part between.
  const downs = Array.from({ length: RINGS + 1 }, (_, ring) => (Math.PI * ring) / RINGS);
  const rings = [...downs.filter((down) => down <= Math.PI / 2 + 1e-9).map((down) => [down, to]),
    ...downs.filter((down) => down >= Math.PI / 2 - 1e-9).map((down) => [down, from])];
  const numbers = [];
  for (let ring = 1; ring < rings.length; ring++) {
    for (let slice = 0; slice < SLICES; slice++) {
      const [left, right] = [slice, slice + 1].map((at) => (2 * Math.PI * at) / SLICES);
      const [[upper, top], [lower, bottom]] = [rings[ring - 1], rings[ring]];
      const [a, b] = [point(upper, left, top), point(upper, right, top)];
      const [c, d] = [point(lower, left, bottom), point(lower, right, bottom)];
      numbers.push(...a, ...c, ...b, ...b, ...c, ...d);
    }
  }
  return Float32Array.from(numbers);
}
