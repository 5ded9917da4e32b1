// A step is one picture, however it is reached; and the controls that reach it.

import assert from "node:assert/strict";
import { sharingTest } from "./support/browser.js";
import { LEVEL, SMALL, TERRAIN } from "./support/maps.js";

/** Views in which pictures are compared. */
const VIEWS = {
  "the whole map": () => lab.fit(),
  "near, with arrows and numbers": () => {
    lab.ui.set({ arrows: true, numbers: true });
    lab.camera.set(8, 6, 56);
  },
  "far away": () => {
    lab.ui.set({ arrows: true, numbers: false });
    lab.camera.set(12, 7, 5);
  },
  dark: () => {
    lab.ui.set({ theme: "dark", arrows: false });
    lab.fit();
  },
};

const ALL = Object.keys(VIEWS);

// Two searches in one, and one that jumps: in the views that show what they draw besides.
for (const [algorithm, map, least, views] of [
  ["astar", TERRAIN, 60, ALL],
  ["bidirectional", TERRAIN, 60, ["near, with arrows and numbers"]],
  ["jps", LEVEL, 15, ["near, with arrows and numbers", "far away"]],
]) {
  sharingTest(`${algorithm}: a step looks the same from below and from above`, async ({ page, lab }) => {
    await lab.show(map.rows, map.places);
    await lab.set({ algorithm });
    await lab.search();
    const length = await lab.steps();
    assert.ok(length > least, `${length} steps`);
    const steps = [0, 1, Math.floor(length / 3), Math.floor(length / 2), length - 1, length];
    for (const name of views) {
      await lab.evaluate(VIEWS[name]);
      const pictures = new Map();
      for (const step of steps) {
        await lab.seek(step);
        pictures.set(step, await lab.picture());
      }
      assert.ok(new Set(pictures.values()).size >= 3, `${name}: different steps look different`);
      for (const step of [...steps].reverse()) {
        await lab.seek(step);
        assert.equal(await lab.picture(), pictures.get(step), `${name}: step ${step} from above`);
      }
      const middle = steps[3];
      await lab.seek(length);
      await lab.seek(0);
      for (let step = middle - 3; step < middle; step++) await lab.seek(step);
      await page.getByRole("button", { name: "Step forward" }).click();
      await page.mouse.move(0, 0);
      assert.equal(await lab.step(), middle);
      assert.equal(await lab.picture(), pictures.get(middle), `${name}: step ${middle} one by one`);
      await page.getByRole("button", { name: "Step forward" }).click();
      await page.getByRole("button", { name: "Step back" }).click();
      await page.mouse.move(0, 0);
      assert.equal(await lab.picture(), pictures.get(middle), `${name}: step ${middle} and back`);
    }
  });
}

sharingTest("a search that reopens its nodes again and again goes back exactly", async ({ lab }) => {
  await lab.show(SMALL.rows, SMALL.places);
  await lab.set({ algorithm: "ida_star" });
  await lab.evaluate(() => lab.ui.set({ arrows: true, numbers: true }));
  await lab.search();
  const length = await lab.steps();
  const steps = [2, Math.floor(length / 4), Math.floor(length / 2), Math.floor((3 * length) / 4)];
  const pictures = [];
  for (const step of steps) {
    await lab.seek(step);
    pictures.push(await lab.picture());
  }
  await lab.seek(length);
  for (const step of [...steps].reverse()) {
    await lab.seek(step);
    assert.equal(await lab.picture(), pictures.pop(), `step ${step}`);
  }
});

sharingTest("playing ends at the picture that jumping shows", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.search();
  await page.mouse.move(0, 0);
  const end = await lab.picture();
  // So slow that it does not come to its end meanwhile.
  await lab.evaluate(() => lab.player.set({ speed: 2 }));
  await lab.button("To start").click();
  await lab.button("Play").click();
  await lab.button("Pause").waitFor();
  await lab.until(() => lab.player.position > 2, "some steps");
  await lab.button("Pause").click();
  const step = await lab.step();
  await page.mouse.move(0, 0);
  const paused = await lab.picture();
  await lab.seek(0);
  await lab.seek(step);
  assert.equal(await lab.picture(), paused);
  await lab.evaluate(() => lab.player.set({ speed: 200 }));
  await lab.button("Play").click();
  await lab.until(() => !lab.player.playing && lab.player.position === lab.player.length, "the end");
  await page.mouse.move(0, 0);
  assert.equal(await lab.picture(), end);
});

sharingTest("the scrub bar, the step field and the ends", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.search();
  const length = await lab.steps();
  const scrub = page.getByRole("slider", { name: "Step" });
  const box = await scrub.boundingBox();
  await page.mouse.move(box.x + 1, box.y + box.height / 2);
  await page.mouse.down();
  const seen = [];
  for (const part of [0.25, 0.5, 0.75]) {
    await page.mouse.move(box.x + part * box.width, box.y + box.height / 2, { steps: 3 });
    await lab.drawn();
    const step = await lab.step();
    assert.ok(Math.abs(step - part * length) < 0.1 * length, `${step} of ${length} at ${part}`);
    seen.push(step);
  }
  await page.mouse.up();
  const jump = page.getByRole("spinbutton", { name: "Jump to step" });
  await jump.fill("17");
  await jump.press("Enter");
  assert.equal(await lab.step(), 17);
  await jump.fill("99999999");
  await jump.press("Enter");
  assert.equal(await lab.step(), length);
  await lab.button("To start").click();
  assert.equal(await lab.step(), 0);
  await lab.button("To end").click();
  assert.equal(await lab.step(), length);
});

