// The surface of voxel worlds: what chunks have is what looking at every cell gives.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";
import { random } from "./support/random.js";

const { VoxelWorld, packSolid, unpackSolid } = await load("core/voxels.js");
const { FACE_BYTES, CUT, cutFaces, drawnSides, faceAxes, surfaceFaces } = await load("space/faces.js");
const { meshesOf } = await load("space/meshes.js");

/** A world in which cells are like their neighbours more often than not. */
function randomWorld({ between, chance }, most = 40) {
  const size = [between(1, most), between(1, most), between(1, most)];
  const world = new VoxelWorld(size);
  const share = [0.05, 0.5, 0.95][between(0, 2)];
  for (let cell = 0; cell < world.nodeCount; cell++) {
    world.cost[cell] = cell > 0 && chance(0.6) ? world.cost[cell - 1] : chance(share) ? 0 : 1;
  }
  return world;
}

const stepOf = (direction) => [0, 1, 2].map((axis) => (axis === direction >> 1 ? (direction & 1 ? -1 : 1) : 0));

/** Each face of a chunk one by one, as "x,y,z,direction", with the light of its corners. */
function spread(faces, origin) {
  const all = new Map();
  for (let at = 0; at < faces.length; at += FACE_BYTES) {
    const [x, y, z, direction, length, shade] = faces.subarray(at, at + 6);
    const [first] = faceAxes(direction);
    for (let i = 0; i < length; i++) {
      const cell = [x, y, z].map((value, axis) => value + origin[axis] + (axis === first ? i : 0));
      const key = [...cell, direction].join();
      assert.ok(!all.has(key), `face ${key} is there once`);
      all.set(key, shade);
    }
  }
  return all;
}

/** The light of a face's corners, from the cells around them. */
function shadeOf(world, cell, direction) {
  const [first, second] = faceAxes(direction);
  const step = stepOf(direction);
  const solid = (u, v) => {
    const at = cell.map((value, axis) => value + step[axis] + (axis === first ? u : 0) + (axis === second ? v : 0));
    return world.isSolidAt(...at) ? 1 : 0;
  };
  const corner = (u, v) => (solid(u, 0) && solid(0, v) ? 0 : 3 - solid(u, 0) - solid(0, v) - solid(u, v));
  return corner(-1, -1) | (corner(1, -1) << 2) | (corner(-1, 1) << 4) | (corner(1, 1) << 6);
}

function bruteForce(world, sides) {
  const all = new Map();
  for (let cell = 0; cell < world.nodeCount; cell++) {
    if (world.isOpen(cell)) continue;
    const place = world.place(cell);
    for (let direction = 0; direction < 6; direction++) {
      const step = stepOf(direction);
      const next = world.indexOf(place.map((value, axis) => value + step[axis]));
      const seen = next < 0 ? sides[direction] : world.isOpen(next);
      if (seen) all.set([...place, direction].join(), shadeOf(world, place, direction));
    }
  }
  return all;
}

const sorted = (map) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

function allFaces(meshes) {
  const all = new Map();
  for (const { origin, faces } of meshes.chunks) for (const [key, shade] of spread(faces, origin)) all.set(key, shade);
  return all;
}

test("the faces of all chunks are those between solid and open cells", () => {
  const chance = random(41);
  for (let round = 0; round < 25; round++) {
    const world = randomWorld(chance);
    const meshes = meshesOf(world);
    meshes.work(Infinity);
    assert.ok(meshes.isReady);
    assert.deepEqual(sorted(allFaces(meshes)), sorted(bruteForce(world, drawnSides(world))));
  }
});

test("after painting only some chunks are made again, and they are right", () => {
  const chance = random(42);
  for (let round = 0; round < 3; round++) {
    const size = [70, 40, 35];
    const world = new VoxelWorld(size);
    for (let cell = 0; cell < world.nodeCount; cell++) world.cost[cell] = chance.chance(0.3) ? 0 : 1;
    const sides = drawnSides(world);
    const meshes = meshesOf(world);
    meshes.work(Infinity);
    const versions = meshes.chunks.map(({ version }) => version);
    const painted = Array.from({ length: 3 }, () => world.index(...size.map(chance.below)));
    for (const cell of painted) world.cost[cell] = 1 - world.cost[cell];
    meshes.touch(painted);
    meshes.work(Infinity);
    const again = meshes.chunks.filter(({ version }, chunk) => version !== versions[chunk]).length;
    assert.ok(again > 0 && again < meshes.chunks.length, `${again} of ${meshes.chunks.length} chunks`);
    assert.deepEqual(sorted(allFaces(meshes)), sorted(bruteForce(world, sides)));
  }
});

test("faces of flat ground are joined", () => {
  const world = new VoxelWorld([32, 32, 4]);
  world.cost.fill(0, 0, 32 * 32);
  const faces = surfaceFaces(world, [0, 0, 0], drawnSides(world));
  const up = Array.from({ length: faces.length / FACE_BYTES }, (_, i) => faces[i * FACE_BYTES + 3]).filter((d) => d === 4);
  assert.equal(up.length, 32, "one a row");
});

test("a slice cuts through what is solid on both sides of it", () => {
  const chance = random(43);
  for (let round = 0; round < 40; round++) {
    const world = randomWorld(chance, 34);
    const axis = chance.below(3);
    const at = chance.below(world.size[axis]);
    const expected = [];
    for (let cell = 0; cell < world.nodeCount; cell++) {
      const place = world.place(cell);
      const next = place.map((value, i) => value + (i === axis ? 1 : 0));
      if (place[axis] === at && world.isSolidAt(...place) && world.isSolidAt(...next)) expected.push([...place, 2 * axis].join());
    }
    const found = meshesOf(world).chunks.flatMap(({ origin }) => {
      if (at < origin[axis] || at >= origin[axis] + 32) return [];
      const faces = cutFaces(world, origin, axis, at);
      for (let face = 0; face < faces.length; face += FACE_BYTES) assert.equal(faces[face + 6], CUT);
      return [...spread(faces, origin).keys()];
    });
    assert.deepEqual(found.sort(), expected.sort());
  }
});

test("a world of solid cells alone has no surface, but a slice through it", () => {
  const world = new VoxelWorld([96, 96, 96], new Uint8Array(96 ** 3));
  const meshes = meshesOf(world);
  meshes.work(Infinity);
  assert.ok(meshes.chunks.every(({ faces }) => faces.length === 0));
  assert.equal(spread(cutFaces(world, [32, 32, 32], 2, 40), [32, 32, 32]).size, 32 * 32);
});

test("packed cells unpack to the same", () => {
  const { chance, between } = random(44);
  for (let round = 0; round < 50; round++) {
    const cost = Uint8Array.from({ length: between(1, 200) }, () => (chance(0.5) ? 0 : 1));
    const bytes = packSolid(cost);
    assert.equal(bytes.length, Math.ceil(cost.length / 8));
    assert.deepEqual(unpackSolid(bytes, cost.length), cost);
  }
});
