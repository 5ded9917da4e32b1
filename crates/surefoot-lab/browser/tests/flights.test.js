// Flights in scenes: the ball, what it touches, what its ticks take, forecasts, and flights that were recorded.

import assert from "node:assert/strict";
import { answered, replanRows } from "./support/live.js";
import { sharingSpaceTest, spaceTest } from "./support/space.js";

/** A hall in which a block appears after two seconds, and a ball goes up and down. */
const HALL = {
  surefoot: "scene",
  version: 1,
  size: [24, 9, 9],
  agent: { radius: 0.4, speed: 6 },
  start: [1.5, 4.5, 4.5],
  goal: { position: [22.5, 4.5, 4.5] },
  static: [{ box: [0.5, 4.5, 0.5], position: [20.5, 4.5, 0.5] }],
  obstacles: [
    { name: "gate", box: [3, 4.5, 4.5], position: [12, 4.5, 4.5], switch: { every: 2, on: false } },
    { name: "ball", sphere: 1.2, position: [18.5, 4.5, 2.5], patrol: { points: [[18.5, 4.5, 2.5], [18.5, 4.5, 6.5]], speed: 3 } },
  ],
};

/** A flight straight through the gate at a cell in ten ticks, and into the ball. */
const POSITIONS = Array.from({ length: 200 }, (_, tick) => [1.5 + tick / 10, 4.5, 4.5]);
const FLIGHT = {
  surefoot: "flight",
  version: 1,
  planner: "sipp",
  seed: 4,
  run: 17,
  switches: "timetable",
  evade: true,
  from: 40,
  tick: 120,
  cause: "touched obstacle 0 (gate), which appears and disappears, while flying",
  hits: [{ tick: 120, what: "obstacle 0 (gate)", kind: "appeared", distance: 0 }],
  positions: POSITIONS,
  scene: HALL,
};

const file = (name, content) => ({ name, mimeType: "application/json", buffer: Buffer.from(typeof content === "string" ? content : JSON.stringify(content)) });

/** Opens a file through the page. */
async function open({ page, lab }, name, content) {
  const chooser = page.waitForEvent("filechooser");
  await lab.button("Open file").click();
  await (await chooser).setFiles(file(name, content));
}

/** Opens the hall and stops before time passes. */
async function openHall(visit, scene = HALL) {
  const { lab } = visit;
  await lab.evaluate(() => {
    const end = lab.live.on("state", () => {
      if (!lab.live.playing) return;
      end();
      lab.live.pause();
    });
  });
  await open(visit, "hall.scene.json", scene);
  await lab.until(() => lab.store.doc.scene && lab.live.active && lab.live.tick > 0, "a scene that moves");
  await answered(lab);
}

/** Lets some ticks pass, and everything get to its place. */
async function ticks(lab, count) {
  await answered(lab);
  await lab.evaluate((count) => lab.live.step(count), count);
  await answered(lab);
  await lab.until(() => !lab.live.movement.isMoving(), "everything in its place");
  await lab.drawn();
}

/** A picture of the scene, sharp: its pixels, how many there are for one of the page, and colours of the palette. */
async function pictureOf(lab) {
  await lab.sharp();
  const { base64, ...picture } = await lab.evaluate(async () => {
    const view = lab.boards.views[0];
    const image = await createImageBitmap(await view.picture());
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    let text = "";
    for (let at = 0; at < data.length; at += 0x8000) text += String.fromCharCode(...data.subarray(at, at + 0x8000));
    const { palette } = await import("/js/board/palette.js");
    const colours = Object.fromEntries(["board-1", "hit", "forecast"].map((name) => [name, palette.parts(name)]));
    return { base64: btoa(text), width, height, ratio: width / view.width, colours };
  });
  return { data: Buffer.from(base64, "base64"), ...picture };
}

/** A hue from 0 to 6; null for what is nearly grey. */
function hueOf([red, green, blue]) {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if (most - least < 40) return null;
  if (most === red) return ((green - blue) / (most - least) + 6) % 6;
  return most === green ? 2 + (blue - red) / (most - least) : 4 + (red - green) / (most - least);
}

/** Whether a colour is another one, lighter or darker. */
function isLike(colour, wanted) {
  const [found, hue] = [hueOf(colour), hueOf(wanted)];
  return found !== null && Math.abs(((found - hue + 9) % 6) - 3) < 0.2;
}

/** How many pixels have about the hue of a colour. */
async function pixelsLike(lab, name) {
  const { data, colours } = await pictureOf(lab);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (isLike(data.subarray(i, i + 3), colours[name])) count++;
  return count;
}

