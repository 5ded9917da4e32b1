// Vectors of three numbers, and matrices of sixteen as WebGL has them: column by column.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, factor) => [a[0] * factor, a[1] * factor, a[2] * factor];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const normalized = (a) => scale(a, 1 / length(a));
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** `a` after `b`. */
export function multiply(a, b) {
  const product = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let i = 0; i < 4; i++) sum += a[i * 4 + row] * b[column * 4 + i];
      product[column * 4 + row] = sum;
    }
  }
  return product;
}

/** From what an eye sees to the screen. `tangent` is that of half the angle from top to bottom. */
export function perspective(tangent, aspect, near, far) {
  const matrix = new Float32Array(16);
  matrix[0] = 1 / (tangent * aspect);
  matrix[5] = 1 / tangent;
  matrix[10] = (near + far) / (near - far);
  matrix[11] = -1;
  matrix[14] = (2 * near * far) / (near - far);
  return matrix;
}

/** From the world to what an eye with these axes sees. */
export function viewMatrix(eye, right, up, forward) {
  const matrix = new Float32Array(16);
  [right, up, scale(forward, -1)].forEach((axis, row) => {
    for (let column = 0; column < 3; column++) matrix[column * 4 + row] = axis[column];
    matrix[12 + row] = -dot(axis, eye);
  });
  matrix[15] = 1;
  return matrix;
}

/** Where a point of the world is on the screen: -1 to 1 each, and how far before the eye (negative behind it). */
export function project(matrix, [x, y, z]) {
  const row = (i) => matrix[i] * x + matrix[4 + i] * y + matrix[8 + i] * z + matrix[12 + i];
  const depth = row(3);
  return [row(0) / depth, row(1) / depth, depth];
}

/** The six planes `[a, b, c, d]` of what a matrix shows; inside is where `ax + by + cz + d >= 0`. */
export function frustum(matrix) {
  const row = (i) => [matrix[i], matrix[4 + i], matrix[8 + i], matrix[12 + i]];
  const last = row(3);
  return [0, 1, 2].flatMap((i) => {
    const other = row(i);
    return [last.map((value, at) => value + other[at]), last.map((value, at) => value - other[at])];
  });
}

/** Whether any part of a box may be inside. */
export function meetsBox(planes, least, most) {
  return planes.every((plane) => {
    // The corner that is farthest inside.
    const corner = least.map((value, axis) => (plane[axis] > 0 ? most[axis] : value));
    return dot(plane, corner) + plane[3] >= 0;
  });
}
