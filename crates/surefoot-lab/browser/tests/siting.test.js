// What planners know, choke cells, and buildings that say what they would do.

import assert from "node:assert/strict";
import { sharingTest } from "./support/browser.js";
import { answered, goLive, oneTick } from "./support/live.js";
import { TERRAIN } from "./support/maps.js";

/** Two rooms with one door, at 10, 5. */
const ROOMS = Array.from({ length: 11 }, (_, y) => `${".".repeat(10)}${y === 5 ? "." : "#"}${".".repeat(10)}`);
const PLACES = { start: [2, 5], goals: [[18, 5]] };
const DOOR = [10, 5];

const adviceOf = (page) => page.getByRole("status", { name: "Effect of the building" });

/** Waits for the answer about the building where it is held. */
const advised = (lab) =>
  lab.until(() => lab.builder.ghost && lab.builder.ghost.state !== "asking" && lab.builder.ghost.state, "advice");

async function sizeOne(page) {
  await page.getByRole("combobox", { name: "Building width" }).selectOption("1");
  await page.getByRole("combobox", { name: "Building height" }).selectOption("1");
}

sharingTest("the planner's view: what the inspector says agrees with itself", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.set({ algorithm: "d_star_lite" });
  await goLive(lab);
  await page.mouse.move(0, 0);
  const plain = await lab.picture();
  await page.getByRole("checkbox", { name: "Planner’s view" }).check();
  await lab.until(() => lab.live.units[0].knowledge?.inspect(lab.store.doc.world.index(21, 7)), "the root");
  assert.notEqual(await lab.picture(), plain, "cells have the colours of their standing");
  await answered(lab);
  const inspector = page.getByRole("region", { name: "Inspected cell" });
  const cells = await lab.evaluate(() => {
    const { knowledge } = lab.live.units[0];
    const { nodeCount } = lab.store.doc.world;
    const known = Array.from({ length: nodeCount }, (_, cell) => cell).filter((cell) => knowledge.inspect(cell));
    const of = (standing) => known.filter((cell) => (knowledge.inspect(cell).standing === "consistent") === standing);
    return [...of(true).slice(0, 4), ...of(false).slice(0, 4)].map((cell) => lab.store.doc.world.place(cell));
  });
  assert.ok(cells.length > 3, `${cells.length} cells`);
  for (const [x, y] of cells) {
    await page.mouse.move(...(await lab.point([x, y])));
    await inspector.getByText(`Cell ${x}, ${y}`).waitFor();
    await lab.drawn();
    const said = await inspector.evaluate((section) =>
      Object.fromEntries([...section.querySelectorAll("dt")].map((dt) => [dt.textContent, dt.nextElementSibling.textContent])),
    );
    assert.match(said.Consistency, /consistent/);
    if (said.Consistency === "consistent") assert.equal(said.g, said.rhs, JSON.stringify(said));
    else assert.notEqual(said.g, said.rhs, JSON.stringify(said));
    const key = said.Key.split(" · ").map((text) => Number(text.replace("∞", "Infinity").replace(",", "")));
    const least = Math.min(...[said.g, said.rhs].map((text) => Number(text.replace("∞", "Infinity").replace(",", ""))));
    if (Number.isFinite(key[1])) assert.ok(Math.abs(key[1] - least) < 0.02, `the key's second part is the lesser: ${JSON.stringify(said)}`);
  }
  // Close by, numbers are written into the cells.
  await page.mouse.move(0, 0);
  await lab.evaluate(() => lab.camera.set(20, 7, 66));
  const close = await lab.picture();
  await page.getByRole("checkbox", { name: "Planner’s view" }).uncheck();
  await lab.until(() => lab.live.units[0].path.length > 0, "a path");
  assert.notEqual(await lab.picture(), close);
});