/** Where the middle of the unit is on the picture, and how large its ball is there, in pixels of the page. */
const ballOnScreen = (lab) =>
  lab.evaluate(() => {
    const { camera } = lab.space;
    const view = lab.boards.views[0];
    const [unit] = lab.live.units;
    const { radius } = lab.store.doc.boards[0];
    const on = (place) => camera.onScreen(place, view.width, view.height);
    const middle = on(unit.at);
    // As far as a step of the ball's radius, across the line of sight, is on the screen.
    const sight = unit.at.map((value, axis) => value - camera.eye[axis]);
    const across = [sight[1], -sight[0], 0];
    const rim = on(unit.at.map((value, axis) => value + (radius * across[axis]) / Math.hypot(...across)));
    return { middle, size: Math.hypot(rim[0] - middle[0], rim[1] - middle[1]) };
  });

/** How many of 16 places around the unit, so many radii from its middle, have the colour of the ball. */
async function ballAround(lab, share) {
  const { data, width, ratio, colours } = await pictureOf(lab);
  const { middle, size } = await ballOnScreen(lab);
  const places = Array.from({ length: 16 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 16;
    const [x, y] = [middle[0] + share * size * Math.cos(angle), middle[1] + share * size * Math.sin(angle)];
    return 4 * (Math.round(y * ratio) * width + Math.round(x * ratio));
  });
  return places.filter((at) => isLike(data.subarray(at, at + 3), colours["board-1"])).length;
}

spaceTest("a unit is a ball of its size", async (visit) => {
  const { lab } = visit;
  const sizes = [];
  for (const radius of [0.4, 1.5]) {
    await openHall(visit, { ...HALL, agent: { radius, speed: 6 } });
    await lab.evaluate(() => lab.live.place({ unit: [5, 4, 6] }));
    await ticks(lab, 1);
    // Near enough that no ring is needed around it.
    await lab.evaluate(() => lab.space.camera.set({ target: [5, 4, 6], distance: 12 }));
    const [inside, outside] = [await ballAround(lab, 0.7), await ballAround(lab, 1.5)];
    assert.ok(inside >= 13, `${inside} of 16 inside at radius ${radius}`);
    assert.ok(outside <= 3, `${outside} of 16 outside at radius ${radius}`);
    sizes.push((await ballOnScreen(lab)).size);
  }
  assert.ok(sizes[1] > 3 * sizes[0], `${sizes}`);
  await openHall(visit, { ...HALL, agent: { radius: 0, speed: 6 } });
  await ticks(lab, 1);
  assert.ok((await pixelsLike(lab, "board-1")) > 0, "a point has a marker");
});

sharingSpaceTest("what a unit touches is marked, counted and said; a flight without hits says so", async (visit) => {
  const { page, lab } = visit;
  await openHall(visit);
  const hits = page.getByRole("region", { name: "Hits" });
  const sums = async () => (await lab.drawn(), hits.locator(".hit-sum").allInnerTexts());
  await ticks(lab, 20);
  assert.deepEqual(await sums(), ["No hits"]);
  // In the middle of the block there is no way out in time.
  await lab.evaluate(() => (lab.live.place({ unit: [12, 4, 4] }), lab.live.set({ targetKind: "stay" })));
  await ticks(lab, 80);
  const before = await pixelsLike(lab, "hit");
  await lab.evaluate(() => lab.live.place({ unit: [12, 4, 4] }));
  await ticks(lab, 30);
  assert.deepEqual(await sums(), ["1 hit (1 appeared)"]);
  assert.deepEqual(await hits.getByRole("listitem").allInnerTexts(), ["Tick 120: touched appearing obstacle 1, “gate”"]);
  await lab.heard(/^Unit: touched appearing obstacle 1, “gate”, tick 120/);
  assert.ok((await pixelsLike(lab, "hit")) > before + 20, "there is a mark");
  await lab.evaluate(() => lab.live.place({ unit: [3, 4, 4] }));
  await ticks(lab, 1);
  await lab.evaluate(() => lab.store.paint("onto it", [lab.store.doc.world.indexOf(lab.live.units[0].cell)], 0));
  await ticks(lab, 1);
  assert.deepEqual(await sums(), ["2 hits (1 static, 1 appeared)"]);
  await lab.button("Restart").click();
  await answered(lab);
  assert.deepEqual(await sums(), ["No hits"], "a flight of its own");
});

