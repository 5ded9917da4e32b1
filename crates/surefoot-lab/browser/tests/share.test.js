// A link restores the same state elsewhere.

import assert from "node:assert/strict";
import { Visit, labTest, sharingTest } from "./support/browser.js";
import { GRAPH, TERRAIN } from "./support/maps.js";

/** The fragment of the link that the dialog offers. */
async function sharedLink({ page, lab }) {
  await lab.button("Share").click();
  const dialog = page.getByRole("dialog", { name: "Share" });
  const link = await dialog.getByRole("textbox", { name: "Link" }).inputValue();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  const { origin, hash } = new URL(link);
  assert.equal(`${origin}/`, await page.evaluate(() => `${location.origin}/`));
  return hash;
}

/** Everything that must be the same where the link is opened. */
async function stateOf(lab) {
  await lab.page.mouse.move(0, 0);
  await lab.settled();
  const view = await lab.evaluate(() => ({
    step: Math.floor(lab.player.position),
    steps: lab.runner.boards.map((run, board) => lab.player.stepOf(board)),
    lock: lab.player.lock,
    camera: [lab.camera.x, lab.camera.y, lab.camera.scale].map((value) => Math.round(1e6 * value) / 1e6),
    shows: [lab.ui.arrows, lab.ui.numbers, lab.ui.aid],
    board: lab.ui.board,
    breakpoints: lab.ui.breakpoints,
  }));
  const pictures = [];
  for (let board = 0; board < view.steps.length; board++) pictures.push(await lab.picture(board));
  return { document: await lab.document(), view, pictures };
}

async function openedElsewhere(hash, steps, check, options = {}) {
  const other = await Visit.begin({ hash, ...options });
  try {
    await other.lab.until(
      (steps) =>
        steps.every((step, board) => lab.runner.boards[board]?.timeline && lab.player.stepOf(board) === step),
      `the steps ${steps}`,
      steps,
    );
    await check(other);
  } catch (error) {
    await other.fail(error, "opened elsewhere");
  }
  await other.end();
}

sharingTest("a link in a new page: map, settings, step and picture are the same", async (visit) => {
  const { lab } = visit;
  await lab.show(TERRAIN.rows, {
    ...TERRAIN.places,
    links: [{ from: [1, 1], to: [20, 12], cost: 9, two_way: true }],
  });
  await lab.drag([
    [13, 1],
    [13, 9],
  ]);
  await lab.set({ algorithm: "weighted_astar", weight: 2, moves: "4" });
  await lab.evaluate(() => {
    lab.actions.addBoard();
    lab.actions.setBoard(1, { algorithm: "bidirectional" });
  });
  await lab.search();
  await lab.evaluate(() => {
    lab.ui.set({ arrows: true, numbers: true, breakpoints: [{ kind: "f", value: 12.5 }] });
    lab.camera.set(9.25, 6.5, 37);
  });
  await lab.seek(31);
  const wanted = await stateOf(lab);
  assert.deepEqual(wanted.view.steps, [31, 31]);
  const hash = await sharedLink(visit);
  await openedElsewhere(hash, [31, 31], async (other) => {
    assert.deepEqual(await stateOf(other.lab), wanted);
  });
});

sharingTest("a link to the end of a search stays at the end", async (visit) => {
  const { lab } = visit;
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.search();
  const wanted = await stateOf(lab);
  const hash = await sharedLink(visit);
  await openedElsewhere(hash, wanted.view.steps, async (other) => {
    assert.deepEqual(await stateOf(other.lab), wanted);
  });
});

sharingTest("a link to a graph", async (visit) => {
  const { lab } = visit;
  await lab.showWorld(GRAPH.world, GRAPH.start, GRAPH.goals);
  await lab.search();
  await lab.seek(3);
  const wanted = await stateOf(lab);
  const hash = await sharedLink(visit);
  await openedElsewhere(hash, [3], async (other) => {
    assert.deepEqual(await stateOf(other.lab), wanted);
  });
});

sharingTest("a link on a smaller screen shows the same map at the same step", async (visit) => {
  const { lab } = visit;
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.search();
  await lab.seek(25);
  const wanted = await lab.document();
  const hash = await sharedLink(visit);
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, deviceScaleFactor: 2 };
  await openedElsewhere(
    hash,
    [25],
    async (other) => assert.deepEqual(await other.lab.document(), wanted),
    phone,
  );
});

sharingTest("a link put into the address of an open lab is opened, and undo leads back", async (visit) => {
  const { page, lab } = visit;
  await lab.show(TERRAIN.rows, TERRAIN.places);
  const first = await lab.document();
  const hash = await sharedLink(visit);
  await lab.evaluate(() => lab.actions.newMap(10, 10));
  const second = await lab.document();
  await page.evaluate((hash) => (location.hash = hash), hash);
  await lab.until(() => lab.store.doc.world.width === 24, "the map of the link");
  await lab.settled();
  assert.deepEqual(await lab.document(), first);
  await lab.button("Undo").click();
  assert.deepEqual(await lab.document(), second);
});

sharingTest("broken links are told about, and the lab works", async (visit) => {
  const { lab } = visit;
  await lab.show(TERRAIN.rows, TERRAIN.places);
  const good = await sharedLink(visit);
  const broken = [
    "#nonsense",
    "#7.AAAA",
    good.slice(0, good.length / 2),
    `${good.slice(0, 40)}xx${good.slice(42)}`,
    "#1.%E0%A4%A<script>alert(1)</script>",
  ];
  const other = await visit.newTab(broken.shift());
  await other.heard(/This link cannot be opened/);
  await other.settled();
  const shown = await other.document();
  for (const hash of broken) {
    await other.evaluate((hash) => (location.hash = hash), hash);
    await other.heard(/This link cannot be opened/);
    assert.deepEqual(await other.document(), shown, hash);
  }
  await other.search();
  assert.equal((await other.result()).outcome, "found");
});

labTest("the skip link is no broken link", async ({ page, lab }) => {
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the board");
  await page.keyboard.press("Enter");
  await lab.drawn();
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "CANVAS");
  assert.equal(await page.evaluate(() => location.hash), "");
  assert.equal(await page.getByText("This link cannot be opened").count(), 0);
});
