// Units that walk while the map changes under them.

import assert from "node:assert/strict";
import { labTest, sharingTest } from "./support/browser.js";
import { ahead, answered, crawl, goLive, oneTick, replanRows, unitOf, walkToTheEnd } from "./support/live.js";
import { GRAPH, TERRAIN } from "./support/maps.js";

const walls = async (lab) => (await lab.document()).cost.filter((cost) => cost === 0).length;
const headerOf = (page, board = 0) => page.locator(".board-header").nth(board);

sharingTest("a unit walks and arrives; the document does not notice", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  const before = await lab.document();
  const label = await lab.evaluate(() => lab.store.undoLabel);
  await goLive(lab, { playing: true });
  assert.equal(await lab.button("Live").getAttribute("aria-pressed"), "true");
  assert.match(await headerOf(page).innerText(), /walking/);
  await walkToTheEnd(lab);
  await lab.heard(/unit: arrived/i);
  assert.match(await headerOf(page).innerText(), /arrived/);
  const { cell, travelled } = await unitOf(lab);
  assert.deepEqual(cell, TERRAIN.places.goals[0]);
  assert.ok(travelled > 19, `${travelled} cells`);
  assert.deepEqual(await lab.document(), before);
  assert.equal(await lab.evaluate(() => lab.store.undoLabel), label);
  await crawl(lab);
  await lab.button("Restart").click();
  await lab.until(() => lab.live.units[0].state === "walking", "a new walk");
  await lab.button("Live").click();
  await lab.settled();
  assert.equal((await lab.result()).outcome, "found", "searches again");
  assert.ok(await lab.button("Run").isVisible());
});

sharingTest("a wall on the path makes it replan, and it still arrives", async ({ lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.set({ algorithm: "d_star_lite" });
  await goLive(lab);
  const replans = () => lab.evaluate(() => lab.live.replans.totals[0].replans);
  const before = await replans();
  const path = await ahead(lab);
  const wall = path[6];
  await lab.drag([wall, wall]);
  assert.equal(await lab.cost(wall), 0);
  await walkToTheEnd(lab);
  assert.ok((await replans()) > before, "it replanned");
  const { trail } = await unitOf(lab);
  assert.ok(!trail.some((at) => at && Math.floor(at[0]) === wall[0] && Math.floor(at[1]) === wall[1]));
  await lab.button("Undo").click();
  assert.equal(await lab.cost(wall), 1, "the stroke is one entry of the history");
});

sharingTest("D* Lite beside A*, on the same edits: both show what they expand", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.evaluate(() => {
    const [board] = lab.store.doc.boards;
    lab.store.change("boards", { boards: ["d_star_lite", "astar"].map((algorithm) => ({ ...board, algorithm })) });
  });
  await lab.settled();
  await goLive(lab);
  await lab.button("Drop walls").click();
  await oneTick(lab);
  await lab.until(() => lab.live.replans.totals.every(({ replans }) => replans > 0), "replans on both boards");
  await lab.drawn();
  const rows = await replanRows(page);
  assert.deepEqual(rows.map(({ Board }) => /\d · (.*)/.exec(Board)[1]), ["D* Lite", "A*"]);
  for (const row of rows) {
    assert.ok(Number(row["First plan"].replace(",", "")) > 0, JSON.stringify(row));
    assert.ok(Number(row.Expanded.replace(",", "")) > 0, JSON.stringify(row));
  }
  const chart = page.getByRole("img", { name: /^Expansions of each replan/ });
  assert.match(await chart.getAttribute("aria-label"), /D\* Lite expands .* nodes per replan.*A\* expands/);
  await walkToTheEnd(lab);
  const [lite, astar] = [await unitOf(lab, 0), await unitOf(lab, 1)];
  assert.deepEqual(lite.cell, astar.cell);
  await lab.heard(/Board \d, [^:]+: arrived/);
  assert.match(await headerOf(page, 1).innerText(), /arrived/);
});

sharingTest("walls dropped by button lie on the path and go in one step", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await goLive(lab);
  const before = await walls(lab);
  const path = new Set((await ahead(lab)).map(String));
  const count = page.getByRole("combobox", { name: "Number of walls" });
  await count.selectOption("3");
  await lab.button("Drop walls").click();
  assert.equal(await walls(lab), before + 3);
  await lab.heard(/3 walls dropped/);
  const { cost, width } = await lab.document();
  const fresh = cost.flatMap((value, i) => (value === 0 && path.has(`${i % width},${Math.floor(i / width)}`) ? [i] : []));
  assert.equal(fresh.length, 3, "all three on the path");
  await lab.button("Undo").click();
  assert.equal(await walls(lab), before);
  await count.selectOption("0");
  await lab.button("Drop walls").click();
  await lab.heard(/No walls dropped/);
  assert.equal(await walls(lab), before);
});

