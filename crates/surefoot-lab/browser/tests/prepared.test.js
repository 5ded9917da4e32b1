// Algorithms that prepare a map before they search it.

import assert from "node:assert/strict";
import { labTest, sharingTest } from "./support/browser.js";
import { LEVEL } from "./support/maps.js";

const preparing = (lab) =>
  lab.evaluate(() => lab.about.algorithms.filter(({ prepares }) => prepares).map(({ name }) => name));

sharingTest("preparation is told apart from the search, and kept while the map stays", async ({ page, lab }) => {
  const facts = page.getByRole("region", { name: "This run" });
  await lab.show(LEVEL.rows, LEVEL.places);
  await lab.search();
  assert.equal(await facts.getByText("Preparation").isVisible(), false, "A* prepares nothing");
  for (const algorithm of await preparing(lab)) {
    await lab.set({ algorithm });
    await lab.search();
    const { prepared, outcome } = await lab.result();
    assert.equal(outcome, "found", algorithm);
    assert.ok(prepared.us > 0 && prepared.bytes > 0);
    assert.ok(await facts.getByText("Preparation").isVisible());
    assert.match(await facts.locator("[data-figure=table]").innerText(), /\d.* [KM]?B/);
    await lab.drag([[21, 7], [21, 3], [12, 2]]);
    await lab.settled();
    const moved = await lab.result();
    assert.deepEqual(moved.path.at(-1), [12, 2]);
    assert.equal(moved.prepared.table, prepared.table, "moving the goal prepares nothing");
    await lab.drag([[6, 1], [6, 3]]);
    await lab.settled();
    const edited = await lab.result();
    assert.ok(edited.prepared.table > prepared.table, "painting does");
    assert.equal(edited.outcome, "found");
    await lab.show(LEVEL.rows, LEVEL.places);
  }
  const log = page.getByRole("log", { name: "Runs" });
  await page.getByRole("heading", { name: "Log" }).click();
  assert.match(await log.innerText(), /Preparation/);
});

labTest("a race shows which algorithms prepared", async ({ page, lab }) => {
  await lab.show(LEVEL.rows, LEVEL.places);
  await lab.evaluate(() => lab.actions.addBoard());
  await lab.search();
  const column = page.getByRole("columnheader", { name: "Preparation" });
  assert.equal(await column.isVisible(), false, "no board prepared");
  const [algorithm] = await preparing(lab);
  await lab.set({ algorithm }, 1);
  await lab.search();
  await column.waitFor();
  assert.match(await page.locator(".race-table tbody").innerText(), /\d (µs|ms|s), [\d.]+ (B|KB|MB)/);
});

sharingTest("a long preparation shows how far it is and can be cancelled", async ({ page, lab }) => {
  await lab.evaluate(() => {
    globalThis.shares = [];
    lab.runner.on("preparing", (board) => shares.push(lab.runner.boards[board].preparing));
  });
  await lab.evaluate(() => lab.actions.generate("caves", 2048, 2048, 5));
  await lab.settled();
  await lab.evaluate(() => lab.actions.setBoard(0, { algorithm: "hpa" }));
  await lab.until(() => shares.length > 0, "a word about it");
  await page.getByText(/^preparing \d+%$/).waitFor();
  await page.getByRole("button", { name: "Cancel the search on board 1" }).click();
  await lab.settled();
  assert.equal((await lab.result()).outcome, "cancelled");
  assert.equal(await page.getByText(/^preparing/).isVisible(), false);
  await page.locator("#facts").getByText("The search was cancelled.").waitFor();
  await lab.show(LEVEL.rows, LEVEL.places);
  assert.equal((await lab.result()).outcome, "found", "the next one is not");
});

