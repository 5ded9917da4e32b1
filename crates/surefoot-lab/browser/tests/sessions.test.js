// Tabs, a server that goes away, searches that fail, input that is wrong.

import assert from "node:assert/strict";
import { labTest, sharingTest } from "./support/browser.js";
import { SMALL, TERRAIN } from "./support/maps.js";
import { Server } from "./support/server.js";

labTest("two tabs have two worlds", async (visit) => {
  const first = visit.lab;
  await first.show(TERRAIN.rows, TERRAIN.places);
  const second = await visit.newTab();
  await second.show(SMALL.rows, SMALL.places);
  await second.set({ algorithm: "dijkstra" });
  // A tab in the background draws no frames: the one that is looked at is in front.
  for (let round = 0; round < 2; round++) {
    await first.page.bringToFront();
    await first.search();
    const a = await first.result();
    assert.deepEqual(a.path.at(-1), TERRAIN.places.goals[0]);
    await second.page.bringToFront();
    await second.search();
    const b = await second.result();
    assert.deepEqual(b.path.at(-1), SMALL.places.goals[0]);
    assert.deepEqual([(await first.document()).width, (await second.document()).width], [24, 9]);
  }
});

labTest("the server is killed and started again: the page comes back with its map", async (visit) => {
  const own = await Server.start();
  const { port } = own;
  let again = null;
  try {
    visit.server = own;
    // Chromium notes every attempt to connect on its console.
    visit.tolerate = /WebSocket connection to|ERR_CONNECTION_REFUSED/;
    const lab = await visit.newTab();
    await lab.show(TERRAIN.rows, TERRAIN.places);
    await lab.search();
    const before = await lab.document();
    await own.kill();
    await lab.until(() => !lab.connection.isOpen && !lab.ui.connected, "the loss");
    await lab.page.getByText(/server/i).locator("visible=true").first().waitFor();
    // Painting goes on without it.
    await lab.drag([[13, 0], [13, 4]]);
    assert.equal(await lab.cost([13, 2]), 0);
    again = await Server.start(port);
    assert.equal(again.port, port);
    await lab.until(() => lab.connection.isOpen && lab.ui.connected, "the connection");
    await lab.settled();
    const after = await lab.document();
    assert.notDeepEqual(after.cost, before.cost);
    await lab.drag([[21, 7], [21, 12]]);
    await lab.settled();
    const { path, outcome } = await lab.result();
    assert.equal(outcome, "found");
    assert.deepEqual(path.at(-1), [21, 12]);
    assert.ok(path.every(([x, y]) => x !== 13 || y > 4), "the server knows what was painted meanwhile");
    await lab.button("Run").click();
    await lab.until(() => lab.player.length > 0, "a new search");
    await lab.page.close();
  } finally {
    await own.kill();
    await again?.kill();
  }
});

sharingTest("a goal that cannot be reached: the reason is said and shown", async ({ page, lab }) => {
  const rows = ["..........", "......###.", "......#.#.", "......###.", ".........."];
  await lab.show(rows, { start: [1, 2], goals: [[9, 2]] });
  const open = await lab.picture();
  assert.match(await page.locator(".board-header").first().innerText(), /✓ optimal/);
  await lab.evaluate(() => lab.actions.setGoals([[7, 2]]));
  await lab.settled();
  const { outcome, message, region } = await lab.result();
  assert.equal(outcome, "unreachable");
  assert.ok(message.length > 10);
  assert.equal(region.of, "goal");
  await page.getByText(message.slice(0, 25), { exact: false }).locator("visible=true").first().waitFor();
  assert.notEqual(await lab.picture(), open);
  for (const badge of [page.locator(".board-header").first(), page.locator(".promise-line")]) {
    assert.match(await badge.innerText(), /no path/);
    assert.doesNotMatch(await badge.innerText(), /optimal/, "there is no path that could be");
  }
  await lab.button("Run").click();
  await lab.heard(new RegExp(message.slice(0, 15).replaceAll(/[^\w ]/g, "."), "i"));
});

sharingTest("coordinates are typed, and wrong ones are refused with a word", async ({ page, lab }) => {
  await lab.show(SMALL.rows, SMALL.places);
  const start = page.getByRole("textbox", { name: "Start" });
  const goal = page.getByRole("textbox", { name: "Goal" });
  const type = async (field, text) => {
    await field.fill(text);
    await field.press("Enter");
    await lab.drawn();
  };
  await type(start, "0, 6");
  await type(goal, "8 0");
  await lab.settled();
  let doc = await lab.document();
  assert.deepEqual([doc.start, doc.goals], [[0, 6], [[8, 0]]]);
  assert.deepEqual((await lab.result()).path.at(-1), [8, 0]);
  for (const wrong of ["9, 0", "0, 7", "-1, 0", "x", "1", "1, 2, 3", "1.5, 2", ""]) {
    await type(goal, wrong);
    assert.equal(await goal.getAttribute("aria-invalid"), "true", wrong);
    const words = await goal.evaluate(
      (it) => document.getElementById(it.getAttribute("aria-describedby"))?.textContent ?? "",
    );
    assert.ok(words.length > 5, `${wrong}: ${words}`);
    assert.deepEqual((await lab.document()).goals, [[8, 0]], wrong);
  }
  await type(goal, "8, 6");
  doc = await lab.document();
  assert.deepEqual(doc.goals, [[8, 6]]);
  assert.equal(await goal.getAttribute("aria-invalid"), "false");
});

sharingTest("a start on a wall is an answer, not an accident", async ({ page, lab }) => {
  await lab.show(SMALL.rows, SMALL.places);
  const start = page.getByRole("textbox", { name: "Start" });
  await start.fill("4, 2");
  await start.press("Enter");
  await lab.settled();
  const refused = (await start.getAttribute("aria-invalid")) === "true";
  const { result, error } = await lab.evaluate(() =>
    structuredClone({ result: lab.runner.boards[0].result, error: lab.runner.boards[0].error }),
  );
  assert.ok(refused || error || result.outcome === "unreachable");
  await start.fill("1, 1");
  await start.press("Enter");
  await lab.settled();
  assert.equal((await lab.result()).outcome, "found");
});

sharingTest("a search that takes too long can be cancelled, and the next one runs", async ({ page, lab }) => {
  // Iterative deepening on terrain of this size would practically never end.
  await lab.evaluate(() => lab.actions.generate("terrain", 160, 120, 5));
  await lab.settled();
  await lab.evaluate(() => lab.actions.setBoard(0, { algorithm: "ida_star" }));
  await page.getByRole("button", { name: "Cancel the search on board 1" }).click();
  await lab.until(() => !lab.runner.boards[0].busy, "the end of it");
  assert.equal((await lab.result()).outcome, "cancelled");
  await page.getByText(/cancelled/).locator("visible=true").first().waitFor();
  await lab.set({ algorithm: "astar" });
  assert.equal((await lab.result()).outcome, "found");
});
