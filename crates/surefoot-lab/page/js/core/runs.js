// Searches of the boards: sends requests to the server, processes answers, and keeps up to date with the document.

import { BoardRun, isWatched } from "./board-run.js";
import { toRuns } from "./edits.js";
import { Emitter } from "./emitter.js";
import { Replay, Timeline } from "./trace.js";
import { writeWorld } from "./world.js";

/** After so many milliseconds without a change, searches that were only kept up to date are measured too. */
const SETTLED = 500;
/** Maps that take longer to prepare, in microseconds, are prepared when nothing has changed for REST milliseconds. */
const SLOW_PREPARATION = 30_000;
const REST = 250;
/** How long another algorithm's answer stays on a board while the new one is computed, in milliseconds. */
const OVERLAP = 150;
/** More painted cells than this travel as a whole world. */
const MOST_EDITS = 50_000;

/**
 * Events, each with the number of a board: `preparing`, `cleared` (nothing is shown until the answer arrives), `began`,
 * `progress` (events arrived), `done`, `timed`, `failed`; `boards` when their number changed.
 */
export class Runner extends Emitter {
  #store;
  #connection;
  /** The world that answers are about. */
  #world;
  #nextId = 1;
  /** What the server does not know yet: null, "world", or a Set of painted cells. */
  #unsent = "world";
  #linksUnsent = false;
  #scheduled = false;
  #settling = null;
  /** Counts the changes after which maps have to be prepared again: of everything but start and goals. */
  #shape = 0;
  #reshapedAt = -Infinity;
  #resting = null;
  /** What covers cells of the world, null if nothing does: see movement.js. */
  #cover = null;
  /** Whether nothing is searched, because units walk on the boards. */
  #suspended = false;

