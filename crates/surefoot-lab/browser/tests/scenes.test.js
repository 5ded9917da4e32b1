// Scenes with moving obstacles: opened, flown through, looked at; slices along every axis.

import assert from "node:assert/strict";
import { answered, oneTick, replanRows } from "./support/live.js";
import { sharingSpaceTest, spaceTest } from "./support/space.js";

/** A hall with a wall, in whose only gap a block goes up and down; beside it a ball that turns up now and then. */
const HALL = {
  surefoot: "scene",
  version: 1,
  size: [24, 9, 8],
  agent: { radius: 0.3, speed: 8 },
  start: [1.5, 4.5, 0.5],
  goal: { position: [22.5, 4.5, 0.5], patrol: { points: [[22.5, 7.5, 0.5], [22.5, 1.5, 0.5]], speed: 1 } },
  static: [
    { box: [0.5, 1.5, 4], position: [12.5, 1.5, 4] },
    { box: [0.5, 1.5, 4], position: [12.5, 7.5, 4] },
  ],
  obstacles: [
    { name: "block", box: [0.5, 1.5, 4], position: [12.5, 4.5, 4], patrol: { points: [[12.5, 4.5, 9], [12.5, 4.5, 4]], speed: 5 } },
    { name: "ball", sphere: 1.2, position: [5.5, 6.5, 2.5], switch: { every: 1, on: false } },
    { name: "rod", capsule: { from: [0, -1, 0], to: [0, 1, 0], radius: 0.4 }, position: [18.5, 4.5, 5.5], turn: { axis: [0, 0, 1], degrees_per_second: 90 } },
  ],
};

/** Opens a scene through the page, and waits for the first answer; nothing moves after it unless told otherwise. */
async function openScene({ page, lab }, scene = HALL, { playing = false } = {}) {
  if (!playing) await lab.evaluate(pauseFirst);
  const chooser = page.waitForEvent("filechooser");
  await lab.button("Open file").click();
  const buffer = Buffer.from(JSON.stringify(scene));
  await (await chooser).setFiles({ name: "hall.scene.json", mimeType: "application/json", buffer });
  await lab.until(() => lab.store.doc.scene && lab.live.active && lab.live.tick > 0, "a scene that moves");
  await answered(lab);
}

/** Pauses what begins to play next, before time passes. It runs in the page. */
function pauseFirst() {
  const end = lab.live.on("state", () => {
    if (!lab.live.playing) return;
    end();
    lab.live.pause();
  });
}

/** Lets some ticks pass at once. */
async function ticks(lab, count) {
  await answered(lab);
  await lab.evaluate((count) => lab.live.step(count), count);
  await answered(lab);
  // What moves takes a moment to get there.
  await lab.until(() => !lab.live.movement.isMoving(), "everything in its place");
}

const scene = (page) => page.locator("canvas[data-board='0']:not([data-slice])");

async function shot(page, lab) {
  await lab.sharp();
  return (await scene(page).screenshot()).toString("base64");
}

spaceTest("a scene file opens and moves; pause, steps and restart", async (visit) => {
  const { page, lab } = visit;
  await openScene(visit, HALL, { playing: true });
  const { tick } = await lab.evaluate(() => ({ tick: lab.live.tick }));
  await lab.until((tick) => lab.live.tick > tick + 5, "time that passes", tick);
  await lab.button("Pause").click();
  await answered(lab);
  assert.equal(await lab.evaluate(() => lab.store.doc.boards[0].radius), 0.3, "the agent of the scene");
  const before = await lab.evaluate(() => lab.live.tick);
  await oneTick(lab);
  assert.equal(await lab.evaluate(() => lab.live.tick), before + 1);
  const here = await shot(page, lab);
  await ticks(lab, 20);
  assert.notEqual(await shot(page, lab), here, "obstacles have moved");
  await lab.button("Restart").click();
  await answered(lab);
  assert.ok((await lab.evaluate(() => lab.live.tick)) <= 2);
  assert.deepEqual(await lab.evaluate(() => lab.live.units[0].cell.slice(1)), [4, 0]);
});