sharingTest("places of unit and target can be typed", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await goLive(lab);
  const unit = page.getByRole("textbox", { name: "Unit at" });
  await unit.fill("5, 12");
  await unit.press("Enter");
  assert.deepEqual((await unitOf(lab)).cell, [5, 12]);
  await oneTick(lab);
  // By then it may be on its first step.
  const isNear = () => {
    const [x, y] = lab.live.units[0].path[0];
    return Math.abs(x - 5) <= 1 && Math.abs(y - 12) <= 1;
  };
  await lab.until(isNear, "a path from there");
  await unit.fill("10, 3");
  await unit.press("Enter");
  assert.match(await page.getByRole("region", { name: "Live" }).innerText(), /is a wall/);
  assert.notDeepEqual((await unitOf(lab)).cell, [10, 3]);
  const target = page.getByRole("textbox", { name: "Target at" });
  await target.fill("20, 1");
  await target.press("Enter");
  await walkToTheEnd(lab);
  assert.deepEqual((await unitOf(lab)).cell, [20, 1]);
  const { start, goals } = await lab.document();
  assert.deepEqual({ start, goals }, TERRAIN.places, "the document's places stay");
});

sharingTest("a target that is dragged is followed, and is no entry of the history", async ({ lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  const label = await lab.evaluate(() => lab.store.undoLabel);
  await goLive(lab);
  await lab.drag([TERRAIN.places.goals[0], [5, 12]]);
  assert.deepEqual(await lab.evaluate(() => lab.live.target), [5, 12]);
  await walkToTheEnd(lab);
  assert.deepEqual((await unitOf(lab)).cell, [5, 12]);
  assert.deepEqual((await lab.document()).goals, TERRAIN.places.goals);
  assert.equal(await lab.evaluate(() => lab.store.undoLabel), label);
});

sharingTest("a target flees, and the unit replans on its heels", async ({ page, lab }) => {
  await lab.show(Array(14).fill(".".repeat(24)), { start: [8, 7], goals: [[12, 7]] });
  await lab.set({ algorithm: "mt_d_star_lite" });
  await goLive(lab);
  await page.getByRole("combobox", { name: "Target", exact: true }).selectOption({ label: "Flees" });
  await lab.button("Play").click();
  await lab.until(() => `${lab.live.target}` !== "12,7", "another place of the target");
  await lab.until(() => lab.live.replans.totals[0].replans > 3, "some replans");
  await lab.drawn();
  assert.ok(await page.getByRole("spinbutton", { name: "Target speed" }).isVisible());
});

sharingTest("the planner's view and another habit of the target leave planners as they are", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.evaluate(() => {
    const [board] = lab.store.doc.boards;
    lab.store.change("boards", { boards: ["d_star_lite", "astar"].map((algorithm) => ({ ...board, algorithm })) });
  });
  await lab.settled();
  await goLive(lab);
  await lab.evaluate(() => lab.live.step(90));
  await answered(lab);
  await lab.button("Drop walls").click();
  await oneTick(lab);
  const planned = async () => {
    await lab.drawn();
    return (await replanRows(page)).map((row) => [row["First plan"], row.Replans, row.Expanded]);
  };
  const before = await planned();
  for (const [, replans] of before) assert.ok(Number(replans) > 0, `${before}`);
  const view = page.getByRole("checkbox", { name: "Planner’s view" });
  await view.check();
  await lab.until(() => lab.live.units[0].knowledge?.inspect(lab.store.doc.world.index(21, 7)), "all that is known");
  assert.deepEqual(await planned(), before, "watched");
  await oneTick(lab);
  await view.uncheck();
  await answered(lab);
  await oneTick(lab);
  assert.equal(await lab.evaluate(() => lab.live.units[0].knowledge), null);
  assert.deepEqual(await planned(), before, "not watched any more");
  const target = page.getByRole("combobox", { name: "Target", exact: true });
  await target.selectOption({ label: "Dragged" });
  await oneTick(lab);
  await target.selectOption({ label: "Stays in place" });
  await oneTick(lab);
  assert.deepEqual(await planned(), before, "with a target that goes nowhere");
  const firsts = before.map(([first]) => first);
  await target.selectOption({ label: "Wanders" });
  await lab.evaluate(() => lab.live.step(120));
  await answered(lab);
  assert.notDeepEqual(await lab.evaluate(() => lab.live.target), [21, 7]);
  assert.deepEqual((await planned()).map(([first]) => first), firsts, "with one that walks there are replans, no first plan");
});

