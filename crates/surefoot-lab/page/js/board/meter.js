// How long the page's own drawing takes.

/** Milliseconds spent in frames that drew anything. */
export class Meter {
  frames = 0;
  worst = 0;
  #total = 0;

  add(milliseconds) {
    this.frames++;
    this.#total += milliseconds;
    this.worst = Math.max(this.worst, milliseconds);
  }

  get average() {
    return this.frames === 0 ? 0 : this.#total / this.frames;
  }

  reset() {
    this.frames = 0;
    this.worst = 0;
    this.#total = 0;
  }
}