sharingSpaceTest("two planners fly to a goal that moves, and what it takes is told", async (visit) => {
  const { page, lab } = visit;
  await openScene(visit);
  await lab.evaluate(() => {
    const [board] = lab.store.doc.boards;
    const boards = ["mt_d_star_lite", "astar"].map((algorithm) => ({ ...board, algorithm }));
    lab.store.change("boards", { boards });
  });
  await answered(lab);
  // The gap is shut at first, and open most of the time after that.
  assert.match(await lab.evaluate(() => lab.live.units[0].message), /not connected/);
  await lab.evaluate(() => lab.live.set({ targetKind: "stay" }));
  await answered(lab);
  for (let i = 0; i < 4; i++) await ticks(lab, 30);
  const ways = await lab.evaluate(() => lab.live.units.map(({ ahead, at }) => ({ ahead, at })));
  for (const { ahead, at } of ways) {
    assert.ok(at[0] > 3, `${at}`);
    assert.ok(ahead.every((place) => place.length === 3));
  }
  await lab.evaluate(() => lab.live.set({ targetKind: "scene" }));
  await ticks(lab, 60);
  const [x, y] = await lab.evaluate(() => lab.live.flight.targetAt);
  assert.equal(x, 22.5);
  const moved = await lab.evaluate(() => lab.live.tick / 60);
  assert.ok(Math.abs(y - (4.5 + Math.min(moved, 3) - 2 * Math.max(moved - 3, 0) / 2)) < 0.02, `${y} after ${moved} s`);
  const rows = await replanRows(page);
  assert.deepEqual(rows.map((row) => row.Board), ["1 · MT-D* Lite", "2 · A*"]);
  for (const row of rows) {
    assert.ok(Number(row.Replans.replace(",", "")) > 20, row.Replans);
    assert.match(row["Mean time"], /µs|ms/);
    assert.match(row.Path, /^\d+\.\d\d$/);
  }
  const words = await page.locator(".scene-figures").innerText();
  assert.match(words, /Cells changed per tick [\d,]+/);
  assert.match(words, /Update time per tick [\d.]+ (µs|ms)/);
});

sharingSpaceTest("cells follow obstacles; touched cells, slices and searches show them", async (visit) => {
  const { page, lab } = visit;
  await openScene(visit);
  // The block covers the gap, three cells by eight.
  await lab.evaluate(() => lab.live.restart());
  await answered(lab);
  const gap = () =>
    lab.evaluate(() => {
      const { world } = lab.store.doc;
      const cells = Array.from({ length: 24 }, (_, i) => world.index(12, 3 + (i % 3), Math.floor(i / 3)));
      return cells.filter((cell) => lab.live.movement.covers(cell)).length;
    });
  assert.ok((await gap()) >= 21, "it is there");
  const [painted, wanted] = await lab.evaluate(async () => {
    const { palette } = await import("/js/board/palette.js");
    const { colourOf } = await import("/js/board/looks.js");
    const { GridScene } = await import("/js/board/grid-scene.js");
    lab.ui.set({ axis: 0, layers: lab.ui.layers.with(0, 12) });
    const { world } = lab.space.slice.store.doc;
    return [colourOf(new GridScene(world, null, null, null).lookOf(world.index(4, 4))), palette.parts("obstacle")];
  });
  assert.deepEqual(painted, wanted, "in a slice it has the colour that it has in the scene");
  const shapes = await shot(page, lab);
  await page.getByRole("group", { name: "Obstacles" }).getByRole("button", { name: "Cells" }).click();
  const cells = await shot(page, lab);
  assert.notEqual(cells, shapes);
  await ticks(lab, 45);
  assert.ok((await gap()) <= 15, "it has risen");
  assert.notEqual(await shot(page, lab), cells);

  await page.getByRole("group", { name: "Cells" }).getByRole("button", { name: "Search" }).click();
  await answered(lab);
  await ticks(lab, 5);
  assert.ok((await lab.evaluate(() => lab.live.units[0].touched?.length ?? 0)) > 0, "what the plan looked at");
  await page.getByRole("group", { name: "Cells" }).getByRole("button", { name: "Slice" }).click();
  await lab.drawn();

  // Searches see obstacles where they stopped: in the way, or not any more.
  const { at, count } = await lab.evaluate(() => ({ at: lab.live.units[0].cell, count: lab.live.movement.count }));
  assert.ok(at[0] > 1 && count > 0);
  await lab.button("Live").click();
  await lab.settled();
  assert.equal((await lab.result()).outcome, "found");
  await lab.search();
  const through = (await lab.result()).path.filter(([x]) => x === 12);
  assert.ok(through.length > 0 && through.every(([, y, z]) => y >= 3 && y <= 5 && z <= 4));
  await lab.evaluate(pauseFirst);
  await lab.button("Live").click();
  await lab.until(() => lab.live.active && lab.live.tick > 0, "the scene again");
  await answered(lab);
  await lab.button("Live").click();
  await lab.settled();
  assert.equal((await lab.result()).outcome, "unreachable", "the block is in the gap");
});