labTest("while an algorithm prepares, nothing of the one before it is shown", async ({ page, lab }) => {
  await lab.show(LEVEL.rows, LEVEL.places);
  await lab.rested();
  const facts = page.getByRole("region", { name: "This run" });
  const header = page.locator(".board-header").first();
  const figures = () => facts.locator("dd").allInnerTexts();
  const before = await lab.picture();
  assert.ok((await figures()).some((text) => /\d/.test(text)));
  assert.match(await header.innerText(), /✓ optimal/);
  // The server is kept waiting, so that the preparation lasts as long as this test wants.
  await lab.evaluate(() => {
    const { connection } = lab;
    const send = connection.send.bind(connection);
    globalThis.held = [];
    connection.send = (message) => (message.type === "run" ? held.push(message) : send(message));
    globalThis.letGo = () => {
      connection.send = send;
      for (const message of held) send(message);
    };
    lab.actions.setBoard(0, { algorithm: "hpa" });
  });
  await lab.until(() => held.length > 0, "the question");
  const told = (share) =>
    lab.evaluate((share) => lab.connection.emit("message", { type: "preparing", board: 0, run: held.at(-1).run, share }), share);
  await told(0.37);
  await header.getByText("preparing 37%").waitFor();
  const title = await lab.evaluate(() => lab.about.algorithms.find(({ name }) => name === "hpa").title);
  assert.ok((await header.innerText()).includes(title), "the new name");
  assert.doesNotMatch(await header.innerText(), /optimal/, "what it promises is not known yet");
  await lab.drawn();
  assert.deepEqual((await figures()).filter((text) => /\d/.test(text)), [], "no figure of the other");
  assert.match(await facts.innerText(), /Preparing the map: 37%/);
  assert.notEqual(await lab.picture(), before, "no path of the other");
  await told(0.8);
  await header.getByText("preparing 80%").waitFor();
  await lab.evaluate(() => letGo());
  await lab.settled();
  assert.equal((await lab.result()).outcome, "found");
  assert.doesNotMatch(await facts.innerText(), /Preparing the map/);
  assert.ok((await figures()).some((text) => /\d/.test(text)));
});

sharingTest("the parts of a divided map are shown by themselves", async ({ page, lab }) => {
  await lab.show(LEVEL.rows, LEVEL.places);
  await lab.set({ algorithm: "hpa" });
  await lab.search();
  const box = page.getByRole("checkbox", { name: "Prepared map" });
  assert.ok(await box.isChecked());
  const facts = page.getByRole("region", { name: "This run" });
  assert.match(await facts.innerText(), /Prepared: [\d,]+ clusters, [\d,]+ nodes, [\d,]+ edges/);
  await page.mouse.move(0, 0);
  const shown = await lab.picture();
  await box.uncheck();
  await page.mouse.move(0, 0);
  assert.notEqual(await lab.picture(), shown);
  // An edit is followed: another table, another sketch.
  const before = await lab.evaluate(() => lab.runner.boards[0].sketch.table);
  await lab.drag([[6, 1], [6, 3]]);
  await lab.settled();
  assert.ok((await lab.evaluate(() => lab.runner.boards[0].sketch.table)) > before);
});

sharingTest("what was prepared is drawn, and a switch hides it", async ({ page, lab }) => {
  await lab.show(LEVEL.rows, LEVEL.places);
  // After the last answer, which would put an end to what is put in its place here.
  await lab.rested();
  const box = page.getByRole("checkbox", { name: "Prepared map" });
  assert.equal(await box.isVisible(), false);
  const without = await lab.picture();
  const pictures = new Set([without]);
  // As a server would send it: clusters, their entrances, and connections between these.
  for (const [parts, places, ways] of [
    [[0, 0, 11, 6, 12, 0, 23, 6, 0, 7, 11, 13, 12, 7, 23, 13], [], []],
    [[], [30, 100, 250], []],
    [[], [], [30, 100, 100, 250]],
  ]) {
    await lab.evaluate(
      ({ parts, places, ways }) => {
        const run = lab.runner.boards[0];
        const totals = { parts: parts.length / 4, places: places.length, ways: ways.length / 2 };
        const lists = { parts: Uint16Array.from(parts), places: Uint32Array.from(places), ways: Uint32Array.from(ways) };
        run.sketch = { table: 1, totals, ...lists };
        lab.runner.emit("done", 0);
      },
      { parts, places, ways },
    );
    await lab.drawn();
    assert.equal(await box.isChecked(), parts.length > 0, "on by itself where the map was divided");
    if (parts.length === 0) await box.check();
    await page.mouse.move(0, 0);
    const shown = await lab.picture();
    assert.ok(!pictures.has(shown), "each part of it can be seen");
    pictures.add(shown);
    await box.uncheck();
    await page.mouse.move(0, 0);
    assert.equal(await lab.picture(), without);
    await lab.evaluate(() => lab.ui.set({ prepared: null }));
  }
});

sharingTest("an algorithm that chooses says what and why", async ({ page, lab }) => {
  await lab.show(["........", "...##...", "........"], { start: [0, 0], goals: [[7, 2]] });
  await lab.set({ algorithm: "auto" });
  await lab.search();
  const { choice } = await lab.result();
  const title = await lab.evaluate((name) => lab.about.algorithms.find((one) => one.name === name).title, choice.algorithm);
  await page.locator("#facts").getByText(`Chose ${title}: ${choice.reason}`).waitFor();
});
