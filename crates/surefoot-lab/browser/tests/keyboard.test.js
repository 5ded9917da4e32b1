// Everything without a mouse.

import assert from "node:assert/strict";
import { labTest, sharingTest } from "./support/browser.js";
import { TERRAIN } from "./support/maps.js";

const EMPTY = Array(12).fill(".".repeat(20));

async function press({ keyboard }, keys, times = 1) {
  for (let time = 0; time < times; time++) for (const key of keys.split(" ")) await keyboard.press(key);
}

/** Presses tab until an element with this role and name has the focus. */
async function tabTo(page, locator, most = 80) {
  for (let presses = 0; presses < most; presses++) {
    if (
      (await locator.count()) > 0 &&
      (await locator.first().evaluate((it) => it === document.activeElement))
    )
      return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${locator} is not reached by tab`);
}

labTest("from load to result with keys alone", async ({ page, lab }) => {
  // A small empty map, by its dialog.
  await tabTo(page, lab.button("New"));
  await press(page, "Enter");
  const dialog = page.getByRole("dialog", { name: "New map" });
  await dialog.waitFor();
  await tabTo(page, dialog.getByRole("button", { name: "10 × 10" }));
  await press(page, "Enter");
  await lab.until(() => lab.store.doc.world.width === 10, "the new map");
  // Start in the upper left corner, target in the lower right one, a wall between.
  const board = page.getByRole("application");
  await tabTo(page, board);
  const cursorAt = (x, y) =>
    lab.until(({ x, y }) => lab.ui.cursor === y * 10 + x, `the cursor at ${x}, ${y}`, { x, y });
  await press(page, "ArrowUp");
  await press(page, "Shift+ArrowUp Shift+ArrowLeft");
  await cursorAt(0, 0);
  await lab.heard(/^0, 0/);
  await press(page, "s");
  await press(page, "Shift+ArrowDown Shift+ArrowRight");
  await cursorAt(9, 9);
  await press(page, "t");
  await press(page, "ArrowUp", 5);
  await press(page, "ArrowLeft");
  await cursorAt(8, 4);
  await press(page, "w");
  for (let x = 8; x >= 1; x--) await press(page, "Enter ArrowLeft");
  await lab.settled();
  const { start, goals, cost } = await lab.document();
  assert.deepEqual([start, goals], [[0, 0], [[9, 9]]]);
  assert.deepEqual(
    cost.flatMap((value, index) => (value === 0 ? [index] : [])),
    [41, 42, 43, 44, 45, 46, 47, 48],
  );
  // The search: run, pause, step, read.
  await press(page, "[", 8);
  await press(page, "r");
  await lab.until(() => lab.player.playing && lab.player.length > 0, "playing");
  await press(page, "Space");
  await lab.until(() => !lab.player.playing, "a pause");
  const step = await lab.step();
  await press(page, ". .");
  assert.equal(await lab.step(), step + 2);
  await press(page, ",");
  assert.equal(await lab.step(), step + 1);
  await press(page, "End");
  await lab.until(() => lab.player.position === lab.player.length, "the end");
  await lab.hearFromNowOn();
  await press(page, "r End");
  await lab.settled();
  const said = await lab.heard(/path found, cost [\d.]+/);
  assert.match(said, /expanded/);
  const { cost: price } = await lab.result();
  assert.ok(said.includes(price.toFixed(2)), `${said} and ${price}`);
});

sharingTest("every key of the list does what the list says", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.search();
  const length = await lab.steps();
  await lab.seek(40);
  await press(page, "ArrowRight");
  assert.equal(await lab.step(), 41);
  await press(page, "ArrowLeft ArrowLeft");
  assert.equal(await lab.step(), 39);
  await press(page, "Shift+ArrowRight");
  assert.equal(await lab.step(), 49);
  await press(page, "Shift+ArrowLeft Shift+ArrowLeft");
  assert.equal(await lab.step(), 29);
  await press(page, "Home");
  assert.equal(await lab.step(), 0);
  await press(page, "End");
  assert.equal(await lab.step(), length);
  const speed = () => lab.evaluate(() => lab.player.speed);
  const before = await speed();
  await press(page, "]");
  assert.ok((await speed()) > before);
  await press(page, "[ [");
  assert.ok((await speed()) < before);
  // So slow that it does not come to its end meanwhile.
  await lab.evaluate(() => lab.player.set({ speed: 1 }));
  await press(page, "Home Space");
  assert.equal(await lab.evaluate(() => lab.player.playing), true);
  await press(page, "Space");
  assert.equal(await lab.evaluate(() => lab.player.playing), false);
  for (const [key, cost] of [["w", 0], ["e", 1], ["7", 7], ["W", 0], ["2", 2]]) {
    await press(page, key);
    assert.equal(await lab.evaluate(() => lab.ui.cost), cost, key);
  }
  for (const [key, tool] of [["s", "start"], ["t", "goal"]]) {
    await press(page, key);
    assert.equal(await lab.evaluate(() => lab.ui.tool), tool, key);
  }
  await press(page, "c");
  await lab.settled();
  assert.equal(await lab.steps(), 0, "the search is gone");
  assert.equal((await lab.result()).outcome, "found", "the path is not");
  const walls = async () => (await lab.document()).cost.filter((value) => value === 0).length;
  assert.ok((await walls()) > 0);
  await press(page, "Shift+C");
  assert.equal(await walls(), 0);
  await press(page, "Control+z");
  assert.ok((await walls()) > 0);
  await press(page, "Control+y");
  assert.equal(await walls(), 0);
  await press(page, "g");
  await lab.until(() => lab.store.undoLabel.includes("maze"), "a maze");
  await lab.heard(/seed \d+/);
});

sharingTest("space plays and pauses after a click on any button; a button reached by tab is pressed", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.evaluate(() => lab.player.set({ speed: 1 }));
  const state = () => lab.evaluate(() => ({ playing: lab.player.playing, search: lab.runner.boards[0].id }));
  await lab.button("Run").click();
  await lab.until(() => lab.player.playing && lab.player.position >= 1, "a step");
  const { search } = await state();
  await press(page, "Space");
  assert.deepEqual(await state(), { playing: false, search }, "it pauses, and nothing is run again");
  assert.ok((await lab.step()) >= 1, "where it is");
  await press(page, "Space");
  assert.deepEqual(await state(), { playing: true, search });
  await lab.button("Pause").click();
  await lab.button("Play").waitFor();
  assert.deepEqual(await state(), { playing: false, search });
  await press(page, "Space");
  assert.deepEqual(await state(), { playing: true, search }, "once, not once for the button and once for the page");
  await page.getByRole("button", { name: /^Grass/ }).click();
  await press(page, "Space");
  assert.deepEqual(await state(), { playing: false, search }, "no button swallows it");
  await tabTo(page, lab.button("Run"));
  await press(page, "Space");
  await lab.until((search) => lab.runner.boards[0].id > search && lab.player.playing, "another run", search);
});

sharingTest("keys in fields belong to the fields", async ({ page, lab }) => {
  await lab.show(EMPTY, { start: [1, 1], goals: [[18, 10]] });
  const before = await lab.document();
  await page.getByRole("textbox", { name: "Start" }).focus();
  await page.keyboard.type("rgcwst 7[] ");
  await lab.settled();
  assert.deepEqual(await lab.document(), before);
  assert.equal(await lab.steps(), 0);
  assert.equal(await page.getByRole("textbox", { name: "Start" }).inputValue(), "1, 1rgcwst 7[] ");
});

labTest("the help lists the keys and gives the focus back", async ({ page, lab }) => {
  await lab.button("Run").focus();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Help" });
  await help.waitFor();
  const text = await help.innerText();
  for (const word of [
    "Space",
    "Shift",
    "R",
    "C",
    "G",
    "1",
    "9",
    "W",
    "E",
    "S",
    "T",
    "[",
    "]",
    "Ctrl",
    "Z",
    "Y",
    "Two fingers",
  ]) {
    assert.ok(text.toLowerCase().includes(word.toLowerCase()), word);
  }
  await page.keyboard.press("g");
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Run");
  assert.equal(await lab.evaluate(() => lab.store.undoLabel), null, "keys do nothing behind the window");
  await lab.button("Help").click();
  await help.getByRole("button", { name: "Close" }).click();
  await help.waitFor({ state: "hidden" });
});

labTest("tab goes through the page in reading order, and the focus can be seen", async ({ page, lab }) => {
  await page.keyboard.press("Tab");
  const order = [];
  for (let presses = 0; presses < 90; presses++) {
    const here = await page.evaluate(() => {
      const it = document.activeElement;
      const style = getComputedStyle(it);
      const seen =
        style.outlineStyle !== "none" || style.boxShadow !== "none" || it.matches("canvas, input, summary");
      const part =
        it.closest("#top, #tools, #boards, #playback, #race, #log, #facts, #tabs")?.id ?? it.tagName;
      return { part, seen, html: it.outerHTML.slice(0, 120) };
    });
    if (here.part === "BODY") break;
    assert.ok(here.seen, `no sign of the focus: ${here.html}`);
    if (order.at(-1) !== here.part) order.push(here.part);
    await page.keyboard.press("Tab");
  }
  const parts = order.filter((part) => part !== "A");
  assert.deepEqual(parts.slice(0, 5), ["top", "tools", "boards", "playback", "log"]);
  assert.ok(parts.includes("facts"));
});
