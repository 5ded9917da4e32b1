// Waypoint graphs on the same canvas.

import assert from "node:assert/strict";
import { labTest, sharingTest } from "./support/browser.js";
import { GRAPH } from "./support/maps.js";

/** Places nodes at world coordinates with the mouse. */
async function place({ page, lab }, ...places) {
  for (const at of places) await page.mouse.click(...(await lab.worldPoint(at)));
}

async function dragBetween({ page, lab }, from, to, key = null) {
  await page.mouse.move(...(await lab.worldPoint(from)));
  if (key) await page.keyboard.down(key);
  await page.mouse.down();
  await page.mouse.move(...(await lab.worldPoint(to)), { steps: 5 });
  await page.mouse.up();
  if (key) await page.keyboard.up(key);
}

const near = ([x, y], [a, b]) => Math.hypot(x - a, y - b) < 0.2;

labTest("nodes are placed, joined, dragged, taken away; searches run on them", async (visit) => {
  const { page, lab } = visit;
  await page.getByRole("group", { name: "World" }).getByRole("button", { name: "Graph" }).click();
  await lab.until(() => lab.store.doc.world.kind === "graph", "a graph");
  await lab.button("New graph").click();
  const [a, b, c, d] = [[3, 6], [10, 3], [17, 6], [10, 9]];
  const tools = page.getByRole("group", { name: "Graph tools" });
  await tools.getByRole("button", { name: /^Node/ }).click();
  await place(visit, a, c, b, d);
  let { nodes, start, goals } = await lab.document();
  assert.equal(nodes.length, 4);
  assert.ok(
    near(nodes[0], a) && near(nodes[1], c) && near(nodes[2], b) && near(nodes[3], d),
    JSON.stringify(nodes),
  );
  assert.deepEqual([start, goals], [0, [1]], "the first two are start and goal");
  await tools.getByRole("button", { name: /^Edge/ }).click();
  await dragBetween(visit, a, b);
  await dragBetween(visit, b, c);
  await dragBetween(visit, a, d, "Shift");
  await dragBetween(visit, d, c);
  await lab.settled();
  const { edges } = await lab.document();
  assert.deepEqual(
    edges.map(({ from, to, two_way }) => [from, to, two_way]),
    [
      [0, 2, true],
      [2, 1, true],
      [0, 3, false],
      [3, 1, true],
    ],
  );
  await lab.search();
  const first = await lab.result();
  assert.equal(first.outcome, "found");
  assert.equal(first.path.length, 3);
  assert.ok((await lab.steps()) > 0);

  // The path follows a node that is dragged: over d when b is far away.
  await tools.getByRole("button", { name: /^Node/ }).click();
  await dragBetween(visit, b, [10, 0.5]);
  await lab.settled();
  assert.deepEqual((await lab.result()).path, [0, 3, 1]);
  await lab.button("Undo").click();
  ({ nodes } = await lab.document());
  assert.ok(near(nodes[2], b), "one drag is one entry of the history");

  // Without b, and against the one-way road, there is no path.
  await page.mouse.click(...(await lab.worldPoint(b)), { button: "right" });
  await lab.settled();
  assert.equal((await lab.document()).nodes.length, 3);
  assert.equal((await lab.result()).outcome, "found");
  await lab.evaluate(() => {
    lab.actions.setStart(1);
    lab.actions.setGoals([0]);
  });
  await lab.settled();
  assert.equal((await lab.result()).outcome, "unreachable");
});

sharingTest("the cost and the direction of an edge can be typed", async ({ page, lab }) => {
  await lab.showWorld(GRAPH.world, GRAPH.start, GRAPH.goals);
  await lab.search();
  const before = await lab.result();
  // The road from 0 to 1, at its middle.
  await page.mouse.click(...(await lab.worldPoint([2, 0])));
  const selected = page.getByRole("group", { name: "Selected" });
  await selected.getByRole("spinbutton", { name: "Cost" }).fill("40");
  await selected.getByRole("spinbutton", { name: "Cost" }).press("Enter");
  await lab.settled();
  assert.equal((await lab.document()).edges[0].cost, 40);
  const after = await lab.result();
  assert.ok(after.cost > before.cost);
  assert.notDeepEqual(after.path, before.path);
  await selected.getByRole("checkbox", { name: "One-way" }).check();
  assert.equal((await lab.document()).edges[0].two_way, false);
});

sharingTest("a graph by keys alone", async ({ page, lab }) => {
  await lab.evaluate(() =>
    lab.actions.showScene({
      title: "new",
      world: { kind: "graph", nodes: [], edges: [] },
      start: null,
      goals: [],
    }),
  );
  await page.getByRole("application").focus();
  await page.keyboard.press("n");
  await lab.heard(/Node 0 added/);
  await page.keyboard.press("n");
  await lab.heard(/Node 1 added/);
  await lab.settled();
  const { nodes, edges } = await lab.document();
  assert.deepEqual([nodes.length, edges.length], [2, 1]);
  await lab.hearFromNowOn();
  await page.keyboard.press("r");
  await lab.heard(/path found/);
});

sharingTest("links on grids are drawn, and paths go through them", async ({ page, lab }) => {
  const rows = Array.from({ length: 11 }, () => "..........#.........");
  await lab.show(rows, { start: [2, 5], goals: [[17, 5]] });
  assert.equal((await lab.result()).outcome, "unreachable");
  const bare = await lab.picture();
  await page.getByRole("region", { name: "Brush" }).getByRole("button", { name: /^Link/ }).click();
  await lab.drag([[4, 8], [15, 8]]);
  await page.mouse.move(0, 0);
  await lab.settled();
  const { links } = await lab.document();
  assert.deepEqual(links.map(({ from, to }) => [from, to]), [[[4, 8], [15, 8]]]);
  const result = await lab.result();
  assert.equal(result.outcome, "found");
  assert.ok(result.path.some(([x, y]) => x === 15 && y === 8));
  assert.notEqual(await lab.picture(), bare);
  await lab.button("Undo").click();
  await lab.settled();
  assert.deepEqual((await lab.document()).links, []);
});
