// Two to four boards on one map.

import assert from "node:assert/strict";
import { labTest, sharingTest } from "./support/browser.js";
import { TERRAIN } from "./support/maps.js";

/** A row of the results per board: `{name, cells: [{text, mark}]}`. */
const tableOf = (page) =>
  page.getByRole("table", { name: "Results of the race" }).evaluate((table) =>
    [...table.tBodies[0].rows].map((row) => ({
      name: row.cells[0].textContent,
      cells: [...row.cells].slice(1).map((cell) => ({ text: cell.textContent, mark: cell.className })),
    })),
  );

sharingTest("two boards: the table marks best and worst, with symbols too", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.button("Add board").click();
  await page.getByRole("combobox", { name: "Algorithm" }).selectOption({ label: "Dijkstra" });
  await lab.settled();
  assert.deepEqual((await lab.document()).boards.map(({ algorithm }) => algorithm), ["astar", "dijkstra"]);
  await lab.evaluate(() => lab.player.set({ speed: Infinity }));
  await lab.button("Run").click();
  await lab.settled();
  await lab.until(() => lab.player.position === lab.player.length && lab.player.length > 0, "the end");
  await lab.until(() => lab.runner.boards.every((run) => run.timing), "measured times");
  await lab.drawn();
  const [astar, dijkstra] = await tableOf(page);
  assert.match(astar.name, /A\*/);
  assert.match(dijkstra.name, /Dijkstra/);
  const results = [await lab.result(0), await lab.result(1)];
  assert.ok(results[0].expanded < results[1].expanded);
  assert.equal(astar.cells[0].mark, "best");
  assert.match(astar.cells[0].text, /★/);
  assert.equal(dijkstra.cells[0].mark, "worst");
  assert.match(dijkstra.cells[0].text, /▼/);
  const colours = await page.locator("td.best, td.worst").evaluateAll((cells) =>
    cells.map((cell) => [cell.className, getComputedStyle(cell).color]),
  );
  const of = (name) => colours.find(([mark]) => mark === name)[1];
  assert.notEqual(of("best"), of("worst"));
  assert.equal(results[0].cost, results[1].cost);
  const facts = page.getByRole("region", { name: "This run" });
  const peaks = await facts.locator("dt").evaluateAll((terms) =>
    terms.filter((term) => /peak/i.test(term.textContent)).map((term) => [term.textContent, term.nextElementSibling.textContent]),
  );
  assert.deepEqual(peaks, [["Peak open", dijkstra.cells[2].text.replace(/[^\d,]/g, "")]], "one figure with one name");
  assert.match(await page.locator("#race").innerText(), /All paths cost the same/);
});

sharingTest("four boards, no fifth; one can go", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  const add = lab.button("Add board");
  for (let count = 2; count <= 4; count++) {
    await add.click();
    await lab.until((count) => lab.boards.views.length === count, `${count} boards`, count);
  }
  assert.ok((await add.count()) === 0 || (await add.isDisabled()) || !(await add.isVisible()));
  await lab.search();
  const boards = page.getByRole("application");
  assert.equal(await boards.count(), 4);
  for (const board of await boards.all()) {
    const { width, height } = await board.boundingBox();
    assert.ok(width > 150 && height > 100, `${width} x ${height}`);
  }
  assert.equal((await tableOf(page)).length, 4);
  const algorithms = (await lab.document()).boards.map(({ algorithm }) => algorithm);
  assert.equal(new Set(algorithms).size, 4, "each has an algorithm of its own");
  await lab.button("Remove board 2").click();
  await lab.settled();
  assert.deepEqual(
    (await lab.document()).boards.map(({ algorithm }) => algorithm),
    algorithms.filter((_, board) => board !== 1),
  );
  assert.equal((await tableOf(page)).length, 3);
  assert.equal((await lab.result(2)).outcome, "found");
});

// A width that leaves whole pixels for both.
const EVEN = { viewport: { width: 1281, height: 800 } };

labTest("boards with the same settings show the same picture, step by step", EVEN, async ({ lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.evaluate(() => lab.actions.addBoard());
  await lab.set({ algorithm: "astar" }, 1);
  await lab.evaluate(() => lab.fit());
  await lab.search();
  const length = await lab.steps();
  for (const step of [length, Math.floor(length / 2), 3]) {
    await lab.seek(step);
    assert.equal(await lab.picture(0), await lab.picture(1), `step ${step}`);
  }
  await lab.button("First difference").click();
  await lab.heard(/No difference/);
  await lab.set({ heuristic: "zero" }, 1);
  await lab.seek(Math.floor(length / 2));
  assert.notEqual(await lab.picture(0), await lab.picture(1));
});

sharingTest(
  "locked by time, the faster board is ahead; by expansions both are at one step",
  async ({ page, lab }) => {
    await lab.show(TERRAIN.rows, TERRAIN.places);
    await lab.evaluate(() => lab.actions.addBoard());
    await lab.set({ algorithm: "dijkstra" }, 1);
    await lab.search();
    await lab.until(() => lab.runner.boards.every((run) => run.timing), "measured times");
    await lab.seek(20);
    assert.deepEqual([await lab.step(0), await lab.step(1)], [20, 20]);
    await page.getByRole("radio", { name: "Measured time" }).check();
    const length = await lab.evaluate(() => lab.player.length);
    await lab.seek(Math.floor(length / 3));
    const shares = await lab.evaluate(() =>
      lab.runner.boards.map((run, board) => ({
        share: lab.player.stepOf(board) / run.timeline.steps,
        steps: run.timeline.steps,
        us: run.timing.median_us,
      })),
    );
    const slowest = Math.max(...shares.map(({ us }) => us));
    for (const { share, steps, us } of shares) {
      assert.ok(
        Math.abs(share - Math.min(1, slowest / us / 3)) < 2 / steps + 0.02,
        `${share} with ${us} of ${slowest} µs`,
      );
    }
    await page.getByRole("radio", { name: "Expansions" }).check();
    await lab.seek(20);
    assert.deepEqual([await lab.step(0), await lab.step(1)], [20, 20]);
  },
);

sharingTest("jump to the first difference", async ({ lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.evaluate(() => lab.actions.addBoard());
  await lab.set({ algorithm: "dijkstra" }, 1);
  await lab.search();
  await lab.button("First difference").click();
  await lab.heard(/First difference at step \d+/);
  const { step, wanted } = await lab.evaluate(() => {
    const [a, b] = lab.runner.boards.map((run) => run.timeline);
    let wanted = 1;
    while (a.nodeOfStep(wanted) === b.nodeOfStep(wanted)) wanted++;
    return { step: lab.player.stepOf(0), wanted };
  });
  assert.equal(step, wanted);
});

sharingTest("a preset race is one press away", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await page.getByRole("group", { name: "Preset races" }).getByRole("button").first().click();
  await lab.until(() => lab.store.doc.boards.length >= 2, "boards");
  await lab.settled();
  assert.ok((await lab.result(1)).outcome === "found");
  await lab.button("Undo").click();
  assert.equal((await lab.document()).boards.length, 1);
});
