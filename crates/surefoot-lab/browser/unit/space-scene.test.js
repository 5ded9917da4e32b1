// Moving obstacles: where they are between two answers, which cells they cover, what they look like; layers of a world.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";

const { Movement, POSE } = await load("core/movement.js");
const { MovingScene } = await load("core/scene.js");
const { VoxelWorld } = await load("core/voxels.js");
const { Layer } = await load("space/layer.js");
const { gapToCell, obstacleIn } = await load("space/cell-gap.js");
const { shapeTriangles } = await load("space/shape-mesh.js");

const scene = (obstacles) => new MovingScene({ origin: [-2, 0, 0], cell_size: 2, obstacles });
const BALL = { sphere: 3, position: [0, 4, 6] };
const pose = (x, z, w, there = 1) => Float32Array.of(x, 0, 0, 0, 0, z, w, there);

test("lengths of scenes are in cells", () => {
  const { obstacles, radius, speed, goalMoves } = new MovingScene({
    origin: [-2, 0, 0],
    cell_size: 2,
    agent: { radius: 1, speed: 5 },
    goal: { position: [0, 0, 0], patrol: {} },
    obstacles: [BALL, { capsule: { from: [0, 0, -2], to: [0, 0, 2], radius: 1 }, position: [0, 0, 0] }],
  });
  assert.deepEqual([radius, speed, goalMoves], [0.5, 2.5, true]);
  assert.deepEqual(obstacles[0].position, [1, 2, 3]);
  assert.deepEqual(obstacles[0].shape, { kind: "sphere", radius: 1.5 });
  assert.deepEqual(obstacles[1].shape, { kind: "capsule", from: [0, 0, -1], to: [0, 0, 1], radius: 0.5 });
});

test("obstacles are between the last two answers, and turn the short way", () => {
  const movement = new Movement(new VoxelWorld([4, 4, 4]), scene([BALL]));
  assert.deepEqual([...movement.poses(0)], [1, 2, 3, 0, 0, 0, 1, 1], "at home first");
  movement.take({ poses: pose(0, 0, 1), changes: [] }, 1000, 0);
  assert.equal(movement.poses(1000)[0], 0);
  assert.equal(movement.isMoving(), false);
  const half = Math.SQRT1_2;
  movement.take({ poses: pose(4, -half, -half), changes: [] }, 2000, 100);
  const middle = [...movement.poses(2050)];
  assert.equal(middle[0], 2);
  assert.ok(movement.isMoving());
  // A quarter turn, written with the other sign: half of it is an eighth.
  assert.ok(Math.abs(middle[5] - Math.sin(Math.PI / 8)) < 1e-6 && Math.abs(middle[6] - Math.cos(Math.PI / 8)) < 1e-6);
  // Another answer comes early: from where they are seen, without a jump.
  movement.take({ poses: pose(8, 0, 1), changes: [] }, 2050, 100);
  assert.equal(movement.poses(2050)[0], 2);
  assert.equal(movement.poses(2100)[0], 5);
  assert.equal(movement.poses(2200)[0], 8);
  assert.equal(movement.isMoving(), false);
  movement.take({ poses: pose(8, 0, 1, 0), changes: [] }, 3000, 100);
  assert.equal(movement.poses(3001)[POSE - 1], 0, "what goes is gone at once");
  movement.take({ poses: pose(1, 0, 1, 1), changes: [] }, 4000, 100);
  assert.equal(movement.poses(4001)[0], 1, "what comes back is there at once");
});

test("cells are covered as the server says, and walls hide it", () => {
  const world = new VoxelWorld([4, 4, 4]);
  const movement = new Movement(world, scene([BALL]));
  const take = (...changes) => movement.take({ poses: pose(0, 0, 1), changes }, 0, 0);
  const covered = () => [...movement.cells.subarray(0, movement.count)].sort((a, b) => a - b);
  take(2 * 5 + 1, 2 * 9 + 1, 2 * 7 + 1);
  assert.deepEqual(covered(), [5, 7, 9]);
  take(2 * 5, 2 * 6 + 1);
  assert.deepEqual(covered(), [6, 7, 9]);
  assert.deepEqual([movement.covers(5), movement.covers(6)], [false, true]);
  world.cost[7] = world.cost[20] = 0;
  movement.touch([7, 20]);
  // That a painted cell is solid now says nothing about obstacles.
  take(2 * 20 + 1);
  assert.deepEqual(covered(), [6, 9]);
  const seen = movement.seen();
  assert.deepEqual([5, 6, 7, 9].map((cell) => seen.cost[cell]), [1, 0, 0, 0]);
  assert.deepEqual(seen.place(6), [2, 1, 0]);
  world.cost[7] = world.cost[20] = 1;
  movement.touch([7, 20]);
  assert.deepEqual(covered(), [6, 7, 9]);
  take(...Array.from({ length: 64 }, (_, cell) => 2 * cell + 1));
  assert.equal(movement.count, 64);
  movement.forgetCells();
  assert.deepEqual(covered(), []);
  assert.equal(movement.covers(6), false);
});