sharingSpaceTest("the inspector says which obstacle covers a cell, and drawings show it", async (visit) => {
  const { page, lab } = visit;
  await openScene(visit);
  await lab.evaluate(() => lab.live.restart());
  await answered(lab);
  const wordsOf = async (x, y, z) => {
    await lab.evaluate((place) => lab.ui.set({ cursor: lab.store.doc.world.index(...place) }), [x, y, z]);
    await lab.drawn();
    return page.locator(".cell-head .hint").innerText();
  };
  assert.equal(await wordsOf(12, 4, 4), "obstacle 1, “block”, box, patrols");
  assert.equal(await wordsOf(18, 4, 5), "obstacle 3, “rod”, capsule, rotates");
  assert.equal(await wordsOf(12, 1, 4), "solid, static");
  assert.match(await wordsOf(3, 3, 3), /^open, /);
  const coming = page.waitForEvent("download");
  await lab.button("Export").click();
  await page.getByRole("button", { name: /^Drawing SVG/ }).click();
  const chunks = [];
  for await (const chunk of await (await coming).createReadStream()) chunks.push(chunk);
  assert.match(Buffer.concat(chunks).toString(), /A\*: no path/, "the block is in the gap");
});

spaceTest("flying units can be walled in and moved; undo and other maps end the scene", async (visit) => {
  const { lab } = visit;
  const before = await lab.document();
  await openScene(visit);
  await lab.evaluate(() => lab.live.place({ unit: [20, 4, 4], target: [20, 4, 6] }));
  await ticks(lab, 60);
  assert.equal(await lab.evaluate(() => lab.live.units[0].state), "arrived");
  assert.equal(await lab.evaluate(() => lab.live.targetKind), "steer", "it does not move by itself any more");
  await lab.evaluate(() => {
    const { world } = lab.store.doc;
    const around = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z])));
    const shell = around.filter((step) => step.some((part) => part !== 0));
    lab.store.paint("shell", shell.map(([x, y, z]) => world.index(2 + x, 2 + y, 2 + z)), 0);
    lab.live.place({ target: [2, 2, 2] });
  });
  await ticks(lab, 5);
  const { state, message } = await lab.evaluate(() => {
    const { state, message } = lab.live.units[0];
    return { state, message };
  });
  assert.equal(state, "stuck");
  assert.match(message, /not connected/);
  await lab.button("Undo").click();
  await lab.button("Undo").click();
  await lab.settled();
  assert.deepEqual(await lab.document(), before);
  assert.equal(await lab.evaluate(() => lab.live.active || lab.store.doc.scene), null);
  await lab.button("Redo").click();
  await lab.until(() => lab.live.active && lab.store.doc.scene?.obstacles.length === 3, "the scene again");
});

