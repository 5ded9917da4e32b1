// One visit to the lab: what tests do with a page again and again.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { patience } from "./pace.js";

/** How long anything may take before a test gives up. */
const PATIENCE = patience(180);

/**
 * Keeps everything that the live region of a page says, in `said`: on a slow machine one thing takes the place of another before
 * a test could read it. It runs in the page, before anything else.
 */
export function noteAnnouncements() {
  globalThis.said = [];
  globalThis.heard = 0;
  const listen = () => {
    const note = (records) => said.push(...records.flatMap(({ addedNodes }) => [...addedNodes].map((node) => node.textContent)));
    new MutationObserver(note).observe(document.querySelector("#live"), { childList: true });
  };
  document.addEventListener("readystatechange", listen, { once: true });
}

export class Lab {
  constructor(page) {
    this.page = page;
  }

  /** Opens the lab and waits for the first path. */
  async open(url) {
    await this.page.goto(url);
    await this.until(() => globalThis.lab?.runner.boards[0].result, "the first path");
  }

  /** Makes the page as good as new, except for its map and the history of that. The first call notes what it is like. */
  async renew() {
    this.viewport ??= this.page.viewportSize();
    await this.page.setViewportSize(this.viewport);
    await this.page.mouse.move(0, 0);
    await this.page.evaluate(() => {
      const { ui, player, live, crowd, store, actions } = lab;
      const pick = (from, names) => Object.fromEntries(names.map((name) => [name, from[name]]));
      globalThis.asNew ??= {
        ui: pick(ui, Object.keys(ui).filter((name) => !["connected", "hovered", "hoveredBoard"].includes(name))),
        live: pick(live, ["speed", "sensing", "targetKind", "targetShare", "watched"]),
        crowd: pick(crowd, ["rate", "group", "avoidance", "jams", "radius"]),
        boards: store.doc.boards,
      };
      for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
      document.activeElement.blur();
      live.stop();
      crowd.stop();
      live.set(asNew.live);
      crowd.set(asNew.crowd);
      player.pause();
      player.set({ automatic: true, lock: "expansions" });
      actions.clearPath();
      ui.set(asNew.ui);
      store.change("as new", { boards: asNew.boards });
      heard = said.length;
    });
    await this.settled();
  }

  button(name, options = {}) {
    return this.page.getByRole("button", { name, exact: true, ...options });
  }

  evaluate(work, argument) {
    return this.page.evaluate(work, argument);
  }

  /** Waits until a function in the page gives something true, and returns it. */
  async until(condition, what = String(condition), argument = undefined) {
    const end = Date.now() + PATIENCE;
    let found = await this.page.evaluate(condition, argument);
    while (!found) {
      assert.ok(Date.now() < end, `waited in vain for ${what}`);
      await pause(20);
      found = await this.page.evaluate(condition, argument);
    }
    return found;
  }

