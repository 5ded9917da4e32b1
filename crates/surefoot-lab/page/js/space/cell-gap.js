// Which obstacle is in a cell. The server sends which cells are covered, but not by which obstacle.

import { POSE } from "../core/movement.js";
import { add, cross, dot, length, scale, subtract } from "./matrix.js";

const CELL_AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
/** From the middle of a cell to its corners. */
const CELL_REACH = Math.sqrt(3) / 2;
/** Poses are told in short numbers: a shape may seem to be this far from a cell that it covers. */
const ROUNDING = 0.01;
/** Axes that are shorter say nothing. */
const NO_AXIS = 1e-9;
/** How often the part of a capsule's line that is nearest to a cell is narrowed down to two thirds. */
const ROUNDS = 40;

/** The obstacle that reaches farthest into a covered cell, as a number of the scene's; -1 if none is near. */
export function obstacleIn({ scene, told, world }, node) {
  const middle = world.place(node).map((value) => value + 0.5);
  let [best, least] = [-1, ROUNDING];
  scene.obstacles.forEach(({ shape }, obstacle) => {
    const pose = told.subarray(obstacle * POSE, (obstacle + 1) * POSE);
    const isNear = length(subtract([...pose.subarray(0, 3)], middle)) < reachOf(shape) + CELL_REACH + least;
    if (pose[POSE - 1] === 0 || !isNear) return;
    const gap = gapToCell(shape, pose, middle);
    if (gap < least) [best, least] = [obstacle, gap];
  });
  return best;
}

/**
 * How far a shape in a pose is from the cell around a middle. Where they overlap it is not above 0, and the less the
 * farther they would have to be moved apart.
 */
export function gapToCell(shape, pose, middle) {
  const offset = subtract([...pose.subarray(0, 3)], middle);
  const placed = (point) => add(offset, turned(pose, point));
  switch (shape.kind) {
    case "sphere":
      return fromCell(offset) - shape.radius;
    case "capsule":
      return lineFromCell(placed(shape.from), placed(shape.to)) - shape.radius;
    case "box": {
      const corners = Array.from({ length: 8 }, (_, corner) =>
        placed(shape.half.map((reach, axis) => (corner & (1 << axis) ? reach : -reach))),
      );
      const sides = CELL_AXES.map((axis) => turned(pose, axis));
      return solidFromCell(corners, sides, sides);
    }
    default: {
      const points = shape.points.map(placed);
      const faces = shape.faces.map((face) => face.map((corner) => points[corner]));
      const edges = faces.flatMap((corners) => corners.map((corner, i) => subtract(corners.at(i - 1), corner)));
      return solidFromCell(points, faces.map(normalOf), edges);
    }
  }
}

/** How far a shape reaches from its origin. */
function reachOf({ kind, radius, half, from, to, points }) {
  if (kind === "sphere") return radius;
  if (kind === "box") return length(half);
  if (kind === "capsule") return Math.max(length(from), length(to)) + radius;
  return Math.max(...points.map(length));
}

/** A vector, turned by a pose's quaternion. */
function turned(pose, vector) {
  const axis = [pose[3], pose[4], pose[5]];
  const twice = scale(cross(axis, vector), 2);
  return add(add(vector, scale(twice, pose[6])), cross(axis, twice));
}

/** How far a point is from the cell around the origin. */
const fromCell = (point) => length(point.map((value) => Math.max(Math.abs(value) - 0.5, 0)));

/** How far a line is from it: along the line the distance falls, then rises. */
function lineFromCell(from, to) {
  const at = (share) => fromCell(add(from, scale(subtract(to, from), share)));
  let [low, high] = [0, 1];
  for (let round = 0; round < ROUNDS; round++) {
    const third = (high - low) / 3;
    if (at(low + third) <= at(high - third)) high -= third;
    else low += third;
  }
  return at((low + high) / 2);
}

function normalOf([first, ...corners]) {
  const sides = corners.map((corner) => subtract(corner, first));
  return sides.slice(1).map((side, i) => cross(sides[i], side)).reduce(add, [0, 0, 0]);
}

/** The same for a convex solid, along the axis that tells the two apart best (separating axis theorem). */
function solidFromCell(points, normals, edges) {
  const across = edges.flatMap((edge) => CELL_AXES.map((axis) => cross(edge, axis)));
  let widest = -Infinity;
  for (const axis of [...CELL_AXES, ...normals, ...across]) {
    const size = length(axis);
    if (size < NO_AXIS) continue;
    const along = points.map((point) => dot(point, axis));
    const reach = (Math.abs(axis[0]) + Math.abs(axis[1]) + Math.abs(axis[2])) / 2;
    widest = Math.max(widest, (Math.min(...along) - reach) / size, (-reach - Math.max(...along)) / size);
  }
  return widest;
}
