// The surface of voxel worlds: what chunks have is what looking at every cell gives.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";
import { random } from "./support/random.js";

const { VoxelWorld, packSolid, unpackSolid } = await load("core/voxels.js");
const { coarser } = await load("space/coarse.js");
const { CUT, cutFaces, drawnSides, faceAxes, partsOf, surfaceFaces } = await load("space/faces.js");
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

const MIDDLE = [0, 0, 0];

/** Each face of a chunk one by one, as "x,y,z,direction", with the light of its corners. */
function spread({ list, ends }, origin) {
  const all = new Map();
  for (const [at, face] of list.entries()) {
    const { cell, direction, length, shade } = partsOf(face);
    assert.ok(at < ends[direction] && (direction === 0 || at >= ends[direction - 1]), "faces of a direction are side by side");
    const [first] = faceAxes(direction);
    for (let i = 0; i < length; i++) {
      const place = cell.map((value, axis) => value + origin[axis] + (axis === first ? i : 0));
      const key = [...place, direction].join();
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
    meshes.work(Infinity, MIDDLE);
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
    meshes.work(Infinity, MIDDLE);
    const versions = meshes.chunks.map(({ version }) => version);
    const painted = Array.from({ length: 3 }, () => world.index(...size.map(chance.below)));
    for (const cell of painted) world.cost[cell] = 1 - world.cost[cell];
    meshes.touch(painted);
    meshes.work(Infinity, MIDDLE);
    const again = meshes.chunks.filter(({ version }, chunk) => version !== versions[chunk]).length;
    assert.ok(again > 0 && again < meshes.chunks.length, `${again} of ${meshes.chunks.length} chunks`);
    assert.deepEqual(sorted(allFaces(meshes)), sorted(bruteForce(world, sides)));
  }
});

test("those nearest to a place are made first", () => {
  const world = new VoxelWorld([128, 32, 32]);
  for (let x = 0; x < 128; x += 2) world.cost[world.index(x, 16, 16)] = 0;
  const meshes = meshesOf(world);
  const made = () => meshes.chunks.map(({ faces }) => faces !== null);
  meshes.work(-1, [80, 16, 16]);
  assert.deepEqual(made(), [false, false, true, false]);
  meshes.work(-1, [20, 16, 16]);
  assert.deepEqual(made(), [true, false, true, false]);
  assert.ok(!meshes.isReady);
});

test("a coarser world follows edits", () => {
  const chance = random(45);
  for (let round = 0; round < 20; round++) {
    const world = randomWorld(chance);
    const meshes = meshesOf(world);
    const coarse = meshes.coarser;
    assert.deepEqual(coarse.size, world.size.map((side) => Math.ceil(side / 2)));
    const sides = drawnSides(world);
    meshesOf(coarse).work(Infinity, MIDDLE);
    const painted = Array.from({ length: 200 }, () => chance.below(world.nodeCount));
    for (const cell of painted) world.cost[cell] = 1 - world.cost[cell];
    meshes.touch(painted);
    assert.deepEqual(coarse.cost, coarser(world).cost);
    meshesOf(coarse).work(Infinity, MIDDLE);
    assert.deepEqual(sorted(allFaces(meshesOf(coarse))), sorted(bruteForce(coarse, sides)));
  }
});

test("a coarser world keeps walls and rods, and loses single cells", () => {
  const world = new VoxelWorld([8, 8, 8]);
  for (let y = 0; y < 8; y++) for (let z = 0; z < 8; z++) world.cost[world.index(1, y, z)] = 0;
  for (let z = 0; z < 8; z++) world.cost[world.index(5, 4, z)] = 0;
  world.cost[world.index(7, 7, 7)] = 0;
  const coarse = coarser(world);
  for (let z = 0; z < 4; z++) {
    for (let y = 0; y < 4; y++) {
      for (let x = 0; x < 4; x++) assert.equal(coarse.isSolidAt(x, y, z), x === 0 || (x === 2 && y === 2), `${x}, ${y}, ${z}`);
    }
  }
});

test("walls around a world are not drawn, the edges of its ground are", () => {
  const ground = new VoxelWorld([10, 10, 10]);
  ground.cost.fill(0, 0, 700);
  assert.deepEqual(drawnSides(ground), [true, true, true, true, true, false]);
  const rock = new VoxelWorld([10, 10, 10]);
  for (let cell = 0; cell < 1000; cell++) rock.cost[cell] = cell % 10 < 3 ? 1 : 0;
  assert.deepEqual(drawnSides(rock), [false, true, false, false, false, false]);
  assert.deepEqual(drawnSides(new VoxelWorld([10, 10, 10])), new Array(6).fill(true));
});

test("faces of flat ground are joined", () => {
  const world = new VoxelWorld([32, 32, 4]);
  world.cost.fill(0, 0, 32 * 32);
  const { ends } = surfaceFaces(world, [0, 0, 0], drawnSides(world));
  assert.equal(ends[4] - ends[3], 32, "one a row");
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
      for (const face of faces.list) assert.equal(partsOf(face).kind, CUT);
      return [...spread(faces, origin).keys()];
    });
    assert.deepEqual(found.sort(), expected.sort());
  }
});

test("a world of solid cells alone has no surface, but a slice through it", () => {
  const world = new VoxelWorld([96, 96, 96], new Uint8Array(96 ** 3));
  const meshes = meshesOf(world);
  meshes.work(Infinity, MIDDLE);
  assert.ok(meshes.chunks.every(({ faces }) => faces.list.length === 0));
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
