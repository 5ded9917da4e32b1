// Links: everything is restored, and foreign input is checked.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";
import { random } from "./support/random.js";

const { readLink, writeLink } = await load("core/link.js");
const { pack } = await load("core/pack.js");
const { MovingScene } = await load("core/scene.js");
const { VoxelWorld } = await load("core/voxels.js");
const { GraphWorld, GridWorld } = await load("core/world.js");

const ABOUT = {
  limits: { side: 2048, cells: 4_194_304, voxels: 16_777_216, nodes: 20_000, edges: 100_000, links: 1000, goals: 16, boards: 4, obstacles: 8 },
  algorithms: [
    { name: "astar", title: "A*", worlds: ["grid", "graph", "voxel"], queues: ["heap", "buckets"] },
    { name: "jps", title: "JPS", worlds: ["grid"], queues: [] },
  ],
  heuristics: [{ name: "octile" }, { name: "manhattan" }],
  custom_weight_max: 100,
  weight: [1, 1000],
  moves: [{ name: "8" }, { name: "4" }],
  moves3: [{ name: "26" }, { name: "6" }],
  terrain_rules: [{ name: "mean" }, { name: "enter" }],
  radius_max: 1024,
};

const newApp = (doc) => ({
  store: { doc },
  runner: { boards: [{ timeline: {} }] },
  player: { position: 17.6, length: 40, lock: "time", speed: Infinity },
  ui: { board: 0, arrows: true, numbers: false, aid: true, breakpoints: [{ kind: "f", value: 3.5 }] },
  camera: { x: 4, y: 3, scale: 20 },
  space: { camera: { mode: "fly", target: [1, 2, 3], distance: 9, yaw: 0.5, pitch: 0.25 } },
  boards: { views: [{ canvas: { clientWidth: 800, clientHeight: 600 } }] },
});

const SETTINGS = {
  algorithm: "astar",
  heuristic: null,
  weight: null,
  queue: null,
  moves: "8",
  moves3: "26",
  radius: 0,
  terrain: "mean",
};

function randomDocument({ below, between, pick, chance }) {
  const settings = () => ({
    ...SETTINGS,
    heuristic: pick([null, "octile", "custom:1.5,2"]),
    weight: pick([null, 1, 2.5]),
    queue: pick([null, "heap"]),
    moves: pick(["8", "4"]),
    moves3: pick(["26", "6"]),
    radius: pick([0, 1.5]),
    terrain: pick(["mean", "enter"]),
  });
  const boards = Array.from({ length: between(1, 4) }, settings);
  if (chance(0.3)) {
    const count = between(2, 20);
    const nodes = Array.from({ length: count }, () => [between(-99, 99) / 8, between(-99, 99) / 8]);
    const edges = Array.from({ length: below(40) }, () => {
      const kind = pick(["road", "road", "link"]);
      const cost = kind === "link" || chance(0.5) ? between(1, 50) / 4 : null;
      return { from: below(count), to: below(count), cost, kind, two_way: chance(0.5) };
    });
    return {
      world: new GraphWorld(nodes, edges),
      links: [],
      start: below(count),
      goals: [below(count)],
      boards,
      scene: null,
    };
  }
  if (chance(0.3)) {
    const size = [between(1, 12), between(1, 12), between(1, 12)];
    const place = () => size.map(below);
    const cost = Uint8Array.from({ length: size[0] * size[1] * size[2] }, () => pick([0, 1]));
    const scene = chance(0.5) ? new MovingScene(sceneOf(size, between(0, 4))) : null;
    return { world: new VoxelWorld(size, cost), links: [], start: place(), goals: [place()], boards, scene };
  }
  const [width, height] = [between(1, 40), between(1, 40)];
  const place = () => [below(width), below(height)];
  const cost = Uint8Array.from({ length: width * height }, () => pick([0, 1, 1, 1, 4, 10, 255]));
  const links = Array.from({ length: below(3) }, () => ({
    from: place(),
    to: place(),
    cost: 2.5,
    two_way: chance(0.5),
  }));
  const goals = Array.from({ length: between(1, 4) }, place);
  const frame = chance(0.3) ? { origin: [1, 2.5], cell_size: 20 } : {};
  return { world: new GridWorld(width, height, cost, frame), links, start: place(), goals, boards, scene: null };
}