spaceTest("scenes that are wrong are refused with a reason", { tolerate: /400/ }, async (visit) => {
  const { page, lab } = visit;
  const broken = { ...HALL, obstacles: [{ ...HALL.obstacles[0], box: [1, -1, 1] }] };
  for (const [text, expected] of [
    [JSON.stringify(broken), /obstacles\[0\].*half extent y is -1/],
    [JSON.stringify({ ...HALL, size: [4000, 4000, 4000] }), /out of range|too many/],
    ['{"surefoot": "scene", "version": 1,', /hall\.scene\.json: /],
  ]) {
    const chooser = page.waitForEvent("filechooser");
    await lab.button("Open file").click();
    const file = { name: "hall.scene.json", mimeType: "application/json", buffer: Buffer.from(text) };
    await (await chooser).setFiles(file);
    await lab.heard(expected);
  }
  assert.equal((await lab.document()).kind, "grid");
});

spaceTest("a link holds the scene", async (visit) => {
  const { lab } = visit;
  await openScene(visit);
  await lab.evaluate(() => lab.ui.set({ obstacles: "cells" }));
  const hash = await lab.evaluate(async () => (await import("/js/core/link.js")).writeLink(lab));
  const other = await visit.newTab();
  await other.evaluate((hash) => (location.hash = hash), hash);
  await other.until(() => lab.live.active && lab.live.tick > 0, "a scene that moves");
  assert.deepEqual(await other.evaluate(() => lab.store.doc.scene.json), await lab.evaluate(() => lab.store.doc.scene.json));
  assert.equal(await other.evaluate(() => lab.ui.obstacles), "cells");
});

sharingSpaceTest("slices along x and y are painted, with z upwards", async ({ page, lab }) => {
  await lab.evaluate(() => {
    lab.actions.newSpace([9, 7, 5]);
    lab.ui.set({ sliceEditor: true, layers: [4, 3, 2], axis: 0 });
  });
  await lab.settled();
  const point = ([x, y]) =>
    lab.evaluate(
      ([x, y]) => {
        const { camera } = lab.space.slice;
        const box = document.querySelector("canvas[data-slice]").getBoundingClientRect();
        const [across, down] = [(x + 0.5 - camera.x) * camera.scale, (y + 0.5 - camera.y) * camera.scale];
        return [box.left + box.width / 2 + across, box.top + box.height / 2 + down];
      },
      [x, y],
    );
  const solid = () =>
    lab.evaluate(() => {
      const { world } = lab.store.doc;
      return [...world.cost.keys()].filter((cell) => world.cost[cell] === 0).map((cell) => world.place(cell).join());
    });
  await lab.drawn();
  // Across is y, and the picture's lowest row is z 0.
  await page.mouse.click(...(await point([5, 4])));
  assert.deepEqual(await solid(), ["4,5,0"]);
  const axes = page.locator(".slice-editor").getByRole("group", { name: "Axis" });
  await axes.getByRole("button", { name: "y", exact: true }).click();
  await lab.drawn();
  await page.mouse.click(...(await point([7, 0])));
  assert.deepEqual(await solid(), ["4,5,0", "7,3,4"]);
  // The start is in this layer, at x 1, z 2; it is dragged up.
  await page.mouse.move(...(await point([1, 2])));
  await page.mouse.down();
  await page.mouse.move(...(await point([2, 1])), { steps: 4 });
  await page.mouse.up();
  assert.deepEqual((await lab.document()).start, [2, 3, 3]);
  await lab.button("Undo").click();
  await lab.button("Undo").click();
  assert.deepEqual(await solid(), ["4,5,0"]);
  await lab.search();
  const path = await lab.evaluate(() => lab.space.slice.runner.boards[0].result.path);
  assert.deepEqual([path[0], path.at(-1)], [[1, 2], [7, 2]], "the path lies in this layer");
  await page.locator("canvas[data-slice]").focus();
  await page.keyboard.press("PageUp");
  await lab.heard(/Layer 4 along y/);
});