  constructor(store, connection) {
    super();
    this.#store = store;
    this.#connection = connection;
    this.#world = store.doc.world;
    this.boards = store.doc.boards.map(() => new BoardRun());
    store.on("cells", (indices) => this.#noteCells(indices));
    store.on("fields", (names) => this.#noteFields(names));
    connection.on("open", () => this.#reconnected());
    connection.on("message", (message) => this.#receive(message));
    connection.on("piece", (piece) => this.#takePiece(piece));
    connection.on("sketch", (sketch) => {
      const run = this.boards[sketch.board];
      if (run?.id === sketch.run) run.comingSketch = sketch;
    });
  }

  /** Searches on a board; with `live` what is shown stays until the new answer is complete. */
  run(board, { trace = true, time = true, live = false } = {}) {
    if (this.#suspended) return;
    const { doc } = this.#store;
    const run = this.boards[board];
    this.flush();
    run.request = { trace, time, live };
    if (doc.start === null || doc.goals.length === 0) return this.#refuse(board);
    const { algorithm } = doc.boards[board];
    const id = this.#nextId++;
    Object.assign(run, { id, algorithm, busy: true, stale: false, error: null, coming: null });
    Object.assign(run, { begun: false, preparing: null, shape: this.#shape, comingSketch: null });
    const query = { start: doc.start, goals: doc.goals, ...doc.boards[board] };
    const isSame = run.shownAlgorithm === algorithm;
    const sketch = isSame ? (run.sketch?.table ?? 0) : 0;
    this.#connection.send({ type: "run", board, run: id, trace, time, sketch, query });
    if (!isSame && live) setTimeout(() => run.id === id && run.busy && this.#clearShown(run, board), OVERLAP);
  }

  /** Clears what is shown of an earlier search. The request under way continues. */
  #clearShown(run, board) {
    Object.assign(run, { timeline: null, replay: null, result: null, timing: null, sketch: null });
    if (!run.begun) run.promise = null;
    this.emit("cleared", board);
  }

  /** Nothing is to be searched. */
  #refuse(board) {
    this.#forget([this.boards[board]]);
    const missing = this.#store.doc.start === null ? "start" : "goal";
    Object.assign(this.boards[board], { stale: false, error: `there is no ${missing} yet: place one` });
    this.emit("failed", board);
  }

  runAll(options) {
    this.boards.forEach((_, board) => this.run(board, options));
  }

  cancel(board) {
    this.#connection.send({ type: "cancel", board });
  }

  /** Forgets what was searched, keeps the path up to date. */
  clear() {
    this.#forget();
    this.#touchAll();
    this.boards.forEach((_, board) => this.emit("done", board));
  }

  /** Searches nothing more and shows nothing of what was searched. */
  suspend() {
    this.#suspended = true;
    this.#forget();
    for (const run of this.boards) run.error = null;
    this.boards.forEach((_, board) => this.emit("done", board));
  }

  /** Searches in the world as obstacles have left it, or with null in the world alone. */
  cover(movement) {
    if (movement === this.#cover) return;
    this.#cover = movement;
    this.#unsent = "world";
  }

  resume() {
    this.#suspended = false;
    this.#touchAll();
  }

  /** No search is shown, and answers that are on their way are not waited for. */
  #forget(boards = this.boards) {
    const nothing = { id: 0, busy: false, coming: null, timeline: null, replay: null, result: null, timing: null };
    for (const run of boards) Object.assign(run, nothing, { preparing: null, sketch: null, promise: null });
  }

  /**
   * Another world makes what is shown wrong. While a graph is edited node by node that would flicker: as long as the
   * nodes are the same ones the last answer stays until the next is there, and what was watched is watched again.
   */
  #noteWorld() {
    const [before, { world }] = [this.#world, this.#store.doc];
    this.#world = world;
    this.#unsent = "world";
    const nodes = before.kind === "graph" && world.kind === "graph" ? world.nodeCount - before.nodeCount : Infinity;
    if (nodes === 0) return;
    const watched = this.boards.map((run) => Math.abs(nodes) === 1 && isWatched(run));
    this.#forget();
    this.boards.forEach((run, board) => (run.watch = watched[board]));
  }

  /** What was prepared is out of date. */
  #reshape() {
    this.#shape++;
    this.#reshapedAt = performance.now();
  }

  #noteCells(indices) {
    this.#reshape();
    if (this.#unsent !== "world") {
      this.#unsent ??= new Set();
      if (this.#unsent.size + indices.length > MOST_EDITS) this.#unsent = "world";
      else for (const index of indices) this.#unsent.add(index);
    }
    this.#touchAll();
  }

  #noteFields(names) {
    if (["world", "links", "boards"].some((name) => names.has(name))) this.#reshape();
    if (names.has("world")) this.#noteWorld();
    if (names.has("links")) this.#linksUnsent = true;
    if (names.has("boards")) {
      const wanted = this.#store.doc.boards.length;
      while (this.boards.length < wanted) this.boards.push(new BoardRun());
      for (const gone of this.boards.splice(wanted)) gone.id = 0;
      this.emit("boards");
    }
    this.#touchAll();
  }

  #reconnected() {
    this.#unsent = "world";
    // Another session numbers what it prepares anew.
    for (const run of this.boards) run.sketch = null;
    this.#reshape();
    this.#touchAll();
    this.boards.forEach((run, board) => {
      // What was requested explicitly is requested again unchanged.
      if (run.busy && !run.request.live) this.run(board, run.request);
      else run.busy = false;
    });
  }

  #touchAll() {
    for (const run of this.boards) run.stale = true;
    this.#schedule();
  }

  /** Brings boards up to date, at most once a frame and one request a board at a time. */
  #schedule() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      if (!this.#connection.isOpen || this.#suspended) return;
      this.boards.forEach((run, board) => {
        if (!run.stale || this.#waits(run, board)) return;
        this.run(board, { trace: isWatched(run), time: false, live: true });
      });
    });
  }

  /** Whether a live search is left for later: there is one under way, or the map would take long to prepare. */
  #waits(run, board) {
    // The answer of an algorithm that is no longer selected is not needed.
    const isNeeded = run.algorithm === this.#store.doc.boards[board].algorithm;
    const underWay = run.busy && run.request.live && isNeeded;
    const isSlow = run.preparing !== null || run.preparation > SLOW_PREPARATION;
    if (!isSlow || run.preparedShape === this.#shape) return underWay;
    // What is being prepared is still of use while only start and goals move.
    if (underWay && (run.preparing === null || run.shape === this.#shape)) return true;
    const left = this.#reshapedAt + REST - performance.now();
    if (left <= 0) return false;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#schedule(), left);
    return true;
  }

  /** Measures what was kept up to date, once nothing changes any more. */
  #settle() {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      this.boards.forEach((run, board) => {
        if (run.busy || run.stale || !run.result || run.request.time) return;
        this.run(board, { trace: isWatched(run), time: true, live: true });
      });
    }, SETTLED);
  }

  /** Tells the server what it does not know; gives back "world" if that took a whole one. */
  flush() {
    if (!this.#connection.isOpen) return null;
    const { links } = this.#store.doc;
    const sent = this.#unsent;
    if (sent === null && !this.#linksUnsent) return null;
    const world = this.#seenWorld;
    if (sent === "world") {
      this.#connection.send({ type: "world", world: writeWorld(world, links) });
    } else if (this.#unsent || this.#linksUnsent) {
      const runs = toRuns(world, this.#unsent ?? []);
      const edit = { type: "edit", [world.kind === "voxel" ? "voxels" : "runs"]: runs };
      if (this.#linksUnsent) edit.links = links;
      this.#connection.send(edit);
    }
    this.#unsent = null;
    this.#linksUnsent = false;
    return sent === "world" ? sent : null;
  }

  /** The world that is searched. */
  get #seenWorld() {
    const { world } = this.#store.doc;
    return this.#cover?.world === world ? this.#cover.seen() : world;
  }

  #newTimeline({ units }) {
    const { nodeCount, width, size } = this.#store.doc.world;
    const [across, depth] = size ?? [width, 0];
    return new Timeline(nodeCount, { units, width: across, depth });
  }

  #receive(message) {
    const run = this.boards[message.board];
    if (!run || run.id !== message.run) return;
    switch (message.type) {
      case "preparing": {
        // The answer takes a while. Until then the earlier one must not stand under the new name.
        if (run.preparing === null) this.#clearShown(run, message.board);
        run.preparing = message.share;
        run.preparation = Math.max(run.preparation, SLOW_PREPARATION + 1);
        this.emit("preparing", message.board);
        if (run.stale) this.#schedule();
        break;
      }
      case "began": {
        Object.assign(run, { begun: true, preparing: null, preparedShape: run.shape, promise: message.promise });
        if (run.request.trace) run.coming = this.#newTimeline(message);
        if (!run.request.live) this.#show(run);
        this.emit("began", message.board);
        break;
      }
      case "done": {
        // What ended before it began has nothing to show.
        if (run.request.live || !run.begun) this.#show(run);
        if (run.begun) run.preparation = message.prepared?.us ?? 0;
        if (run.sketch?.table !== message.prepared?.table) run.sketch = null;
        Object.assign(run, { busy: false, preparing: null, result: message, promise: message.promise });
        this.emit("done", message.board);
        if (run.stale) this.#schedule();
        else if (!run.request.time && run.begun) this.#settle();
        break;
      }
      case "timed":
        run.timing = message;
        this.emit("timed", message.board);
        break;
      case "error":
        Object.assign(run, { busy: false, error: message.message, result: null, timeline: null, replay: null });
        Object.assign(run, { preparing: null, sketch: null, promise: null });
        this.emit("failed", message.board);
        if (run.stale) this.#schedule();
        break;
    }
  }

  /** Puts the new search in the place of the old one. */
  #show(run) {
    run.shownAlgorithm = run.algorithm;
    run.timeline = run.coming;
    run.replay = run.coming && new Replay(run.coming);
    run.coming = null;
    run.watch = false;
    run.timing = null;
    run.sketch = run.comingSketch ?? run.sketch;
    run.comingSketch = null;
    if (!run.request.live) run.result = null;
  }

  #takePiece({ board, run: id, events, bytes }) {
    const run = this.boards[board];
    if (!run || run.id !== id) return;
    const timeline = run.coming ?? run.timeline;
    timeline.append(bytes, events);
    if (timeline === run.timeline) this.emit("progress", board);
  }
}