  /** Waits until everything that happened so far is drawn. */
  drawn() {
    return this.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
    );
  }

  /** Waits until scenes in space are drawn as well, sharp. */
  async sharp() {
    await this.drawn();
    await this.until(() => lab.boards.views.every(({ drawn }) => drawn.complete), "the whole surface");
  }

  /** Waits until something that is read in the page does not change any more from frame to frame, and returns it. */
  async still(read) {
    for (let before = await this.page.evaluate(read); ; ) {
      await this.drawn();
      const now = await this.page.evaluate(read);
      if (JSON.stringify(now) === JSON.stringify(before)) return now;
      before = now;
    }
  }

  /** Waits until every board has the answer to everything that was asked. */
  async settled() {
    await this.until(
      () => lab.runner.boards.every((run) => !run.busy && !run.stale && (run.result || run.error)),
      "all answers",
    );
    await this.drawn();
  }

  /** Waits until all searches are measured, too: after that nothing happens by itself. */
  async rested() {
    await this.until(
      () => lab.runner.boards.every(({ busy, stale, error, timing }) => !busy && !stale && (error || timing)),
      "all answers and times",
    );
    await this.drawn();
  }

  /** Shows a map: rows as in a JSON world. */
  show(rows, { start, goals, links = [] }) {
    const width = rows[0].replaceAll(/\(\d+\)/g, "x").length;
    return this.showWorld({ kind: "grid", width, height: rows.length, rows, links }, start, goals);
  }

  async showWorld(world, start, goals) {
    const scene = { title: "test", text: "", world, start, goals };
    await this.page.evaluate((scene) => lab.actions.showScene(scene), scene);
    await this.settled();
  }

  /** Settings of a board. */
  async set(fields, board = 0) {
    await this.page.evaluate(({ board, fields }) => lab.actions.setBoard(board, fields), { board, fields });
    await this.settled();
  }

  /** Searches on all boards, watched, and goes to the end. */
  async search() {
    await this.page.evaluate(() => {
      lab.actions.run();
      lab.player.followEnd();
    });
    await this.settled();
  }

  async seek(step) {
    await this.page.evaluate((step) => lab.player.seek(step), step);
    await this.drawn();
  }

  /** A hash of a board's pixels. */
  async picture(board = 0) {
    await this.drawn();
    return this.page.evaluate(async (board) => {
      const canvases = [...lab.boards.views[board].element.querySelectorAll("canvas")];
      const images = canvases.map((canvas) =>
        canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height),
      );
      const hashes = images.map(({ data }) => crypto.subtle.digest("SHA-256", data));
      const bytes = (await Promise.all(hashes)).flatMap((hash) => [...new Uint8Array(hash)]);
      return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
    }, board);
  }

  /** Where the middle of a cell is on the screen. */
  async point([x, y], board = 0) {
    return this.worldPoint([x + 0.5, y + 0.5], board);
  }

  /** Where world coordinates are on the screen, once the board has its size. */
  async worldPoint([x, y], board = 0) {
    await this.drawn();
    const place = await this.page.evaluate(
      ({ x, y, board }) => {
        const box = lab.boards.views[board].canvas.getBoundingClientRect();
        const { camera } = lab;
        return {
          x: box.left + box.width / 2 + (x - camera.x) * camera.scale,
          y: box.top + box.height / 2 + (y - camera.y) * camera.scale,
        };
      },
      { x, y, board },
    );
    return [place.x, place.y];
  }

  /** Drags the mouse from cell to cell; `during` is called before the button is released. */
  async drag(cells, { button = "left", during = async () => {} } = {}) {
    const { mouse } = this.page;
    const points = await Promise.all(cells.map((cell) => this.point(cell)));
    await mouse.move(...points[0]);
    await mouse.down({ button });
    for (const point of points.slice(1)) await mouse.move(...point, { steps: 4 });
    await during();
    await mouse.up({ button });
    await this.drawn();
  }

  /** The document, its places and everything a link must hold, as plain values. */
  document() {
    return this.page.evaluate(() => {
      const { world, links, start, goals, boards } = lab.store.doc;
      const { kind, width, height, size, cost, nodes, edges } = world;
      return structuredClone({
        kind,
        width,
        height,
        size,
        cost: cost && [...cost],
        nodes,
        edges,
        links,
        start,
        goals,
        boards,
      });
    });
  }

  result(board = 0) {
    return this.page.evaluate((board) => structuredClone(lab.runner.boards[board].result), board);
  }

  cost([x, y]) {
    return this.page.evaluate(({ x, y }) => lab.store.doc.world.cost[lab.store.doc.world.index(x, y)], {
      x,
      y,
    });
  }

  steps(board = 0) {
    return this.page.evaluate((board) => lab.runner.boards[board].timeline?.steps ?? 0, board);
  }

  step(board = 0) {
    return this.page.evaluate((board) => lab.player.stepOf(board), board);
  }

  /** Waits until the live region has said something that matches, after what was heard before. */
  async heard(pattern) {
    try {
      return await this.until(
        ({ source, flags }) => {
          const expected = new RegExp(source, flags);
          const at = said.findIndex((text, i) => i >= heard && expected.test(text));
          if (at >= 0) heard = at + 1;
          return said[at];
        },
        `the words ${pattern}`,
        { source: pattern.source, flags: pattern.flags },
      );
    } catch (error) {
      const text = await this.page.evaluate(() => said.slice(heard).join(" | "));
      throw new Error(`${error.message}; the live region has said: ${text}`);
    }
  }

  /** What was said so far is not waited for any more. */
  hearFromNowOn() {
    return this.page.evaluate(() => (heard = said.length));
  }
}
