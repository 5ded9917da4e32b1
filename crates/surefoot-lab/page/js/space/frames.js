// When a scene is drawn and how well. The card is never asked for more than it has done: what takes long is drawn in pieces,
// and coarse while the eye moves; once nothing moves it becomes sharp.

/** Milliseconds: a frame, or a piece of one, that takes longer is slow; what takes no longer than two pictures of the screen is not. */
const SLOW = 80;
const QUICK = 34;
/** How long nothing must change before a coarse frame becomes sharp. */
const REST = 200;
/** Faces of a piece, to begin with and at least. */
const FIRST_PIECE = 50_000;
const LEAST_PIECE = 10_000;
/** From sharp to coarse. Each takes about a quarter of the time of the one before. */
const DETAILS = [
  { isFine: true, halvings: 0 },
  { isFine: false, halvings: 0 },
  { isFine: false, halvings: 1 },
  { isFine: false, halvings: 2 },
];

export class Frames {
  #renderer;
  #camera;
  /** The frame that is being drawn, in pieces. */
  #frame = null;
  #began = 0;
  /** Says whether the card has done the last piece, and when that was asked for. */
  #isDone = null;
  #asked = 0;
  #piece = FIRST_PIECE;
  /** How coarse the last frame was, and how long the last one of each kind took. */
  #detail = 0;
  #times = [];
  #isEnding = false;
  #look = "";
  #world = null;
  #changed = 0;

  constructor(renderer, camera) {
    this.#renderer = renderer;
    this.#camera = camera;
  }

  /** Forgets what was under way: the card has lost it. */
  reset() {
    this.#frame = null;
    this.#isDone = null;
  }

  /** Whether there is nothing to do if nothing changes. Asked in every frame: the card's time ends when it is noticed. */
  isAtRest(now) {
    return !this.#isFree(now) || (!this.#frame && (this.#detail === 0 || now - this.#changed < REST));
  }

  /**
   * Goes on drawing. `shown` gives what there is to see, for a frame that begins now. Gives back `"waits"` if the card is busy, `"draws"` if a frame is not
   * finished, or what `render` gives. `isDirty` says that something changed.
   */
  next(now, isDirty, size, shown) {
    if (!this.#isFree(now)) return "waits";
    // A sharp frame that takes long is not worth finishing when something has changed.
    if (!this.#frame || (isDirty && this.#detail === 0 && this.#hastyDetail() > 0)) this.#begin(now, isDirty, size, shown());
    const { done, value } = this.#frame.next();
    this.#isDone = this.#renderer.fence();
    this.#asked = performance.now();
    this.#isEnding = done;
    if (!done) return "draws";
    this.#frame = null;
    return { ...value, complete: value.complete && this.#detail === 0, isWhole: value.complete };
  }

  #begin(now, isDirty, size, shown) {
    if (shown.world !== this.#world) [this.#world, this.#times] = [shown.world, []];
    const { target, distance, yaw, pitch } = this.#camera;
    const look = [...target, distance, yaw, pitch].join();
    // What changes again and again, as while a search is played, is not sharp either.
    const isHasty = look !== this.#look || now - this.#changed < REST;
    this.#look = look;
    if (isDirty) this.#changed = now;
    this.#detail = isDirty && isHasty ? this.#hastyDetail() : 0;
    this.#began = performance.now();
    this.#frame = this.#renderer.render(this.#camera, size, shown, { ...DETAILS[this.#detail], piece: this.#piece });
  }

  /** Whether the card has nothing to do. Learns from how long it took. */
  #isFree(now) {
    if (!this.#isDone) return true;
    if (!this.#isDone()) return false;
    this.#isDone = null;
    const took = now - this.#asked;
    if (took > SLOW) this.#piece = Math.max((this.#piece * SLOW) / took, LEAST_PIECE);
    if (took < QUICK && !this.#isEnding) this.#piece *= 2;
    if (this.#isEnding) this.#times[this.#detail] = now - this.#began;
    return true;
  }

  /** The sharpest frame that is not known to be slow. */
  #hastyDetail() {
    let time = 0;
    const quick = DETAILS.findIndex((_, detail) => (time = this.#times[detail] ?? time / 4) <= SLOW);
    return quick < 0 ? DETAILS.length - 1 : quick;
  }

  /** Draws a sharp frame at once, whatever is under way. */
  drawNow(size, shown) {
    this.#frame = null;
    this.#detail = 0;
    return finished(this.#renderer.render(this.#camera, size, shown));
  }
}

/** What drawing in pieces gives when it is done. */
export function finished(drawing) {
  for (;;) {
    const { done, value } = drawing.next();
    if (done) return value;
  }
}
