// The units of a crowd as the last answer of the server left them.

/** 32-bit words of a unit: see "Units of a crowd" in docs/lab-protocol.md. */
const WORDS = 4;
const NUMBER = 0xfffff;
const RADIUS_PARTS = 1024;
const TIME_PARTS = 10;

/** The states by number. */
export const STATES = ["idle", "waiting", "walking", "riding", "arrived", "stuck"];
/** A unit that has not come nearer to its goal for so many seconds is held up. */
export const HELD = 1;

export class CrowdUnits {
  #words;
  #floats;

  constructor(words = new Uint32Array(0)) {
    this.#words = words;
    this.#floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    this.count = words.length / WORDS;
  }

  number(i) {
    return this.#words[WORDS * i] & NUMBER;
  }

  state(i) {
    return STATES[(this.#words[WORDS * i] >>> 20) & 7];
  }

  isInJam(i) {
    return ((this.#words[WORDS * i] >>> 23) & 1) === 1;
  }

  group(i) {
    return this.#words[WORDS * i] >>> 24;
  }

  x(i) {
    return this.#floats[WORDS * i + 1];
  }

  y(i) {
    return this.#floats[WORDS * i + 2];
  }

  radius(i) {
    return (this.#words[WORDS * i + 3] & 0xffff) / RADIUS_PARTS;
  }

  /** For how many seconds it has walked without coming nearer to its goal. */
  stalled(i) {
    return (this.#words[WORDS * i + 3] >>> 16) / TIME_PARTS;
  }

  isHeld(i) {
    return this.stalled(i) > HELD;
  }

  /** The unit of a number, or -1. */
  indexOf(number) {
    for (let i = 0; i < this.count; i++) if (this.number(i) === number) return i;
    return -1;
  }

  /** The nearest unit that is no further from a place than its radius or `reach`, or -1. */
  at(x, y, reach = 0) {
    let [best, least] = [-1, Infinity];
    for (let i = 0; i < this.count; i++) {
      const distance = Math.hypot(this.x(i) - x, this.y(i) - y);
      if (distance >= least || distance > Math.max(this.radius(i), reach)) continue;
      [best, least] = [i, distance];
    }
    return best;
  }

  /** The same without some numbers. */
  without(numbers) {
    const gone = new Set(numbers);
    const kept = [];
    for (let i = 0; i < this.count; i++) {
      if (!gone.has(this.number(i))) kept.push(...this.#words.subarray(WORDS * i, WORDS * (i + 1)));
    }
    return new CrowdUnits(Uint32Array.from(kept));
  }
}
