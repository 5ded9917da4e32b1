// The clock of the animation: one position for all boards.
//
// The position counts steps of the longest board. Boards are locked by expansions (all at the same step) or by
// measured time (a board that needed half the time plays twice as fast).

import { hitBetween } from "./breakpoints.js";
import { Emitter } from "./emitter.js";

export const SLOWEST = 1;
/** Faster than this is instant. */
export const FASTEST = 1_000_000;
/** How long a search plays at the automatic speed, in seconds. */
const COMFORTABLE = 5;
/** No automatic speed is below this: a search of three steps need not last. */
const LEAST_AUTOMATIC = 10;

/**
 * Events: `move` (the position changed), `state` (playing, speed or lock changed), `break` ({position, step, board,
 * breakpoint}).
 */
export class Player extends Emitter {
  position = 0;
  playing = false;
  /** Steps per second; Infinity for instant. */
  speed = 60;
  /** Whether the speed is automatic: it follows the length of the search until a speed is chosen. */
  automatic = true;
  /** "expansions" or "time". */
  lock = "expansions";
  #runner;
  #ui;
  #last = 0;
  /** Whether to stay at the end while events arrive. */
  #following = false;

  constructor(runner, ui) {
    super();
    this.#runner = runner;
    this.#ui = ui;
    const arrived = () => {
      this.#chooseSpeed();
      if (this.#following) this.#moveTo(this.length);
      // A shorter search may have come in the place of a longer one.
      else if (this.position > this.length) this.#moveTo(this.length);
    };
    for (const type of ["cleared", "progress", "done"]) runner.on(type, arrived);
  }

  /** The last position: where every board is at its end. */
  get length() {
    return Math.max(0, ...this.#runner.boards.map((run) => run.timeline?.steps ?? 0));
  }

  /** Whether boards go by their measured times: all of them are known. A search without a step needs none. */
  get byTime() {
    return this.lock === "time" && this.#runner.boards.every((run) => !run.timeline?.steps || run.timing);
  }

  /** The step that a board shows. */
  stepOf(board) {
    return this.#stepAt(board, Math.floor(this.position));
  }

  /** The step that a board shows at a position. */
  #stepAt(board, position) {
    const { timeline, timing } = this.#runner.boards[board];
    if (!timeline?.steps) return 0;
    if (position >= this.length) return timeline.steps;
    if (!this.byTime) return Math.min(position, timeline.steps);
    const slowest = Math.max(...this.#runner.boards.map((run) => run.timing?.median_us ?? 0));
    // A clock may be too coarse for a search of a few steps.
    const share = timing.median_us > 0 ? (position / this.length) * (slowest / timing.median_us) : 1;
    return Math.floor(Math.min(1, share) * timeline.steps);
  }

  seek(position) {
    this.#following = false;
    this.#moveTo(position);
  }

  #moveTo(position) {
    this.position = Math.min(Math.max(position, 0), this.length);
    this.emit("move");
  }

  /** Goes to the end and stays there, also when the search is run again or goes on. */
  followEnd() {
    this.pause();
    this.#following = true;
    this.#moveTo(this.length);
  }

  stepBy(steps) {
    this.pause();
    this.seek(Math.floor(this.position) + steps);
  }

  play() {
    if (this.position >= this.length && !this.#runner.boards.some((run) => run.busy)) this.seek(0);
    this.playing = true;
    this.#last = performance.now();
    this.#ui.set({ brokenAt: null });
    this.emit("state");
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.emit("state");
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Changes speed, lock or whether the speed is automatic. Setting a speed ends the automatic speed. */
  set(fields) {
    Object.assign(this, "speed" in fields ? { automatic: false } : {}, fields);
    this.#chooseSpeed();
    this.emit("state");
    this.emit("move");
  }

  /** At the automatic speed, a search of any length plays for a few seconds. */
  #chooseSpeed() {
    if (!this.automatic) return;
    const speed = Math.min(Math.max(this.length / COMFORTABLE, LEAST_AUTOMATIC), FASTEST);
    if (speed === this.speed || this.length === 0) return;
    this.speed = speed;
    this.emit("state");
  }

  /** Called once a frame. */
  tick(now) {
    if (!this.playing) return;
    const seconds = Math.min(Math.max(now - this.#last, 0) / 1000, 0.25);
    this.#last = now;
    const { length, position } = this;
    const busy = this.#runner.boards.some((run) => run.busy);
    // The newest step may still get events: it is shown when the next one has begun.
    const end = busy ? Math.max(length - 1, position) : length;
    const wanted = Math.min(this.speed === Infinity ? end : position + seconds * this.speed, end);
    const hit = this.#breakBetween(Math.floor(position), Math.floor(wanted));
    if (hit) {
      this.pause();
      this.seek(hit.position);
      this.#ui.set({ brokenAt: hit.breakpoint });
      this.emit("break", hit);
      return;
    }
    if (wanted !== position) this.seek(wanted);
    // At its end, a search stays at its end when the map is changed under it.
    if (wanted >= length && !busy) this.followEnd();
  }

  /** The first breakpoint of any board after one position and up to another, as the event `break` has it. */
  #breakBetween(from, to) {
    if (this.#ui.breakpoints.length === 0 || to <= from) return null;
    const hits = this.#runner.boards.map(({ timeline }, board) => {
      if (!timeline) return null;
      const [first, last] = [this.#stepAt(board, from), this.#stepAt(board, to)];
      const hit = hitBetween(timeline, this.#ui.breakpoints, first, last);
      return hit && { ...hit, board, position: this.#positionOf(board, hit.step, from, to) };
    });
    return hits.filter(Boolean).sort((a, b) => a.position - b.position)[0] ?? null;
  }

  /** The first position after `from` and up to `to` at which a board has reached a step. */
  #positionOf(board, step, from, to) {
    let [low, high] = [from + 1, to];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#stepAt(board, middle) >= step) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