sharingSpaceTest("each board has a chart of what its ticks take, under its own name", async (visit) => {
  const { page, lab } = visit;
  await openHall(visit);
  const boards = (...algorithms) =>
    lab.evaluate((algorithms) => {
      const [board] = lab.store.doc.boards;
      lab.store.change("boards", { boards: algorithms.map((algorithm) => ({ ...board, algorithm })) });
    }, algorithms);
  await boards("astar", "d_star_lite");
  await ticks(lab, 60);
  const charts = page.getByRole("region", { name: "Frame time" }).getByRole("figure");
  const captions = async () => (await lab.drawn(), charts.locator("figcaption").allInnerTexts());
  const [first, second, ...more] = await captions();
  const figures = / update [\d.]+ (µs|ms), plan [\d.]+ (µs|ms), taken [\d.]+ (µs|ms); longest [\d.]+ (µs|ms); \d+ of 61 above 16 ms$/;
  for (const [text, name] of [[first, /^1 · A\*/], [second, /^2 · D\* Lite/]]) {
    assert.match(text, name);
    assert.match(text, figures);
  }
  assert.equal(more.length, 0);
  // What real ticks take is never the same: their bars may be lower than a pixel.
  await lab.evaluate(() => {
    const { frames } = lab.live;
    frames.clear(2);
    for (const board of [0, 1]) frames.take(board, Array.from({ length: 200 }, () => [300, 400, 200]));
    lab.live.emit("ticked");
  });
  const [fixed] = await captions();
  assert.match(fixed, / update 300 µs, plan 400 µs, taken 200 µs; longest 900 µs; 0 of 200 above 16 ms$/);
  const drawn = await charts.locator("canvas").evaluateAll(async (canvases) => {
    const { palette } = await import("/js/board/palette.js");
    return canvases.map((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const count = (name) => {
        const wanted = palette.parts(name);
        let pixels = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255 && [0, 1, 2].every((part) => Math.abs(data[i + part] - wanted[part]) < 3)) pixels++;
        return pixels;
      };
      return ["part-update", "part-plan", "part-taken", "limit"].map(count);
    });
  });
  for (const counts of drawn) assert.ok(counts.every((count) => count > 20), `${counts}`);
  await boards("lazy_theta", "astar");
  await answered(lab);
  const renamed = await captions();
  assert.match(renamed[0], /^1 · Lazy Theta\* .* of 1 above/, "nothing of the planner before it");
  assert.match(renamed[1], /^2 · A\* .* of 1 above/);
  await boards("astar");
  await answered(lab);
  assert.equal((await captions()).length, 1);
});

sharingSpaceTest("forecast cells are those of the chosen time, and can be hidden", async (visit) => {
  const { page, lab } = visit;
  await openHall(visit);
  await ticks(lab, 9);
  const hidden = await pixelsLike(lab, "forecast");
  const box = page.getByRole("checkbox", { name: "Forecast" });
  const range = page.getByRole("slider", { name: "Seconds ahead" });
  assert.ok(await range.isDisabled());
  await box.check();
  await lab.until(() => lab.live.flight.forecast?.length > 0, "a forecast");
  const cells = () => lab.evaluate(() => [...lab.live.flight.forecast].map((cell) => lab.store.doc.world.place(cell)[2]));
  // In 0.3 seconds the ball is 0.9 higher than it is.
  const middle = (heights) => heights.reduce((sum, z) => sum + z + 0.5, 0) / heights.length;
  assert.ok(Math.abs(middle(await cells()) - (2.5 + (10 / 60 + 0.3) * 3)) < 0.5, `${middle(await cells())}`);
  assert.ok((await pixelsLike(lab, "forecast")) > hidden + 50);
  await range.focus();
  await page.keyboard.press("End");
  await lab.until(() => lab.ui.ahead === 0.5 && lab.live.flight.forecast?.length > 0, "another forecast");
  assert.equal(await range.getAttribute("aria-valuetext"), "0.5 seconds ahead");
  assert.ok(Math.abs(middle(await cells()) - (2.5 + (10 / 60 + 0.5) * 3)) < 0.5, `${middle(await cells())}`);
  await page.keyboard.press("Home");
  await answered(lab);
  assert.equal(await lab.evaluate(() => lab.live.flight.forecast), null, "in no time there is nothing to foresee");
  assert.ok((await pixelsLike(lab, "forecast")) > hidden + 50, "what is covered now");
  await box.uncheck();
  await answered(lab);
  assert.ok(Math.abs((await pixelsLike(lab, "forecast")) - hidden) < 20);
});

