// Units that walk on the boards while the map changes under them. Nothing of it is part of the document.
//
// The server walks: see `live`, `tick`, `place` and `halt` in docs/lab-protocol.md. One tick is asked for at a time.

import { Emitter } from "./emitter.js";
import { Knowledge } from "./knowledge.js";
import { LiveUnit } from "./live-unit.js";
import { ReplanLog } from "./replans.js";

/** Cells a second in the time of the units. Playing faster or slower lets more or fewer ticks pass. */
const UNIT_SPEED = 6;
const TICKS_PER_SECOND = 60;
const MOST_TICKS = 600;
/** What is made up for after a frame that came late, in seconds. */
const MOST_LATE = 0.25;
export const SLOWEST_WALK = 0.5;
export const FASTEST_WALK = 200;
/** Targets that go nowhere by themselves. */
const RESTING = ["stay", "steer"];

/**
 * Events: `state` (active, playing or an option), `ticked`, `knowledge` ({board, cells, fresh}), `standing` (units whose
 * state changed), `refused` (a text).
 */
export class Live extends Emitter {
  active = false;
  playing = false;
  /** Cells a second that a person sees. */
  speed = UNIT_SPEED;
  /** How far units see changes, in cells; null for everywhere. */
  sensing = null;
  /** stay, flee, wander or steer. */
  targetKind = "stay";
  /** The target's speed as a share of the units'. */
  targetShare = 0.5;
  seed = 1;
  /** Whether to watch what planners know. */
  watched = false;
  /** One for each board. */
  units = [];
  /** The cell of the target. */
  target = null;
  tick = 0;
  replans = new ReplanLog();
  #store;
  #runner;
  #connection;
  #id = 0;
  #waiting = false;
  /** The last number that the server answered to. */
  #accepted = 0;
  /** Ticks before the server began to count. */
  #ticksBefore = 0;
  #due = 0;
  #last = 0;

