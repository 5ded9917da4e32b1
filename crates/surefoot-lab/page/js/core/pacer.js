// How many ticks are due as time passes.

export const TICKS_PER_SECOND = 60;
/** The most ticks of a request. */
export const MOST_TICKS = 600;
/** What is made up for after a frame that came late, in seconds. */
export const MOST_LATE = 0.25;

export class Pacer {
  #due = 0;
  #last = 0;

  /** Counts from now on. */
  restart() {
    this.#due = 0;
    this.#last = performance.now();
  }

  /** Time has passed, `rate` times as fast as it does; gives back how many ticks are due. */
  pass(now, rate) {
    const seconds = Math.min(Math.max(now - this.#last, 0) / 1000, MOST_LATE);
    this.#last = now;
    const pace = TICKS_PER_SECOND * rate;
    this.#due = Math.min(this.#due + seconds * pace, Math.max(MOST_LATE * pace, 1));
    return Math.floor(this.#due);
  }

  /** Ticks have been asked for. */
  take(ticks) {
    this.#due -= ticks;
  }
}