sharingTest("a unit that is walled in says so, and goes on when it is free", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await goLive(lab);
  const [x, y] = TERRAIN.places.goals[0];
  await lab.evaluate(
    ([x, y]) => {
      const { store } = lab;
      const around = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [x + dx, y + dy]));
      const cells = around.filter(([a, b]) => a !== x || b !== y).map((place) => store.doc.world.indexOf(place));
      store.paint("ring", cells, 0);
    },
    [x, y],
  );
  await oneTick(lab);
  await lab.until(() => lab.live.units[0].state === "stuck", "a stuck unit");
  await lab.heard(/stuck: \w+/);
  assert.match(await headerOf(page).innerText(), /stuck: \w+/);
  await lab.button("Undo").click();
  await walkToTheEnd(lab);
});

sharingTest("how far units see is drawn and told", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.set({ algorithm: "d_star_lite" });
  await goLive(lab);
  await page.mouse.move(0, 0);
  const before = await lab.picture();
  const sensing = page.getByRole("spinbutton", { name: "Sensor range" });
  await sensing.fill("4");
  await sensing.press("Enter");
  await lab.until(() => lab.live.sensing === 4 && lab.live.units[0].path.length > 0, "the option");
  assert.notEqual(await lab.picture(), before);
  await walkToTheEnd(lab);
});

sharingTest("with keys alone", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  const press = (key) => page.keyboard.press(key);
  await crawl(lab);
  await page.getByRole("application").focus();
  await press("v");
  await lab.until(() => lab.live.units[0]?.path.length > 0, "a unit");
  await press("Space");
  await lab.until(() => !lab.live.playing, "a pause");
  await answered(lab);
  const tick = await lab.evaluate(() => lab.live.tick);
  await press(".");
  await lab.until((tick) => lab.live.tick === tick + 1, "one tick", tick);
  const before = await walls(lab);
  await press("d");
  assert.equal(await walls(lab), before + 1);
  await press("Control+z");
  assert.equal(await walls(lab), before);
  // The cursor begins at the document's start; the target goes to the cell above it.
  await press("ArrowUp");
  await press("ArrowUp");
  await lab.until(() => lab.ui.cursor === lab.store.doc.world.index(2, 6), "the cursor above the start");
  await press("t");
  assert.deepEqual(await lab.evaluate(() => lab.live.target), [2, 6]);
  const speed = await lab.evaluate(() => lab.live.speed);
  await press("]");
  assert.ok((await lab.evaluate(() => lab.live.speed)) > speed);
  await press("Space");
  await lab.heard(/arrived/);
  assert.deepEqual((await unitOf(lab)).cell, [2, 6]);
  await press("r");
  await lab.until(() => `${lab.live.target}` === "21,7", "the goal as the target again");
  await press("v");
  await lab.settled();
  assert.equal(await lab.evaluate(() => lab.live.active), false);
});

labTest(
  "on a phone: the switch, the options and the chart are there, nothing sticks out",
  { viewport: { width: 360, height: 740 }, hasTouch: true },
  async ({ page, lab }) => {
    await lab.show(TERRAIN.rows, TERRAIN.places);
    await crawl(lab);
    await lab.button("Live").tap();
    await lab.until(() => lab.live.units[0]?.path.length > 0, "a unit");
    const tabs = page.getByRole("navigation", { name: "Panels" });
    await tabs.getByRole("button", { name: "Tools" }).tap();
    const before = await walls(lab);
    await lab.button("Pause").tap();
    await lab.button("Drop walls").tap();
    assert.equal(await walls(lab), before + 1);
    await tabs.getByRole("button", { name: "Log" }).tap();
    await page.getByRole("img", { name: /^Expansions of each replan/ }).waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    for (const control of [lab.button("Play"), lab.button("Live"), lab.button("One tick")]) {
      const box = await control.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 360 && box.y + box.height <= 740, `${control}`);
    }
  },
);

sharingTest("on graphs the switch says why not", async ({ lab }) => {
  await lab.showWorld(GRAPH.world, GRAPH.start, GRAPH.goals);
  const live = lab.button("Live");
  assert.ok(await live.isDisabled());
  assert.match(await live.getAttribute("title"), /not on graphs/);
});
