// One unit of the live mode, as the last answer of the server left it.

const MOST_TRAIL = 4000;

const same = (a, b) => a.every((value, axis) => value === b[axis]);
const middle = (cell) => cell.map((value) => value + 0.5);

export class LiveUnit {
  /** "walking", "arrived" or "stuck"; in voxel worlds also "waiting" or "evading"; "recorded" or "ended" in a recorded flight. */
  state = "walking";
  reason = null;
  message = null;
  /** In cells. */
  travelled = 0;
  /** The part of it from before the server began to count. */
  #travelledBefore = 0;
  /** Its path, and how much of it the unit has walked. */
  path = [];
  #passed = 0;
  /** How many places of the path are before it, where the server says so. */
  #left = null;
  /** In voxel worlds, the cells that its last plan looked at. */
  touched = null;
  /** In voxel worlds, where it was in the answer before this one. */
  before = null;
  /** Where it has been, in cells; null where it was put somewhere else. */
  trail = [];
  /** The effort of the last replan, null before the first. */
  replan = null;
  /** What its planner knows, null unless that is watched. */
  knowledge = null;

  constructor(board, cell) {
    this.board = board;
    this.put(cell);
  }

  /** Puts it into the middle of a cell. */
  put(cell) {
    this.cell = cell;
    this.at = this.before = middle(cell);
    this.#left = null;
    // The rest of the path holds if it is put onto it.
    const place = this.path.findIndex((other) => same(other, cell));
    this.#passed = place < 0 ? this.path.length : place;
    if (this.trail.length > 0) this.trail.push(null);
    this.trail.push(this.at);
  }

  /** The server counts from zero after this. */
  beginAgain() {
    this.#travelledBefore = this.travelled;
  }

  /** Updates it from the server's message. Returns whether its state has changed. */
  take({ at, cell, state, reason, message, travelled, path, ahead = null, replan }) {
    const changed = state !== this.state || reason !== this.reason;
    if (path) {
      this.path = path;
      this.#passed = 0;
    }
    this.#left = ahead;
    if (!same(cell, this.cell)) this.#walk(cell);
    Object.assign(this, { at, cell, state, reason, message });
    this.travelled = this.#travelledBefore + travelled;
    if (replan) this.replan = replan;
    return changed;
  }

  #walk(cell) {
    const next = this.path.findIndex((place, i) => i >= this.#passed && same(place, cell));
    if (next >= 0) this.#passed = next;
    this.trail.push(middle(cell));
    if (this.trail.length > MOST_TRAIL) this.trail.shift();
  }

  /** The cells before it. */
  get ahead() {
    if (this.state === "stuck") return [];
    if (this.#left !== null) return this.path.slice(this.path.length - this.#left);
    const rest = this.path.slice(this.#passed);
    return rest.length > 0 && same(rest[0], this.cell) ? rest.slice(1) : rest;
  }
}

/** What a unit does, in a word: in voxel worlds, units fly. */
export const stateName = ({ state, at }) => (state === "walking" && at.length === 3 ? "flying" : state);

/** What a unit does, in words: "walking", "stuck: the goal is walled in". */
export function stateWords(unit) {
  const { state, reason, message } = unit;
  if (state === "recorded") return "recorded flight";
  if (state === "ended") return "end of the record";
  if (state !== "stuck") return stateName(unit);
  const why = message ?? reason?.replaceAll("_", " ");
  return why ? `stuck: ${why}` : "stuck";
}