sharingTest("choke cells are marked, in step with the map", async ({ page, lab }) => {
  await lab.show(ROOMS, PLACES);
  await page.mouse.move(0, 0);
  const plain = await lab.picture();
  await page.getByRole("checkbox", { name: "Choke cells" }).check();
  await lab.until(([x, y]) => lab.chokes.cells?.includes(lab.store.doc.world.index(x, y)), "the door", DOOR);
  assert.notEqual(await lab.picture(), plain);
  await lab.evaluate(() => lab.store.paint("second door", [lab.store.doc.world.index(10, 8)], 1));
  await lab.until(([x, y]) => !lab.chokes.cells.includes(lab.store.doc.world.index(x, y)), "one door of two", DOOR);
  await lab.button("Undo").click();
  await lab.settled();
  await page.getByRole("checkbox", { name: "Choke cells" }).uncheck();
  await page.mouse.move(0, 0);
  assert.equal(await lab.picture(), plain, "without marks it looks as before");
});

sharingTest("a building at the door would block the only path: it is built when asked twice", async ({ page, lab }) => {
  await lab.show(ROOMS, PLACES);
  await page.getByRole("region", { name: "Brush" }).getByRole("button", { name: "Building" }).click();
  await sizeOne(page);
  const door = await lab.point(DOOR);
  await page.mouse.move(...door);
  assert.equal(await advised(lab), "cut");
  await lab.drawn();
  assert.equal(await adviceOf(page).textContent(), "This blocks the only path");
  await page.mouse.click(...door);
  assert.equal(await lab.cost(DOOR), 1, "not at once");
  await lab.heard(/This blocks the only path.*build anyway/);
  await page.mouse.click(...door);
  assert.equal(await lab.cost(DOOR), 0);
  await lab.settled();
  assert.equal((await lab.result()).outcome, "unreachable");
  await lab.button("Undo").click();
  assert.equal(await lab.cost(DOOR), 1, "a building is one step of the history");
  // With shift it needs no second time.
  await page.mouse.move(...(await lab.point([14, 9])));
  await page.keyboard.down("Shift");
  await page.mouse.click(...door);
  await page.keyboard.up("Shift");
  assert.equal(await lab.cost(DOOR), 0);
});

sharingTest("a building aside is free, one on the way makes it longer, one on the goal is refused", async ({ page, lab }) => {
  await lab.show(ROOMS, PLACES);
  await page.keyboard.press("b");
  assert.equal(await lab.evaluate(() => lab.ui.tool), "building");
  await page.mouse.move(...(await lab.point([3, 1])));
  assert.equal(await advised(lab), "free");
  await page.mouse.click(...(await lab.point([3, 1])));
  await lab.until(() => lab.store.undoLabel === "building", "a building");
  for (const cell of [[3, 1], [4, 1], [3, 2], [4, 2]]) assert.equal(await lab.cost(cell), 0, `${cell}`);
  await page.mouse.move(...(await lab.point([6, 5])));
  await lab.until(() => lab.builder.ghost?.state === "longer", "a longer way");
  await lab.drawn();
  assert.match(await adviceOf(page).textContent(), /^\+[\d.]+ longer \(\d+%\)$/);
  await page.mouse.move(...(await lab.point([18, 5])));
  await lab.until(() => lab.builder.ghost?.state === "taken", "the goal");
  await page.mouse.click(...(await lab.point([17, 4])));
  assert.equal(await lab.cost([17, 4]), 1);
});

sharingTest("while units walk the building asks about their path; and with keys", async ({ page, lab }) => {
  await lab.show(ROOMS, PLACES);
  await goLive(lab);
  await page.mouse.move(0, 0);
  await page.getByRole("application").focus();
  await page.keyboard.press("b");
  await page.keyboard.press("ArrowRight");
  for (let x = 2; x < DOOR[0]; x++) await page.keyboard.press("ArrowRight");
  await lab.until(([x, y]) => lab.ui.cursor === lab.store.doc.world.index(x, y), "the cursor at the door", DOOR);
  await sizeOne(page);
  assert.equal(await advised(lab), "cut");
  await page.getByRole("application").focus();
  await page.keyboard.press("Enter");
  await lab.heard(/This blocks the only path/);
  await page.keyboard.press("Shift+Enter");
  await lab.until(([x, y]) => lab.store.doc.world.cost[lab.store.doc.world.index(x, y)] === 0, "the building", DOOR);
  await oneTick(lab);
  await lab.until(() => lab.live.units[0].state === "stuck", "a stuck unit");
});
