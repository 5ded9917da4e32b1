// Worlds in three dimensions: the scene, the search in it, the slice editor.

import assert from "node:assert/strict";
import { ask, listen } from "./support/card.js";
import { sharingSpaceTest, spaceTest } from "./support/space.js";
import { Touch } from "./support/touch.js";

/** A room of 9 x 7 x 5 cells with a wall across it that has a window in its middle. */
async function showRoom(lab, { window = true } = {}) {
  await lab.evaluate(async (window) => {
    const { VoxelWorld, writeVoxels } = await import("/js/core/voxels.js");
    const world = new VoxelWorld([9, 7, 5]);
    for (let y = 0; y < 7; y++) for (let z = 0; z < 5; z++) world.cost[world.index(4, y, z)] = 0;
    if (window) world.cost[world.index(4, 3, 2)] = 1;
    const json = { surefoot: "world", version: 1, kind: "voxel", ...writeVoxels(world) };
    lab.actions.showScene({ title: "room", world: json, start: [1, 3, 2], goals: [[7, 3, 2]] });
  }, window);
  await lab.settled();
  await lab.sharp();
}

/** Where a point of the world is on the screen. */
const pointOf = (lab, point) =>
  lab.evaluate((point) => {
    const { canvas } = lab.boards.views[0];
    const box = canvas.getBoundingClientRect();
    const [x, y] = lab.space.camera.onScreen(point, box.width, box.height);
    return [box.left + x, box.top + y];
  }, point);

/** Where a cell of the painted layer is on the screen. */
const slicePoint = (lab, [x, y]) =>
  lab.evaluate(
    ([x, y]) => {
      const { camera } = lab.space.slice;
      const box = document.querySelector("canvas[data-slice]").getBoundingClientRect();
      const across = (x + 0.5 - camera.x) * camera.scale;
      const down = (y + 0.5 - camera.y) * camera.scale;
      return [box.left + box.width / 2 + across, box.top + box.height / 2 + down];
    },
    [x, y],
  );

/** What the page looks like around a place. */
async function coloursAt(page, [x, y], half = 4) {
  const png = await page.screenshot({ clip: { x: x - half, y: y - half, width: 2 * half, height: 2 * half } });
  return png.toString("base64");
}

const scene = (page) => page.locator("canvas[data-board='0']:not([data-slice])");
const slice = (page) => page.locator("canvas[data-slice]");

spaceTest("3D opens, a search runs, the path appears, playback steps both ways", async ({ page, lab }) => {
  await page.getByRole("group", { name: "World" }).getByRole("button", { name: "3D" }).click();
  await lab.until(() => lab.store.doc.world.kind === "voxel", "a voxel world");
  await lab.settled();
  await lab.sharp();
  const { faces } = await lab.evaluate(() => lab.boards.views[0].drawn);
  assert.ok(faces > 100, `${faces} faces`);
  assert.match(await scene(page).getAttribute("aria-label"), /3D/);
  await lab.search();
  const result = await lab.result();
  assert.equal(result.outcome, "found");
  assert.ok(result.path.every((place) => place.length === 3));
  const steps = await lab.steps();
  assert.ok(steps > 10);
  const shot = async () => {
    await lab.sharp();
    return (await scene(page).screenshot()).toString("base64");
  };
  const end = await shot();
  await lab.seek(Math.floor(steps / 2));
  const middle = await shot();
  assert.notEqual(middle, end, "the picture depends on the step");
  await lab.seek(0);
  assert.notEqual(await shot(), middle);
  await lab.seek(Math.floor(steps / 2));
  assert.equal(await shot(), middle, "forward and back show the same");
  await page.getByRole("button", { name: "Step forward" }).click();
  assert.equal(await lab.step(), Math.floor(steps / 2) + 1);
});

