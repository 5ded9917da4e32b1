// Every algorithm that the server offers runs, on grids and on graphs.

import assert from "node:assert/strict";
import { labTest, sharingTest } from "./support/browser.js";
import { GRAPH, SMALL } from "./support/maps.js";

/** Selects and runs every algorithm that works on a kind of world; `show(algorithm)` opens a map for it. */
async function runEach({ page, lab }, kind, show) {
  const about = await lab.evaluate(() => lab.about);
  const algorithms = about.algorithms.filter(({ worlds }) => worlds.includes(kind));
  assert.ok(algorithms.length > 0);
  await lab.evaluate(() => lab.player.set({ speed: Infinity }));
  for (const algorithm of algorithms) {
    const { name, title, summary, optimal, any_angle, uses_heuristic } = algorithm;
    await show(algorithm);
    const { start, goals } = await lab.document();
    await page.getByRole("combobox", { name: "Algorithm" }).selectOption({ label: title });
    await lab.button("Run").click();
    await lab.settled();
    await lab.until(
      () => lab.player.length > 0 && lab.player.position === lab.player.length,
      `the end of ${name}`,
    );
    const result = await lab.result();
    assert.equal(result.outcome, "found", name);
    assert.ok((await lab.steps()) > 0, `${name} has steps`);
    assert.ok(result.expanded > 0, name);
    assert.deepEqual([result.path[0], result.path.at(-1)], [start, goals[0]], name);
    if (result.promise.kind === "optimal") assert.ok(Math.abs(result.cost - result.optimum) < 1e-6, name);
    // Any-angle paths can be cheaper than paths along the grid.
    if (!any_angle) assert.ok(result.cost >= result.optimum - 1e-6, name);
    if (optimal) assert.equal(result.promise.kind, "optimal", `${name} is exact with its own settings`);
    assert.ok(await page.getByText(summary.slice(0, 40)).first().isVisible(), `${name} is described`);
    const words = { optimal: /optimal/, within: /×|times|within/, nothing: /no promise|not|no guarantee/i };
    assert.match(await page.locator(".board-header").first().innerText(), words[result.promise.kind], name);
    const heuristic = page.getByRole("combobox", { name: "Heuristic" });
    assert.equal(await heuristic.isVisible(), uses_heuristic, `${name} shows the options that apply`);
  }
  await page.getByRole("heading", { name: "Log" }).click();
  const log = await page.getByRole("log", { name: "Runs" }).innerText();
  for (const { title } of algorithms) assert.ok(log.includes(title), `the log has ${title}`);
}

sharingTest("each algorithm on a grid", async (visit) => {
  const flat = SMALL.rows.map((row) => row.replaceAll("4", "."));
  await runEach(visit, "grid", ({ weighted }) => visit.lab.show(weighted ? SMALL.rows : flat, SMALL.places));
});

labTest("each algorithm on a graph", async (visit) => {
  await runEach(visit, "graph", () => visit.lab.showWorld(GRAPH.world, GRAPH.start, GRAPH.goals));
});

sharingTest("the badge names the setting that breaks the promise", async ({ page, lab }) => {
  await lab.show(SMALL.rows, SMALL.places);
  const badge = page.locator(".board-header").first();
  assert.match(await badge.innerText(), /✓ optimal/);
  await page.getByRole("combobox", { name: "Heuristic" }).selectOption({ label: "Manhattan" });
  await lab.settled();
  assert.doesNotMatch(await badge.innerText(), /✓ optimal/);
  const { promise } = await lab.result();
  assert.equal(promise.kind, "nothing");
  assert.match(promise.reason, /manhattan/i);
  assert.ok((await page.getByText(promise.reason.slice(0, 20)).count()) > 0, "the reason can be read");
  await page.getByRole("combobox", { name: "Movement rule" }).selectOption({ index: 0 });
  await lab.settled();
  assert.match(await badge.innerText(), /✓ optimal/, "for straight moves it is exact");
});

sharingTest("a weight keeps its limit, custom weights are taken", async ({ page, lab }) => {
  await lab.show(SMALL.rows, SMALL.places);
  await page.getByRole("spinbutton", { name: "Weight" }).fill("3");
  await page.getByRole("spinbutton", { name: "Weight" }).press("Enter");
  await lab.settled();
  const { promise, cost, optimum } = await lab.evaluate(async () => lab.runner.boards[0].result);
  assert.deepEqual(promise, { kind: "within", factor: 3 });
  assert.ok(optimum === null || cost <= 3 * optimum + 1e-6);
  await page.getByRole("combobox", { name: "Heuristic" }).selectOption({ label: "Custom" });
  await lab.settled();
  const [settings] = (await lab.document()).boards;
  assert.match(settings.heuristic, /^custom:/);
  assert.equal((await lab.result()).outcome, "found");
});