sharingTest("statistics count up with the steps and end at the server's", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.search();
  const facts = page.getByRole("region", { name: "This run" });
  const figure = async (name) => {
    await lab.drawn();
    const text = await facts
      .locator("dt", { hasText: name })
      .locator("xpath=following-sibling::dd[1]")
      .innerText();
    return Number(text.replaceAll(/[^\d.]/g, ""));
  };
  const { expanded, generated, cost } = await lab.result();
  assert.equal(await figure("Expanded"), expanded);
  assert.ok(Math.abs((await figure("Path cost")) - cost) < 0.01);
  let before = 0;
  for (const step of [5, 20, 60]) {
    await lab.seek(step);
    assert.equal(await figure("Expanded"), step);
    const now = await figure("Generated");
    assert.ok(now > before && now <= generated + 1, `${now} generated at step ${step}`);
    before = now;
  }
});

sharingTest("the inspector tells what a cell went through", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.search();
  const [x, y] = (await lab.result()).path[4];
  await page.mouse.move(...(await lab.point([x, y])));
  const known = await lab.until(
    ({ x, y }) => {
      const node = lab.store.doc.world.index(x, y);
      return lab.ui.inspected === node && lab.runner.boards[0].replay.inspect(node);
    },
    "the inspected cell",
    { x, y },
  );
  await lab.drawn();
  const text = await page.getByRole("region", { name: "Inspected cell" }).innerText();
  for (const value of [known.g, known.h, known.f])
    assert.ok(text.includes(value.toFixed(2)), `${value} in ${text}`);
  assert.ok(text.includes(`${known.order}`));
});

sharingTest("the visual aid can be switched off, and arrows and numbers on", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  const bare = await lab.picture();
  await lab.search();
  await lab.evaluate(() => lab.camera.set(8, 6, 48));
  const toggles = ["Parent arrows", "g, h and f values", "Search marks"];
  const pictures = [await lab.picture()];
  for (const name of toggles) {
    await page.getByRole("checkbox", { name }).click();
    await page.mouse.move(0, 0);
    const now = await lab.picture();
    assert.ok(!pictures.includes(now), `${name} changes the picture`);
    pictures.push(now);
  }
  await lab.evaluate(() => lab.fit());
  assert.equal(await lab.picture(), bare, "without marks only the path is left");
});

sharingTest("speed goes from one step a second to instant", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.search();
  const speed = page.getByRole("slider", { name: "Speed" });
  await speed.focus();
  await speed.press("Home");
  assert.equal(await lab.evaluate(() => lab.player.speed), 1);
  await speed.press("End");
  assert.equal(await lab.evaluate(() => lab.player.speed), Infinity);
  await lab.button("To start").click();
  await lab.button("Play").click();
  await lab.until(() => lab.player.position === lab.player.length, "the end at once");
});

sharingTest("breakpoints stop the search: a cell closed, a cell opened, a value of f", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.search();
  await lab.evaluate(() => lab.player.set({ speed: 5000 }));
  // What must happen, from the trace itself.
  const wanted = await lab.evaluate(() => {
    const { timeline } = lab.runner.boards[0];
    const node = timeline.nodeOfStep(Math.floor(timeline.steps / 2));
    const events = Array.from({ length: timeline.length }, (_, event) => event);
    const closes = (event) => (timeline.action[event] & 3) === 3;
    const first = (test) => timeline.stepOf(events.find(test));
    const value =
      Math.ceil(10 * (timeline.g[timeline.length - 1] + timeline.h[timeline.length - 1])) / 10 - 0.5;
    return {
      place: lab.store.doc.world.place(node).join(", "),
      opened: first((event) => timeline.node[event] === node && !closes(event)),
      closed: first((event) => timeline.node[event] === node && closes(event)),
      value,
      f: first((event) => closes(event) && timeline.g[event] + timeline.h[event] >= value),
    };
  });
  await page.getByRole("button", { name: /^Breakpoints/ }).click();
  const dialog = page.getByRole("dialog", { name: "Pause playback when" });
  for (const [kind, text, step] of [
    ["a cell is opened", wanted.place, wanted.opened],
    ["a cell is closed", wanted.place, wanted.closed],
    ["f reaches", `${wanted.value}`, wanted.f],
  ]) {
    await dialog.getByRole("combobox", { name: "Pause when" }).selectOption({ label: kind });
    await dialog.getByRole("textbox").fill(text);
    await dialog.getByRole("button", { name: "Add" }).click();
    await lab.button("To start").click();
    await lab.button("Play").click();
    await lab.until(
      (step) => !lab.player.playing && lab.player.stepOf(0) === step,
      `a stop at ${step}: ${kind}`,
      step,
    );
    await lab.heard(/Paused at step/);
    await dialog.getByRole("button", { name: /^Remove/ }).click();
  }
  await dialog.getByRole("combobox", { name: "Pause when" }).selectOption({ label: "a cell is closed" });
  await dialog.getByRole("textbox").fill("999, 0");
  await dialog.getByRole("button", { name: "Add" }).click();
  assert.match(await dialog.getByRole("alert").innerText(), /\w/, "a cell outside is refused in words");
  assert.deepEqual(await lab.evaluate(() => lab.ui.breakpoints), []);
});