/** Numbers from 0 to 1 that are always the same. */
function randomNumbers(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

test("shapes are as far from a cell as they are", () => {
  const pose = (x, y, z, ...rotation) => Float32Array.of(x, y, z, ...(rotation.length > 0 ? rotation : [0, 0, 0, 1]), 1);
  const near = (shape, where, expected) => {
    const gap = gapToCell(shape, where, [0.5, 0.5, 0.5]);
    assert.ok(Math.abs(gap - expected) < 1e-6, `${shape.kind}: ${gap}, expected ${expected}`);
  };
  near({ kind: "sphere", radius: 1 }, pose(4, 5, 0.5), 4);
  near({ kind: "box", half: [1, 1, 1] }, pose(3, 0.5, 0.5), 1);
  near({ kind: "box", half: [1, 1, 1] }, pose(1.75, 0.5, 0.5), -0.25);
  // Turned by an eighth, its edge points at the cell.
  near({ kind: "box", half: [1, 1, 1] }, pose(3, 0.5, 0.5, 0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)), 2 - Math.SQRT2);
  near({ kind: "capsule", from: [0, 0, -9], to: [0, 0, 9], radius: 0.5 }, pose(3, 0.5, 5), 1.5);
  near({ kind: "capsule", from: [-9, 0, 0], to: [9, 0, 0], radius: 0.5 }, pose(0, 0.5, 0.5), -0.5);
});

test("solids overlap cells that have a point in them, and no others", () => {
  const random = randomNumbers(7);
  const spread = (reach) => Array.from({ length: 3 }, () => (random() * 2 - 1) * reach);
  const points = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
  const faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
  const octahedron = { shape: { kind: "polyhedron", points, faces }, has: ([x, y, z]) => Math.abs(x) + Math.abs(y) + Math.abs(z) <= 1 };
  const box = { shape: { kind: "box", half: [1, 0.5, 0.3] }, has: ([x, y, z]) => Math.abs(x) <= 1 && Math.abs(y) <= 0.5 && Math.abs(z) <= 0.3 };
  /** By the matrix of a quaternion, turned back. */
  const turnedBack = ([x, y, z, w], [a, b, c]) => [
    (1 - 2 * (y * y + z * z)) * a + 2 * (x * y + z * w) * b + 2 * (x * z - y * w) * c,
    2 * (x * y - z * w) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z + x * w) * c,
    2 * (x * z + y * w) * a + 2 * (y * z - x * w) * b + (1 - 2 * (x * x + y * y)) * c,
  ];
  const counts = { overlaps: 0, apart: 0 };
  for (let round = 0; round < 400; round++) {
    const { shape, has } = round % 2 ? box : octahedron;
    const raw = [...spread(1), random()];
    const rotation = raw.map((value) => value / Math.hypot(...raw));
    const position = spread(1.6);
    const gap = gapToCell(shape, Float32Array.of(...position, ...rotation, 1), [0, 0, 0]);
    const STEPS = 14;
    let found = false;
    for (let at = 0; at <= STEPS ** 3 && !found; at++) {
      const point = [at, at / STEPS, at / STEPS ** 2].map((value) => (Math.floor(value) % STEPS) / (STEPS - 1) - 0.5);
      found = has(turnedBack(rotation, point.map((value, axis) => value - position[axis])));
    }
    counts[found ? "overlaps" : "apart"]++;
    if (found) assert.ok(gap < 1e-6, `round ${round}: a point is inside, the gap is ${gap}`);
    else assert.ok(gap > -0.1, `round ${round}: no point is inside, the gap is ${gap}`);
  }
  assert.ok(counts.overlaps > 50 && counts.apart > 50);
});

