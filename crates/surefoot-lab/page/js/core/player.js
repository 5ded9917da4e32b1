// The clock of the animation: one position for all boards.
//
// The position counts steps of the longest board. Boards are locked by expansions (all at the same step) or by measured
// time (a board that needed half the time plays twice as fast).

import { hitBetween } from "./breakpoints.js";
import { Emitter } from "./emitter.js";

export const SLOWEST = 1;
/** Faster than this is instant. */
export const FASTEST = 1_000_000;

/** Events: `move` (the position changed), `state` (playing, speed or lock changed), `break` (a breakpoint's text). */
export class Player extends Emitter {
  position = 0;
  playing = false;
  /** Steps a second; Infinity for instant. */
  speed = 60;
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
    const follow = () => this.#following && this.#moveTo(this.length);
    for (const type of ["progress", "done"]) runner.on(type, follow);
  }

  /** The last position: where every board is at its end. */
  get length() {
    return Math.max(0, ...this.#runner.boards.map((run) => run.timeline?.steps ?? 0));
  }

  /** Whether boards go by their measured times: all of them are known. */
  get byTime() {
    return this.lock === "time" && this.#runner.boards.every((run) => !run.timeline || run.timing);
  }

  /** The step that a board shows. */
  stepOf(board) {
    const { timeline, timing } = this.#runner.boards[board];
    if (!timeline) return 0;
    const position = Math.floor(this.position);
    if (position >= this.length) return timeline.steps;
    if (!this.byTime) return Math.min(position, timeline.steps);
    const slowest = Math.max(...this.#runner.boards.map((run) => run.timing?.median_us ?? 0));
    const share = (position / this.length) * (slowest / timing.median_us);
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

  set(fields) {
    Object.assign(this, fields);
    this.emit("state");
    this.emit("move");
  }

  /** Called once a frame. */
  tick(now) {
    if (!this.playing) return;
    const seconds = Math.min((now - this.#last) / 1000, 0.25);
    this.#last = now;
    const { length, position } = this;
    const busy = this.#runner.boards.some((run) => run.busy);
    const wanted = Math.min(this.speed === Infinity ? length : position + seconds * this.speed, length);
    const hit = this.#breakBetween(Math.floor(position), Math.floor(wanted));
    if (hit) {
      this.pause();
      this.seek(hit.step);
      this.emit("break", hit);
      return;
    }
    if (wanted !== position) this.seek(wanted);
    // At its end, a search stays at its end when the map is changed under it.
    if (wanted >= length && !busy) this.followEnd();
  }

  /** The first breakpoint of any board after one position and up to another. */
  #breakBetween(from, to) {
    if (this.#ui.breakpoints.length === 0 || to <= from || this.byTime) return null;
    const hits = this.#runner.boards.map((run, board) => {
      const hit = run.timeline && hitBetween(run.timeline, this.#ui.breakpoints, from, to);
      return hit && { ...hit, board };
    });
    return hits.filter(Boolean).sort((a, b) => a.step - b.step)[0] ?? null;
  }
}