  constructor(store, runner, connection) {
    super();
    this.#store = store;
    this.#runner = runner;
    this.#connection = connection;
    store.on("fields", (names) => this.active && this.#follow(names));
    connection.on("open", () => this.active && this.#begin());
    connection.on("message", (message) => this.active && this.#receive(message));
    connection.on("knowledge", (message) => this.active && this.#learn(message));
  }

  /** Why units cannot walk now, null if they can. */
  get obstacle() {
    const { world, start, goals } = this.#store.doc;
    if (world.kind !== "grid") return "Units walk on grids only";
    if (!start || goals.length === 0) return "Units need a start and a goal: place them first";
    return null;
  }

  /** Puts a unit onto each board, at the start, and lets it walk unless told otherwise. */
  start({ playing = true } = {}) {
    if (this.obstacle) return this.emit("refused", `${this.obstacle}.`);
    const { start, goals, boards } = this.#store.doc;
    this.active = true;
    this.#runner.suspend();
    this.units = boards.map((_, board) => new LiveUnit(board, start));
    this.target = goals[0];
    this.tick = 0;
    this.replans.clear(boards.length);
    this.#setPlaying(playing);
    this.#begin();
  }

  /** From the start again, walking if it did. */
  restart() {
    this.start({ playing: this.playing });
  }

  stop() {
    if (!this.active) return;
    this.#connection.send({ type: "halt", live: this.#id });
    this.active = this.playing = false;
    this.units = [];
    this.target = null;
    this.emit("state");
    this.#runner.resume();
  }

  play() {
    this.#setPlaying(true);
  }

  pause() {
    if (this.playing) this.#setPlaying(false);
  }

  toggle() {
    this.#setPlaying(!this.playing);
  }

  #setPlaying(playing) {
    this.playing = playing;
    this.#due = 0;
    this.#last = performance.now();
    this.emit("state");
  }

  /** Lets some ticks pass and waits. */
  step(ticks = 1) {
    this.pause();
    this.#ask(ticks);
  }

  /** Changes options. Units go on from where they are. */
  set(fields) {
    Object.assign(this, fields);
    if (this.active && Object.keys(fields).some((name) => name !== "speed")) this.#begin();
    this.emit("state");
  }

  /** Puts all units or the target into a cell. */
  place({ unit = null, target = null }) {
    if (!this.active) return;
    this.#flush();
    this.#connection.send({ type: "place", live: this.#id, board: null, unit, target });
    for (const each of this.units) {
      if (unit) each.put(unit);
      if (each.state === "arrived") each.state = "walking";
    }
    if (target) this.target = target;
    this.emit("ticked");
  }

  /** Whether an answer of the server is awaited. */
  get isWaiting() {
    return this.#waiting;
  }

  /** Called once a frame. */
  frame(now) {
    if (!this.active) return;
    this.#flush();
    if (!this.playing) return;
    const seconds = Math.min(Math.max(now - this.#last, 0) / 1000, MOST_LATE);
    this.#last = now;
    const pace = TICKS_PER_SECOND * (this.speed / UNIT_SPEED);
    this.#due = Math.min(this.#due + seconds * pace, Math.max(MOST_LATE * pace, 1));
    const ticks = Math.floor(this.#due);
    if (ticks < 1 || this.#waiting || this.#isOver) return;
    this.#due -= ticks;
    this.#ask(ticks);
  }

  /** Whether nothing happens until someone puts the target or a unit somewhere else. */
  get #isOver() {
    return RESTING.includes(this.targetKind) && this.units.every(({ state }) => state === "arrived");
  }

  #ask(ticks) {
    this.#flush();
    this.#waiting = true;
    this.#connection.send({ type: "tick", live: this.#id, ticks: Math.min(ticks, MOST_TICKS) });
  }

  /** Tells the server what was painted. Another world ends its units, so they begin again where they are. */
  #flush() {
    if (this.#runner.flush() === "world") this.#begin();
  }

  /** Lets the server put units where ours are. */
  #begin() {
    const { world, boards } = this.#store.doc;
    this.#runner.flush();
    this.#id++;
    this.#ticksBefore = this.tick;
    for (const unit of this.units) {
      unit.beginAgain();
      unit.knowledge = this.watched ? new Knowledge(world.nodeCount) : null;
    }
    const query = (board) => ({ start: this.units[board].cell, goals: [this.target], ...boards[board] });
    this.#connection.send({
      type: "live",
      live: this.#id,
      boards: boards.map((_, board) => ({ board, query: query(board) })),
      speed: UNIT_SPEED,
      sensing: this.sensing,
      target: { kind: this.targetKind, speed: UNIT_SPEED * this.targetShare, seed: this.seed },
      debug: this.watched,
    });
    // The first tick tells the paths.
    this.#ask(1);
  }

  /** The document was changed beside its cells. */
  #follow(names) {
    if (this.#store.doc.world.kind !== "grid") return this.stop();
    if (!names.has("world") && !names.has("boards")) return;
    if (this.obstacle) this.stop();
    else this.restart();
  }

  #receive(message) {
    if (message.type === "error" && (message.board ?? null) === null && this.#waiting) return this.#fail(message);
    if (message.type !== "ticked" || message.live !== this.#id) return;
    this.#waiting = false;
    const areFirst = this.#accepted !== this.#id;
    this.#accepted = this.#id;
    this.tick = this.#ticksBefore + message.tick;
    this.target = message.target;
    for (const { knowledge } of this.units) knowledge?.settle(performance.now());
    const changed = message.units.filter((unit) => this.units[unit.board]?.take(unit));
    const replans = this.units.map(
      ({ board }) => message.units.find((unit) => unit.board === board)?.replan ?? null,
    );
    this.replans.add(this.tick, replans, areFirst);
    this.emit("ticked");
    if (changed.length > 0) this.emit("standing", changed.map(({ board }) => this.units[board]));
  }

  #fail({ message }) {
    this.#waiting = false;
    this.emit("refused", message);
    if (this.#accepted === this.#id) this.pause();
    else this.stop();
  }

  #learn(message) {
    const knowledge = this.units[message.board]?.knowledge;
    if (message.live !== this.#id || !knowledge) return;
    const cells = knowledge.take(message);
    this.emit("knowledge", { board: message.board, cells, fresh: message.fresh });
  }
}