sharingSpaceTest("every algorithm for voxel worlds finds the window", async ({ lab }) => {
  await showRoom(lab);
  const names = await lab.evaluate(() =>
    lab.about.algorithms.filter(({ worlds }) => worlds.includes("voxel")).map(({ name }) => name),
  );
  assert.ok(names.includes("astar") && names.includes("jps3"), `${names}`);
  for (const algorithm of names) {
    await lab.set({ algorithm });
    await lab.search();
    const { outcome, path } = await lab.result();
    assert.equal(outcome, "found", algorithm);
    assert.deepEqual([path[0], path.at(-1)], [[1, 3, 2], [7, 3, 2]], algorithm);
  }
  await lab.set({ algorithm: "jps3" });
  await lab.search();
  assert.ok(await lab.evaluate(() => lab.runner.boards[0].timeline.jumps > 0), "jumps are told apart from steps");
  await lab.set({ algorithm: "astar" });
  assert.ok(Math.abs((await lab.result()).cost - 6) < 1e-6);
  await lab.search();
  const known = await lab.evaluate(() => lab.runner.boards[0].replay.inspect(lab.store.doc.world.index(7, 3, 2)));
  assert.ok(Math.abs(known.g - 6) < 1e-4, `costs of the trace are in cells: ${known.g}`);
});

spaceTest("painting a slice changes the path, undo brings it back", async ({ page, lab }) => {
  await showRoom(lab);
  await lab.search();
  const before = await lab.result();
  await page.getByRole("button", { name: "Slice editor", exact: true }).click();
  await slice(page).waitFor();
  assert.equal(await lab.evaluate(() => lab.ui.layers[2]), 2, "the layer of the start");
  await lab.drawn();
  const at = await slicePoint(lab, [4, 3]);
  await page.mouse.click(...at);
  await lab.settled();
  assert.equal(await lab.evaluate(() => lab.store.doc.world.isSolidAt(4, 3, 2)), true);
  assert.equal((await lab.result()).outcome, "unreachable", "the window is shut");
  await lab.button("Undo").click();
  await lab.settled();
  assert.equal(await lab.evaluate(() => lab.store.doc.world.isSolidAt(4, 3, 2)), false);
  assert.deepEqual((await lab.result()).path, before.path);

  // Another layer: a hole there leads elsewhere.
  await page.getByRole("button", { name: "Layer: next" }).click();
  await page.getByRole("button", { name: /^Floor/ }).click();
  await page.mouse.click(...at);
  await lab.settled();
  assert.equal(await lab.evaluate(() => lab.store.doc.world.isSolidAt(4, 3, 3)), false);
  await page.getByRole("button", { name: /^Wall/ }).click();
  await page.getByRole("button", { name: "Layer: previous" }).click();
  await page.mouse.click(...at);
  await lab.settled();
  const around = await lab.result();
  assert.equal(around.outcome, "found");
  assert.ok(around.path.some((place) => place.join() === "4,3,3"));
  assert.ok(around.cost > before.cost);

  // Start and goal are dragged in their layer.
  await page.mouse.move(...(await slicePoint(lab, [1, 3])));
  await page.mouse.down();
  await page.mouse.move(...(await slicePoint(lab, [2, 5])), { steps: 4 });
  await page.mouse.up();
  await lab.settled();
  assert.deepEqual((await lab.document()).start, [2, 5, 2]);
  await page.getByRole("button", { name: "Close the slice editor" }).click();
  assert.equal(await slice(page).count(), 0);
});

spaceTest("the slice editor by keys alone", async ({ page, lab }) => {
  await showRoom(lab);
  await lab.evaluate(() => lab.ui.set({ sliceEditor: true }));
  await slice(page).focus();
  await page.keyboard.press("ArrowRight");
  await lab.heard(/1, 3/);
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await lab.settled();
  assert.equal((await lab.result()).outcome, "unreachable");
  await page.keyboard.press("PageUp");
  await lab.heard(/Layer 3/);
  await page.keyboard.press("Control+z");
  await lab.settled();
  assert.equal((await lab.result()).outcome, "found");
  // The cursor came along.
  const { size, node } = await lab.evaluate(() => ({ size: lab.store.doc.world.size, node: lab.ui.cursor }));
  assert.deepEqual([size, node], [[9, 7, 5], (3 * 7 + 3) * 9 + 4]);
  await page.keyboard.press("Enter");
  assert.equal(await lab.evaluate((node) => lab.store.doc.world.isOpen(node), node), true, "what was wall is erased");
});

