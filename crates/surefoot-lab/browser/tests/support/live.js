// What tests of the live mode do again and again.

/**
 * Switches live on and waits for the first paths. Units wait there unless told otherwise; those that walk hardly get on, however
 * long a test takes to look at them.
 */
export async function goLive(lab, { playing = false } = {}) {
  if (playing) await crawl(lab).then(() => lab.button("Live").click());
  else await lab.evaluate(() => (lab.actions.toggleLive(), lab.live.pause()));
  await lab.until(() => lab.live.active && lab.live.units.every((unit) => unit.path.length > 0), "the first paths");
  if (!playing) await answered(lab);
  await lab.drawn();
}

/** Lets units walk as slowly as they can. */
export const crawl = (lab) => lab.evaluate(() => lab.live.set({ speed: 0.5 }));

/** Waits until the server has answered to the last tick. */
export const answered = (lab) => lab.until(() => !lab.live.isWaiting, "the answer to a tick");

/** Lets units walk, fast, until they have arrived. */
export async function walkToTheEnd(lab) {
  await lab.evaluate(() => lab.live.set({ speed: 120 }));
  if (!(await lab.evaluate(() => lab.live.playing))) await lab.button("Play").click();
  await lab.until(() => lab.live.units.every(({ state }) => state === "arrived"), "all units at the target");
  await lab.drawn();
}

/** Lets one tick pass and waits for its answer. */
export async function oneTick(lab) {
  await answered(lab);
  await lab.button("One tick").click();
  await answered(lab);
}

/** The cells before a board's unit. */
export const ahead = (lab, board = 0) => lab.evaluate((board) => lab.live.units[board].ahead, board);

/** A unit as plain values. */
export const unitOf = (lab, board = 0) =>
  lab.evaluate((board) => {
    const { cell, state, message, path, trail, travelled } = lab.live.units[board];
    return structuredClone({ cell, state, message, path, trail, travelled });
  }, board);

/** What the chart's table says of each board: a map from column to text. */
export const replanRows = (page) =>
  page.getByRole("table", { name: "Replans of each board" }).evaluate((table) => {
    const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
    return [...table.tBodies[0].rows].map((row) =>
      Object.fromEntries([...row.cells].map((cell, i) => [heads[i], cell.textContent])),
    );
  });