sharingSpaceTest("a recorded flight opens at its first hit, and can be looked at from its beginning", async (visit) => {
  const { page, lab } = visit;
  await open(visit, "failed.flight.json", FLIGHT);
  await lab.until(() => lab.live.replay && lab.live.tick === 120, "the tick of the hit");
  await answered(lab);
  await lab.heard(/Recorded flight 17 of sipp, seed 4\. Tick 120: Touched obstacle 0 \(gate\)/);
  assert.equal(await lab.evaluate(() => lab.live.playing), false);
  assert.deepEqual(await lab.evaluate(() => lab.live.units[0].at), POSITIONS[80]);
  const record = page.getByRole("region", { name: "Recorded flight" });
  const sums = async () => (await lab.drawn(), page.locator(".hit-sum").allInnerTexts());
  assert.deepEqual(await sums(), ["1 hit (1 appeared)"], "the lab's judge agrees");
  assert.match(await record.innerText(), /Recorded flight 17 of sipp/);
  assert.equal(await page.locator(".board-name strong").innerText(), "sipp (recorded)");
  assert.deepEqual((await replanRows(page)).map(({ Board, State }) => [Board, State]), [["1 · sipp (recorded)", "recorded flight"]]);
  await record.getByRole("button", { name: "Beginning" }).click();
  await answered(lab);
  assert.deepEqual([await lab.evaluate(() => [lab.live.tick, lab.live.units[0].at]), await sums()], [[40, POSITIONS[0]], ["No hits"]]);
  await record.getByRole("slider").focus();
  await page.keyboard.press("End");
  await lab.until(() => lab.live.tick === 239, "its end");
  await lab.drawn();
  assert.equal((await replanRows(page))[0].State, "end of the record");
  await record.getByRole("button", { name: "First hit" }).click();
  await lab.until(() => lab.live.tick === 120, "the hit again");
  await answered(lab);
  await record.getByRole("button", { name: "Fly again" }).click();
  await lab.until(() => lab.live.tick > 41 && lab.live.units[0].replan, "a planner that flies");
  await lab.button("Pause").click();
  await answered(lab);
  assert.equal(await record.isVisible(), false);
  assert.equal(await page.locator(".board-name strong").innerText(), "A*");
});

spaceTest("files that are no flights are refused with a reason", { tolerate: /400/ }, async (visit) => {
  const { lab } = visit;
  const before = await lab.document();
  for (const [content, expected] of [
    [{ ...FLIGHT, version: 3 }, /a\.flight\.json: found a recorded flight of version 3, expected 1/],
    [{ ...FLIGHT, tick: 999 }, /tick: found tick 999, expected one of the flight, 40 to 239/],
    [{ ...FLIGHT, positions: [] }, /positions: found none/],
    [{ ...FLIGHT, scene: { ...HALL, size: [0, 1, 1] } }, /a\.flight\.json: scene: /],
    [JSON.stringify(FLIGHT).slice(0, 300), /a\.flight\.json: /],
  ]) {
    await open(visit, "a.flight.json", content);
    await lab.heard(expected);
  }
  assert.deepEqual(await lab.document(), before);
});

sharingSpaceTest("how many replans a fresh search answered is said", async (visit) => {
  const { page, lab } = visit;
  await openHall(visit);
  await lab.evaluate(() => {
    const [board] = lab.store.doc.boards;
    lab.store.change("boards", { boards: ["astar", "d_star_lite"].map((algorithm) => ({ ...board, algorithm })) });
  });
  await answered(lab);
  await ticks(lab, 100);
  const [astar, repairing] = await replanRows(page);
  const [, fresh, replans] = /^(\d+) of (\d+)$/.exec(astar.Fresh);
  assert.deepEqual([fresh, replans], [astar.Replans, astar.Replans], "A* searches anew each time");
  assert.match(repairing.Fresh, new RegExp(`^\\d+ of ${repairing.Replans}$`));
  const summary = page.locator("#replans .race-state");
  assert.doesNotMatch(await summary.innerText(), /A\* expands [^,]* \(fresh/, "of A* nothing has to be said");
  const said = await lab.evaluate(() => {
    const total = lab.live.replans.totals[1];
    total.fresh = total.replans;
    lab.live.emit("ticked");
    return total.replans;
  });
  await lab.drawn();
  assert.ok((await summary.innerText()).includes(`(fresh ${said} of ${said}: this is A*)`), await summary.innerText());
});