sharingSpaceTest("pointing at a cell inspects it; the goal can be dragged", async ({ page, lab }) => {
  await showRoom(lab);
  await lab.search();
  // The top of the wall, seen from above.
  await page.mouse.move(...(await pointOf(lab, [4.5, 1.5, 5])));
  const inspector = page.getByRole("region", { name: "Inspected cell" });
  await inspector.getByText("Cell 4, 1, 4").waitFor();
  assert.match(await inspector.innerText(), /solid/);
  await page.mouse.click(...(await pointOf(lab, [4.5, 5.5, 5])));
  await inspector.getByText("Cell 4, 5, 4").waitFor();

  // With only the search shown, its cells can be pointed at, and say what they know.
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await lab.drawn();
  await page.mouse.move(...(await pointOf(lab, [4.5, 3.5, 2.5])));
  await inspector.getByText("Cell 4, 3, 2").waitFor();
  const words = await inspector.innerText();
  assert.match(words, /open, clearance 0\.5/);
  assert.match(words, /closed/);
  assert.match(words, /#\d+/);

  // The goal follows the pointer in its layer, and the path follows the goal.
  const { goals } = await lab.document();
  await page.mouse.move(...(await pointOf(lab, [7.5, 3.5, 2.5])));
  await page.mouse.down();
  await page.mouse.move(...(await pointOf(lab, [6.5, 5.5, 2.5])), { steps: 5 });
  await page.mouse.up();
  await lab.settled();
  const moved = await lab.document();
  assert.notDeepEqual(moved.goals, goals);
  assert.deepEqual((await lab.result()).path.at(-1), moved.goals[0]);
  await lab.button("Undo").click();
  assert.deepEqual((await lab.document()).goals, goals, "a drag is one entry of the history");
});

sharingSpaceTest("the camera turns, moves, zooms and flies with mouse, wheel and keys", async ({ page, lab }) => {
  await showRoom(lab);
  const look = () => lab.still(() => {
    const { target, distance, yaw, pitch, eye } = lab.space.camera;
    return { target, distance, yaw, pitch, eye };
  });
  const box = await scene(page).boundingBox();
  const middle = [box.x + 40, box.y + box.height - 40];
  const drag = async (dx, dy, options = {}) => {
    await page.mouse.move(...middle);
    await page.mouse.down(options);
    await page.mouse.move(middle[0] + dx, middle[1] + dy, { steps: 4 });
    await page.mouse.up(options);
  };
  const first = await look();
  await drag(60, -20);
  const turned = await look();
  assert.ok(turned.yaw > first.yaw && turned.pitch < first.pitch);
  assert.deepEqual(turned.target, first.target);
  await drag(60, 0, { button: "right" });
  const moved = await look();
  assert.notDeepEqual(moved.target, turned.target);
  await page.mouse.wheel(0, -300);
  await lab.until((distance) => lab.space.camera.distance < 0.9 * distance, "a closer look", moved.distance);
  await scene(page).focus();
  await page.keyboard.press("ArrowLeft");
  assert.ok((await look()).yaw < turned.yaw);
  const before = await look();
  await page.keyboard.down("w");
  await lab.until(
    (target) => lab.space.camera.target.some((value, axis) => Math.abs(value - target[axis]) > 0.5),
    "flight",
    before.target,
  );
  await page.keyboard.up("w");
  const brush = await lab.evaluate(() => [lab.ui.tool, lab.ui.cost]);
  assert.deepEqual(brush, ["brush", 0], "the key means nothing else there");
  await page.getByRole("button", { name: "Fly" }).click();
  const { eye } = await look();
  await drag(30, 10);
  assert.ok((await look()).eye.every((value, axis) => Math.abs(value - eye[axis]) < 1e-3), "in flight the eye stays");
  await page.getByRole("button", { name: "Fit" }).click();
  assert.equal(await lab.evaluate(() => lab.boards.isFitted), true);
});

const PHONE = { hasTouch: true, viewport: { width: 390, height: 844 } };

sharingSpaceTest("out of view of the world, a hint tells how to return", async ({ page, lab }) => {
  await showRoom(lab);
  const back = page.getByRole("button", { name: "Show everything" });
  assert.equal(await back.isVisible(), false);
  await lab.evaluate(() => lab.space.camera.set({ mode: "fly", target: [4, -200, 2], yaw: 0, pitch: 0 }));
  await back.click();
  await lab.sharp();
  assert.equal(await back.isVisible(), false);
});

spaceTest("two fingers pinch, one turns", PHONE, async ({ page, lab }) => {
  await showRoom(lab);
  const box = await scene(page).boundingBox();
  const at = (x, y) => [box.x + x, box.y + y];
  const before = await lab.evaluate(() => ({ yaw: lab.space.camera.yaw, distance: lab.space.camera.distance }));
  const touch = await Touch.on(page);
  await touch.drag([at(30, 60)], [at(90, 60)]);
  const turned = await lab.evaluate(() => lab.space.camera.yaw);
  assert.ok(turned > before.yaw);
  await touch.drag([at(100, 100), at(200, 200)], [at(60, 60), at(240, 240)]);
  assert.ok((await lab.evaluate(() => lab.space.camera.distance)) < before.distance);
  const widths = await lab.evaluate(() =>
    [document.documentElement, document.querySelector("#top")].map(({ scrollWidth }) => scrollWidth),
  );
  assert.ok(Math.max(...widths) <= PHONE.viewport.width, `nothing is cut off: ${widths}`);
});

sharingSpaceTest("surface, slice and search show different cells", async ({ page, lab }) => {
  await showRoom(lab);
  await lab.search();
  const faces = async (name) => {
    await page.getByRole("group", { name: "Cells" }).getByRole("button", { name }).click();
    await lab.sharp();
    return lab.evaluate(() => lab.boards.views[0].drawn.faces);
  };
  const surface = await faces("Surface");
  assert.ok(surface > 0);
  assert.equal(await faces("Search"), 0);
  await faces("Slice");
  await page.getByRole("group", { name: "Axis" }).getByRole("button", { name: "z" }).click();
  await page.getByRole("slider", { name: "Slice at" }).fill("1");
  await lab.sharp();
  const at = await pointOf(lab, [4.5, 3.5, 2]);
  const low = await coloursAt(page, at);
  await page.getByRole("slider", { name: "Slice at" }).fill("4");
  await lab.sharp();
  assert.notEqual(await coloursAt(page, at), low);
});

/** Cells of a search, at the step that is shown, which a neighbour does not hide: another kind of cell, or none. */
const cellsSeen = (lab) =>
  lab.evaluate(() => {
    const { world } = lab.store.doc;
    const { replay } = lab.runner.boards[0];
    const stateAt = (place) => (world.contains(...place) ? replay.stateOf(world.index(...place)) : 0);
    const marked = Array.from({ length: world.nodeCount }, (_, cell) => world.place(cell)).filter(stateAt);
    const steps = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
    const isSeen = (place) => steps.some((step) => stateAt(place.map((value, i) => value + step[i])) !== stateAt(place));
    return { all: marked.length, seen: marked.filter(isSeen).length };
  });

spaceTest("of a search the cells are drawn that are not inside, three faces each, at every step", async ({ lab }) => {
  await lab.evaluate(listen);
  await lab.showWorld({ kind: "voxel", size: [17, 15, 13], solid: "" }, [8, 7, 6], [[0, 0, 0]]);
  await lab.set({ algorithm: "dijkstra" });
  await lab.evaluate(() => lab.ui.set({ cells: "search" }));
  await lab.search();
  const steps = await lab.steps();
  for (const share of [1, 0.3, 0.9]) {
    await lab.seek(Math.floor(share * steps));
    const faces = await ask(lab, "sum");
    const { all, seen } = await cellsSeen(lab);
    assert.ok(seen > 100 && seen < 0.9 * all, `${seen} of ${all} cells`);
    assert.equal(faces, 3 * seen, `at ${share}`);
  }
  await lab.seek(1);
  assert.equal(await ask(lab, "sum"), 3 * 27, "the start, and the cells around it");

  // A step changes the chunk that it is in, and no other.
  await lab.evaluate(() => (card.uploads = []));
  await lab.seek(2);
  assert.equal(await ask(lab, "renewed"), 1);
});

spaceTest("a voxel map is opened, shared and exported", async (visit) => {
  const { page, lab } = visit;
  const text = "voxel 8 6 4\n3 0 0\n3 1 0\n3 2 0\n3 3 0\n3 4 0\n3 5 0\n";
  const chooser = page.waitForEvent("filechooser");
  await lab.button("Open file").click();
  await (await chooser).setFiles({ name: "fence.3dmap", mimeType: "text/plain", buffer: Buffer.from(text) });
  await lab.heard(/Opened fence\.3dmap, 8 × 6 × 4/);
  await lab.settled();
  assert.equal((await lab.result()).outcome, "found");
  await lab.evaluate(() => lab.ui.set({ cells: "slice", axis: 0, layers: [5, 2, 1], sliceEditor: true }));
  await lab.evaluate(() => lab.space.camera.turn(80, 10));
  const shown = await lab.document();
  const hash = await lab.evaluate(async () => (await import("/js/core/link.js")).writeLink(lab));
  const other = await visit.newTab(hash);
  await other.settled();
  assert.deepEqual(await other.document(), shown);
  const view = (lab) => lab.evaluate(() => {
    const { ui, space } = lab;
    return [ui.cells, ui.axis, ui.layers, ui.sliceEditor, space.camera.yaw, space.camera.distance];
  });
  assert.deepEqual(await view(other), await view(lab));
  await lab.button("Export").click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: /Voxel map/ }).click();
  const file = await download;
  assert.equal(file.suggestedFilename(), "map-8x6x4.3dmap");
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  assert.equal(Buffer.concat(chunks).toString(), text);
});

