// The eye of the 3D view: what is where on the screen, and what a ray meets.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";
import { random } from "./support/random.js";

// Reduced motion is not preferred here.
globalThis.matchMedia ??= () => ({ matches: false });
const { SpaceCamera } = await load("space/camera.js");
const { castBall, castRay } = await load("space/pick.js");
const { frustum, meetsBox } = await load("space/matrix.js");
const { corners } = await load("space/mark-layer.js");
const { clearanceAt } = await load("space/clearance.js");
const { pathInLayer } = await load("space/layer-path.js");
const { VoxelWorld } = await load("core/voxels.js");

const [WIDTH, HEIGHT] = [800, 600];
const near = (a, b, most = 1e-3) => Math.abs(a - b) <= most;

function fitted(size) {
  const camera = new SpaceCamera();
  camera.fit(size, WIDTH, HEIGHT);
  return camera;
}

test("looking north, east is right and up is up", () => {
  const camera = new SpaceCamera();
  camera.set({ target: [5, 5, 5], distance: 10, yaw: 0, pitch: 0 });
  assert.ok(camera.eye.every((value, axis) => near(value, [5, 15, 5][axis])), `${camera.eye}`);
  const at = (point) => camera.onScreen(point, WIDTH, HEIGHT);
  assert.ok(at([6, 5, 5])[0] > at([5, 5, 5])[0]);
  assert.ok(at([5, 5, 6])[1] < at([5, 5, 5])[1]);
  assert.equal(camera.onScreen([5, 20, 5], WIDTH, HEIGHT), null, "behind the eye");
});

test("a fitted world is all on the screen, and fills it", () => {
  const { between } = random(51);
  for (let round = 0; round < 50; round++) {
    const size = [between(1, 300), between(1, 300), between(1, 300)];
    const camera = fitted(size);
    const places = Array.from({ length: 8 }, (_, bits) =>
      camera.onScreen(size.map((side, axis) => ((bits >> axis) & 1) * side), WIDTH, HEIGHT),
    );
    assert.ok(places.every(([x, y]) => x >= 0 && y >= 0 && x <= WIDTH && y <= HEIGHT), `${size}`);
    const span = (axis) => Math.max(...places.map((at) => at[axis])) - Math.min(...places.map((at) => at[axis]));
    assert.ok(span(0) > 0.45 * WIDTH || span(1) > 0.45 * HEIGHT, `${size}: ${span(0)} x ${span(1)}`);
  }
});

test("a ray goes through the point that is seen there", () => {
  const { unit } = random(52);
  const camera = fitted([40, 30, 20]);
  for (let round = 0; round < 200; round++) {
    camera.set({ yaw: 6 * unit(), pitch: 2 * unit() - 1 });
    const point = [40 * unit(), 30 * unit(), 20 * unit()];
    const at = camera.onScreen(point, WIDTH, HEIGHT);
    if (!at) continue;
    const { origin, direction } = camera.ray(...at, WIDTH, HEIGHT);
    const to = point.map((value, axis) => value - origin[axis]);
    const along = to.reduce((sum, value, axis) => sum + value * direction[axis], 0);
    const off = Math.hypot(...to.map((value, axis) => value - along * direction[axis]));
    assert.ok(along > 0 && off < 1e-2, `${off}`);
  }
});

test("turning keeps the target in orbit and the eye in flight", () => {
  const camera = fitted([40, 30, 20]);
  const { target } = camera;
  camera.turn(50, -20);
  assert.deepEqual(camera.target, target);
  camera.set({ mode: "fly" });
  const { eye } = camera;
  camera.turn(-30, 15);
  assert.ok(camera.eye.every((value, axis) => near(value, eye[axis])));
  camera.turn(0, 1e6);
  assert.ok(camera.pitch < Math.PI / 2, "never beyond straight down");
});

test("panning moves the picture by as many pixels, zooming keeps the point under the pointer", () => {
  const camera = fitted([40, 30, 20]);
  const middle = camera.target;
  camera.pan(100, -50, HEIGHT);
  const [x, y] = camera.onScreen(middle, WIDTH, HEIGHT);
  assert.ok(near(x, WIDTH / 2 + 100, 0.1) && near(y, HEIGHT / 2 - 50, 0.1), `${x}, ${y}`);
  camera.zoom(1.5, 100, -50, HEIGHT);
  const after = camera.onScreen(middle, WIDTH, HEIGHT);
  assert.ok(near(after[0], x, 0.1) && near(after[1], y, 0.1), `${after}`);
});

test("keys fly as long as they are held", () => {
  const camera = fitted([40, 30, 20]);
  const { target } = camera;
  camera.fly([0, 0, 1]);
  const begun = performance.now();
  for (let frame = 1; frame <= 10; frame++) camera.tick(begun + 16 * frame);
  const flown = Math.hypot(...camera.target.map((value, axis) => value - target[axis]));
  assert.ok(flown > 1, `${flown}`);
  camera.fly([0, 0, 0]);
  const stopped = camera.target;
  camera.tick(begun + 1000);
  assert.deepEqual(camera.target, stopped);
});