test("the obstacle that covers a cell is found from the positions that the server sends", () => {
  const obstacles = [BALL, { box: [1, 1, 1], position: [3, 1, 1], patrol: {}, turn: {} }, { box: [1, 1, 1], position: [3, 7, 7] }];
  const movement = new Movement(new VoxelWorld([4, 4, 4]), scene(obstacles));
  assert.deepEqual(movement.scene.obstacles.map(({ habits }) => habits), [[], ["patrols", "rotates"], []]);
  const { world } = movement;
  assert.equal(obstacleIn(movement, world.index(2, 0, 0)), 1);
  assert.equal(obstacleIn(movement, world.index(2, 3, 3)), 2);
  assert.equal(obstacleIn(movement, world.index(0, 2, 3)), 0);
  assert.equal(obstacleIn(movement, world.index(0, 0, 0)), -1, "nothing is near");
  const poses = movement.told.slice();
  poses[POSE * 2 - 1] = 0;
  movement.take({ poses, changes: [] }, 0, 100);
  assert.equal(obstacleIn(movement, world.index(2, 0, 0)), -1, "it is not there now");
});

test("meshes are closed, and look outwards", () => {
  const octahedron = {
    kind: "polyhedron",
    points: [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]],
    faces: [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]],
  };
  const shapes = [
    [{ kind: "box", half: [1, 2, 3] }, 48],
    [{ kind: "sphere", radius: 2 }, (4 / 3) * Math.PI * 8],
    [{ kind: "capsule", from: [0, -1, -1], to: [0, 2, 3], radius: 1 }, (4 / 3) * Math.PI + 5 * Math.PI],
    [{ kind: "capsule", from: [5, 0, 0], to: [5, 0, 0], radius: 1 }, (4 / 3) * Math.PI],
    [octahedron, 4 / 3],
  ];
  for (const [shape, expected] of shapes) {
    const numbers = shapeTriangles(shape);
    let volume = 0;
    for (let at = 0; at < numbers.length; at += 18) {
      const [a, b, c] = [0, 6, 12].map((corner) => [...numbers.subarray(at + corner, at + corner + 3)]);
      const normal = [...numbers.subarray(at + 3, at + 6)];
      const [u, v] = [b, c].map((corner) => corner.map((value, i) => value - a[i]));
      const area = [0, 1, 2].map((i) => u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
      // The side that a face looks to decides, not the order of its corners.
      const sign = Math.sign(area.reduce((sum, value, i) => sum + value * normal[i], 0));
      volume += (sign * a.reduce((sum, value, i) => sum + value * area[i], 0)) / 6;
      assert.ok(Math.abs(Math.hypot(...normal) - 1) < 1e-5);
    }
    assert.ok(Math.abs(volume / expected - 1) < 0.04, `${shape.kind}: ${volume}, expected ${expected}`);
  }
});

test("layers along every axis are pictures of their cells, with z upwards", () => {
  const world = new VoxelWorld([3, 4, 5]);
  for (const [axis, at, width, height] of [[0, 2, 4, 5], [1, 0, 3, 5], [2, 4, 3, 4]]) {
    const layer = new Layer(world.size, axis, at);
    assert.deepEqual([layer.width, layer.height], [width, height]);
    let inside = 0;
    for (let index = 0; index < world.nodeCount; index++) {
      const place = world.place(index);
      const cell = layer.cellOf(index);
      assert.equal(cell >= 0, place[axis] === at);
      if (cell < 0) continue;
      inside++;
      assert.equal(layer.indexOf(cell), index);
      const picture = [cell % width, Math.floor(cell / width)];
      assert.deepEqual(layer.inPicture(place), picture);
      assert.deepEqual(layer.inWorld(picture), place);
      if (axis < 2) assert.equal(picture[1], 4 - place[2]);
    }
    assert.equal(inside, width * height);
    world.cost.forEach((_, index) => (world.cost[index] = index));
    assert.deepEqual([...layer.gather(world.cost)], Array.from({ length: inside }, (_, cell) => layer.indexOf(cell)));
    assert.equal(layer.inPicture(null), null);
    assert.equal(layer.cellOf(-1), -1);
  }
});