spaceTest("a map that is too large is refused with a reason", { tolerate: /400/ }, async ({ page, lab }) => {
  const chooser = page.waitForEvent("filechooser");
  await lab.button("Open file").click();
  const buffer = Buffer.from("voxel 400 400 400\n");
  await (await chooser).setFiles({ name: "huge.3dmap", mimeType: "text/plain", buffer });
  await lab.heard(/too many for the lab/);
  assert.equal((await lab.document()).kind, "grid");
});

spaceTest("grid, graph and 3D keep what they had", async ({ page, lab }) => {
  const grid = await lab.document();
  const world = page.getByRole("group", { name: "World" });
  await world.getByRole("button", { name: "3D" }).click();
  await lab.until(() => lab.store.doc.world.kind === "voxel", "a voxel world");
  await lab.settled();
  const space = await lab.document();
  await world.getByRole("button", { name: "Graph" }).click();
  await lab.until(() => lab.store.doc.world.kind === "graph", "a graph");
  await lab.settled();
  await world.getByRole("button", { name: "3D" }).click();
  await lab.until(() => lab.store.doc.world.kind === "voxel", "a voxel world");
  await lab.settled();
  assert.deepEqual(await lab.document(), space);
  await world.getByRole("button", { name: "Grid" }).click();
  await lab.until(() => lab.store.doc.world.kind === "grid", "a grid");
  await lab.settled();
  assert.deepEqual(await lab.document(), grid);
  for (let i = 0; i < 4; i++) await lab.button("Undo").click();
  await lab.settled();
  assert.deepEqual(await lab.document(), grid, "and undo leads back through all of them");
});

spaceTest("without WebGL2 the lab says so, and layers can be painted", async ({ page, lab }) => {
  await page.addInitScript(() => {
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (type, ...rest) {
      return type === "webgl2" ? null : get.call(this, type, ...rest);
    };
  });
  await page.reload();
  await lab.until(() => globalThis.lab?.runner.boards[0].result, "the first path");
  await showRoom(lab, { window: false });
  await page.getByText("this browser does not support WebGL2").waitFor();
  await slice(page).waitFor();
  assert.equal((await lab.result()).outcome, "unreachable");
  await page.getByRole("button", { name: /^Floor/ }).click();
  await page.mouse.click(...(await slicePoint(lab, [4, 3])));
  await lab.settled();
  assert.equal((await lab.result()).outcome, "found");
});