test("what is on the screen meets the frustum", () => {
  const { unit } = random(53);
  const camera = fitted([64, 64, 64]);
  camera.zoom(3);
  const planes = frustum(camera.matrix(WIDTH / HEIGHT));
  for (let round = 0; round < 500; round++) {
    const point = [64 * unit(), 64 * unit(), 64 * unit()];
    const at = camera.onScreen(point, WIDTH, HEIGHT);
    const seen = at && at[0] >= 0 && at[1] >= 0 && at[0] <= WIDTH && at[1] <= HEIGHT;
    if (seen) assert.ok(meetsBox(planes, point.map(Math.floor), point.map(Math.ceil)), `${point}`);
  }
  assert.ok(!meetsBox(planes, [500, 500, 500], [532, 532, 532]));
});

/** The first solid cell on a ray, found with many small steps. */
function walk({ origin, direction }, world) {
  for (let at = 0; at < 200; at += 0.002) {
    const place = origin.map((value, axis) => Math.floor(value + at * direction[axis]));
    if (world.isSolidAt(...place)) return place;
  }
  return null;
}

test("a ray meets the same cell as one that is walked step by step", () => {
  const { between, chance, unit } = random(54);
  let hits = 0;
  for (let round = 0; round < 150; round++) {
    const world = new VoxelWorld([between(1, 12), between(1, 12), between(1, 12)]);
    for (let cell = 0; cell < world.nodeCount; cell++) world.cost[cell] = chance(0.1) ? 0 : 1;
    const origin = world.size.map((side) => (unit() - 0.5) * 4 * side);
    const to = world.size.map((side) => unit() * side);
    const length = Math.hypot(...to.map((value, axis) => value - origin[axis]));
    const ray = { origin, direction: to.map((value, axis) => (value - origin[axis]) / length) };
    const hit = castRay(ray, world.size, (x, y, z) => world.isSolidAt(x, y, z));
    const expected = walk(ray, world);
    // A walker may step over a corner that the ray only grazes.
    if (expected === null || hit === null) {
      assert.ok(expected === null, "the ray misses nothing that the walker meets");
      continue;
    }
    hits++;
    const [a, b] = [hit.cell, expected].map((cell) => cell.join());
    if (a !== b) assert.ok(hit.distance < length * 4, "grazed before");
    else if (hit.before) {
      const apart = hit.before.reduce((sum, value, axis) => sum + Math.abs(value - hit.cell[axis]), 0);
      assert.equal(apart, 1, "the cell before shares a face");
      assert.ok(!world.isSolidAt(...hit.before));
    }
  }
  assert.ok(hits > 10, `${hits} hits`);
});

test("rays along axes and from inside", () => {
  const world = new VoxelWorld([10, 10, 10]);
  world.cost[world.index(7, 5, 5)] = 0;
  const solid = (x, y, z) => world.isSolidAt(x, y, z);
  const inside = castRay({ origin: [2.5, 5.5, 5.5], direction: [1, 0, 0] }, world.size, solid);
  assert.deepEqual([inside.cell, inside.before], [[7, 5, 5], [6, 5, 5]]);
  assert.ok(near(inside.distance, 4.5));
  assert.equal(castRay({ origin: [2.5, 5.5, 5.5], direction: [-1, 0, 0] }, world.size, solid), null);
  assert.equal(castRay({ origin: [2.5, 12, 5.5], direction: [1, 0, 0] }, world.size, solid), null);
  assert.equal(castBall({ origin: [0, 0, 0], direction: [1, 0, 0] }, [5, 0.5, 0], 1) < 5, true);
  assert.equal(castBall({ origin: [0, 0, 0], direction: [1, 0, 0] }, [5, 1.5, 0], 1), Infinity);
});

test("a tube has points only where the path turns", () => {
  const path = [[0, 0, 0], [1, 1, 1], [2, 2, 2], [3, 2, 2], [4, 2, 2], [9, 4, 2]];
  assert.deepEqual(corners(path), [[0.5, 0.5, 0.5], [2.5, 2.5, 2.5], [4.5, 2.5, 2.5], [9.5, 4.5, 2.5]]);
  assert.deepEqual(corners([]), []);
});

test("the part of a path in a layer", () => {
  const path = [[0, 0, 1], [1, 0, 1], [2, 0, 2], [3, 0, 2], [4, 0, 1]];
  assert.deepEqual(pathInLayer(path, 2), [[1.5, 0], [2, 0], [3, 0], [3.5, 0]]);
  assert.deepEqual(pathInLayer(path, 1), [[0, 0], [1, 0], [1.5, 0], null, [3.5, 0], [4, 0]]);
  assert.deepEqual(pathInLayer([[0, 0, 0], [8, 4, 4]], 2), [[3, 1.5], [5, 2.5]]);
  assert.deepEqual(pathInLayer(path, 7), []);
});

test("the room around a cell", () => {
  const hall = new VoxelWorld([5, 5, 9]);
  assert.equal(clearanceAt(hall, [2, 2, 4]), 2.5);
  assert.equal(clearanceAt(hall, [0, 2, 4]), 0.5);
  hall.cost[hall.index(3, 3, 5)] = 0;
  assert.ok(near(clearanceAt(hall, [2, 2, 4]), Math.sqrt(0.75), 1e-9));
  assert.equal(clearanceAt(new VoxelWorld([40, 40, 40]), [20, 20, 20]), null);
});