/** A scene with some balls. */
const sceneOf = (size, balls) => ({
  surefoot: "scene",
  size,
  goal: { position: [0, 0, 0] },
  obstacles: Array.from({ length: balls }, (_, ball) => ({ sphere: 1 + ball, position: [ball, 0, 0] })),
});

test("random documents come back from their links", async () => {
  for (let round = 0; round < 100; round++) {
    const doc = randomDocument(random(1000 + round));
    const fragment = await writeLink(newApp(doc));
    assert.match(fragment, /^#[\w.~-]+$/, "nothing that a program would escape or cut");
    assert.deepEqual((await readLink(fragment, ABOUT)).doc, doc, `round ${round}`);
  }
});

test("the address alone is no link", async () => {
  assert.equal(await readLink("", ABOUT), null);
  assert.equal(await readLink("#", ABOUT), null);
});

const refused = (fragment, pattern = /^This link cannot be opened: .+\.$/) =>
  assert.rejects(readLink(fragment, ABOUT), (error) => pattern.test(error.message));

test("links that are cut or changed give a message", async () => {
  const { below, pick } = random(1100);
  const fragment = await writeLink(newApp(randomDocument(random(1101))));
  for (let length = 2; length < fragment.length; length += 1 + below(fragment.length >> 5)) {
    await refused(fragment.slice(0, length));
  }
  const letters = [..."ABCxyz019-_", "%", "é", " "];
  for (let round = 0; round < 300; round++) {
    const at = 1 + below(fragment.length - 1);
    const changed = fragment.slice(0, at) + pick(letters) + fragment.slice(at + 1);
    // A change may leave a readable link; then it must be a whole document.
    await readLink(changed, ABOUT).then(
      ({ doc }) => assert.ok(doc.world && doc.boards.length > 0),
      (error) => assert.match(error.message, /^This link cannot be opened: .+\.$/),
    );
  }
  for (const nonsense of ["#nonsense", "#1.", "#1.????", "#99.AAAA", "#1", "#.", "#1.%00"])
    await refused(nonsense);
});

test("what a link says is checked", async () => {
  const good = {
    kind: "grid",
    width: 3,
    height: 2,
    links: [],
    start: [0, 0],
    goals: [[2, 1]],
    boards: [{ algorithm: "astar" }],
  };
  const fragmentOf = async (head, cells = 6) =>
    `#1.${await pack(Uint8Array.of(...Buffer.from(JSON.stringify(head)), 0, ...Array(cells).fill(1)))}`;
  assert.equal((await readLink(await fragmentOf(good), ABOUT)).doc.boards[0].moves, "8");
  const wrong = {
    "no kind": { kind: undefined },
    "a kind of tomorrow": { kind: "voxels" },
    "no size": { width: 0 },
    "another size": { width: 4 },
    "a size beyond the limits": { width: 5000, height: 5000 },
    "a broken size": { width: 1.5 },
    "a start outside": { start: [3, 0] },
    "a start that is no place": { start: "here" },
    "a goal outside": { goals: [[0, -1]] },
    "no goals": { goals: null },
    "too many goals": { goals: Array(17).fill([0, 0]) },
    "no board": { boards: [] },
    "five boards": { boards: Array(5).fill({ algorithm: "astar" }) },
    "an unknown algorithm": { boards: [{ algorithm: "__proto__" }] },
    "an unknown heuristic": { boards: [{ algorithm: "astar", heuristic: "custom:1" }] },
    "a weight out of range": { boards: [{ algorithm: "astar", weight: 0.5 }] },
    "an open list that it has not": { boards: [{ algorithm: "jps", queue: "heap" }] },
    "an unknown movement rule": { boards: [{ algorithm: "astar", moves: "knight" }] },
    "a negative radius": { boards: [{ algorithm: "astar", radius: -1 }] },
    "a link to nowhere": { links: [{ from: [0, 0], to: [9, 9], cost: 1 }] },
    "a link without a cost": { links: [{ from: [0, 0], to: [1, 1] }] },
    "a graph's algorithm": {
      kind: "graph",
      nodes: [[0, 0]],
      edges: [],
      start: 0,
      goals: [0],
      boards: [{ algorithm: "jps" }],
    },
    "voxels that are too many": { kind: "voxel", size: [4096, 4096, 4096], start: [0, 0, 0], goals: [[0, 0, 0]] },
    "voxels that are missing": { kind: "voxel", size: [8, 8, 8], start: [0, 0, 0], goals: [[0, 0, 0]] },
    "a flat place in space": { kind: "voxel", size: [4, 4, 3], start: [0, 0], goals: [[0, 0, 0]] },
    "an edge to nowhere": {
      kind: "graph",
      nodes: [[0, 0]],
      edges: [{ from: 0, to: 1 }],
      start: 0,
      goals: [0],
    },
  };
  for (const [what, fields] of Object.entries(wrong)) {
    const fragment = await fragmentOf({ ...good, ...fields });
    await assert.rejects(readLink(fragment, ABOUT), /^Error: This link cannot be opened: .+\.$/, what);
  }
  for (const head of [null, 5, "text", [], {}]) await refused(await fragmentOf(head));
});

test("a small link that would unpack to a huge map is refused", async () => {
  const bomb = `#1.${await pack(new Uint8Array(40 << 20).fill(49))}`;
  assert.ok(bomb.length < 100_000);
  await refused(bomb, /too large/);
});

test("what is seen of a voxel world is in the link", async () => {
  const size = [5, 6, 7];
  const doc = { world: new VoxelWorld(size), links: [], start: [0, 0, 0], goals: [[4, 5, 6]], boards: [SETTINGS] };
  const app = newApp(doc);
  Object.assign(app.ui, { cells: "slice", axis: 1, layers: [1, 2, 99], sliceEditor: true, forecast: true, ahead: 0.4 });
  const { restore } = await readLink(await writeLink(app), ABOUT);
  const seen = {};
  const note = (fields) => Object.assign(seen, fields);
  restore({
    ui: { set: note },
    player: { set: note },
    space: { camera: { set: note } },
    fit: () => {},
    boards: { views: [{ width: 800, height: 600 }] },
    connection: { isOpen: false, on: () => () => {} },
  });
  assert.deepEqual([seen.cells, seen.axis, seen.sliceEditor], ["slice", 1, true]);
  assert.deepEqual([seen.forecast, seen.ahead], [true, 0.4]);
  assert.deepEqual(seen.layers, [1, 2, 3], "a layer that there is not becomes the middle one");
  assert.deepEqual([seen.mode, seen.target, seen.distance, seen.yaw, seen.pitch], ["fly", [1, 2, 3], 9, 0.5, 0.25]);
});

test("a view that makes no sense is left out, the map is shown", async () => {
  const app = newApp(randomDocument(random(1200)));
  app.ui.breakpoints = [{ kind: "closed", node: 1e9 }, { kind: "f", value: 2 }, null, "x"];
  app.camera.scale = Infinity;
  const seen = {};
  const { restore } = await readLink(await writeLink(app), ABOUT);
  const note = (fields) => Object.assign(seen, fields);
  restore({
    ui: { set: note },
    player: { set: note },
    camera: { set: () => assert.fail("no camera") },
    space: { camera: { set: note } },
    fit: () => {},
    boards: { views: [{ canvas: { clientWidth: 800, clientHeight: 600 } }] },
    connection: { isOpen: false, on: () => () => {} },
  });
  assert.deepEqual(seen.breakpoints, [{ kind: "f", value: 2 }]);
  assert.equal(seen.speed, Infinity);
  assert.equal(seen.lock, "time");
});

test("scenes that make no sense are refused with a reason", async () => {
  const size = [2, 1, 1];
  const refused = async (change) => {
    const scene = { ...sceneOf(size, 1), ...change };
    const head = { kind: "voxel", size, start: [0, 0, 0], goals: [[1, 0, 0]], boards: [SETTINGS], scene };
    const text = new TextEncoder().encode(`${JSON.stringify(head)}\0\0`);
    return readLink(`#1.${await pack(text)}`, ABOUT).then(() => "nothing", (error) => error.message);
  };
  assert.equal(await refused({}), "nothing");
  assert.match(await refused({ size: [3, 1, 1] }), /its scene and its map differ in size/);
  assert.match(await refused({ obstacles: Array(9).fill({}) }), /not a list of at most 8/);
  assert.match(await refused({ obstacles: [{ position: [0, 0, 0] }] }), /obstacle 0 has no shape/);
  assert.match(await refused({ obstacles: [{ sphere: 1 }] }), /obstacle 0 has no valid position/);
  const corner = { points: [[0, 0, 0]], faces: [[0, 1, 2]] };
  assert.match(await refused({ obstacles: [{ polyhedron: corner, position: [0, 0, 0] }] }), /has no shape/);
  assert.match(await refused({ cell_size: 0 }), /frame of the scene/);
});
