// Units that walk on the boards, or fly in voxel worlds, while the map changes around them. Nothing of it is part of the
// document.
//
// The server walks: see `live`, `tick`, `place`, `adjust` and `halt` in docs/lab-protocol.md. One tick is asked for at a time.

import { Emitter } from "./emitter.js";
import { Flight } from "./flight.js";
import { FrameTimes } from "./frame-times.js";
import { HitLog } from "./hits.js";
import { Knowledge } from "./knowledge.js";
import { LiveUnit } from "./live-unit.js";
import { MOST_LATE, MOST_TICKS, Pacer, TICKS_PER_SECOND } from "./pacer.js";
import { ReplanLog } from "./replans.js";
import { lessMotion } from "./ui.js";

/** Cells per second of simulated time. Playing faster or slower lets more or fewer ticks pass. */
const UNIT_SPEED = 6;
export const SLOWEST_WALK = 0.5;
export const FASTEST_WALK = 200;
/** Options that make planners start over. */
const OF_PLANNERS = ["sensing", "guarded"];
/** Options that the target follows from where it is. */
const OF_TARGET = ["targetKind", "targetShare", "seed"];
/** Targets that do not move by themselves. */
const RESTING = ["stay", "steer"];
/** The server's maximum flying speed, in cells per second. */
const FASTEST_FLYER = 1000;
/** How long things take to their next place when they are let go there one tick at a time, in milliseconds. */
const STEP_TIME = 120;

/**
 * Events: `state` (active, playing or an option), `ticked`, `knowledge` ({board, cells, fresh}), `touched` (a board whose
 * unit told what its plan looked at), `standing` (units whose state changed), `hit` ({board, hits}: contacts that are new),
 * `refused` (a text).
 */
export class Live extends Emitter {
  active = false;
  playing = false;
  /** Cells per second as displayed. */
  speed = UNIT_SPEED;
  /** How far units see changes, in cells; null for everywhere. */
  sensing = null;
  /** stay, flee, wander or steer; in scenes also scene. Fleeing and wandering do not exist in voxel worlds. */
  targetKind = "stay";
  /** The target's speed as a share of the units'. */
  targetShare = 0.5;
  seed = 1;
  /** In voxel worlds, whether repairs that take too long are abandoned for a fresh search. */
  guarded = true;
  /** Whether to watch what planners know. */
  watched = false;
  /** In scenes, how far ahead the server tells which cells obstacles will cover, in seconds; 0 for not at all. */
  ahead = 0;
  /** A recorded flight, see `replay`. */
  recording = null;
  /** One for each board. */
  units = [];
  /** The cell of the target. */
  target = null;
  /** In voxel worlds, what is in the air; it stays when units are gone. */
  flight = null;
  tick = 0;
  replans = new ReplanLog();
  /** In voxel worlds, what units touched, and what their ticks took. */
  hits = new HitLog();
  frames = new FrameTimes();
  #store;
  #runner;
  #connection;
  #id = 0;
  /** How many answers of the server are awaited. */
  #awaited = 0;
  /** The last number that the server answered to. */
  #accepted = 0;
  /** Ticks before the server began to count. */
  #ticksBefore = 0;
  /** What they began in. */
  #kind = null;
  #hadScene = false;
  /** Whether the server has units of ours. */
  #hasBegun = false;
  /** The scene of the last recorded flight, and its first tick: there planners begin. */
  #left = { scene: null, from: 0 };
  /** When it was last told where obstacles are. */
  #movedAt = 0;
  #pacer = new Pacer();

  constructor(store, runner, connection) {
    super();
    this.#store = store;
    this.#runner = runner;
    this.#connection = connection;
    if (store.doc.scene) this.targetKind = "scene";
    store.on("fields", (names) => this.#follow(names));
    store.on("cells", (cells) => this.#air?.movement.touch(cells));
    connection.on("open", () => this.active && this.#begin());
    connection.on("message", (message) => this.active && this.#receive(message));
    connection.on("knowledge", (message) => this.active && this.#learn(message));
    connection.on("obstacles", (message) => this.active && this.#move(message));
    connection.on("touched", (message) => this.active && this.#touch(message));
    connection.on("forecast", (message) => this.active && this.#foresee(message));
  }

  /** Why units cannot walk now, null if they can. */
  get obstacle() {
    const { world, start, goals } = this.#store.doc;
    if (world.kind === "graph") return "Units move on grids and in voxel worlds, not on graphs";
    if (!start || goals.length === 0) return "Place a start and a goal first";
    return null;
  }

  /** The recorded flight of the scene that is shown, which the unit repeats; null if there is none. */
  get replay() {
    const { scene, boards } = this.#store.doc;
    return this.recording && this.recording.scene === scene && boards.length === 1 ? this.recording : null;
  }

  /** The tick of the scene at which units begin. */
  get #firstTick() {
    const { scene } = this.#store.doc;
    if (this.replay) return this.replay.from;
    return scene && scene === this.#left.scene ? this.#left.from : 0;
  }

  /** Puts a unit onto each board, at the start, and lets it walk unless told otherwise. Scenes begin `at` a tick. */
  start({ playing = true, at = this.#firstTick } = {}) {
    if (this.obstacle) return this.emit("refused", `${this.obstacle}.`);
    const { world, start, goals, boards, scene } = this.#store.doc;
    this.active = true;
    this.#runner.suspend();
    this.#runner.cover(null);
    [this.#kind, this.#hadScene] = [world.kind, Boolean(scene)];
    if (world.kind !== "voxel") this.flight = null;
    else if (!this.#air) this.flight = new Flight(world, scene);
    this.flight?.begin();
    this.units = boards.map((_, board) => new LiveUnit(board, start));
    this.target = goals[0];
    this.tick = at;
    this.#hasBegun = false;
    for (const log of [this.replans, this.hits, this.frames]) log.clear(boards.length);
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
    // Searches see obstacles where they have come to.
    this.#runner.cover(this.#air?.hasObstacles ? this.movement : null);
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
    this.#pacer.restart();
    this.emit("state");
  }

  /** Shows a tick of the recorded flight. */
  seek(tick) {
    this.start({ playing: false, at: this.replay.within(tick) });
  }

  /** Lets planners fly in place of the recorded flight, from the tick at which that began. */
  flyAnew() {
    this.#leaveRecord();
    this.start();
  }

  #leaveRecord() {
    this.#left = this.recording;
    this.recording = null;
  }

  /** Lets some ticks pass and waits. */
  step(ticks = 1) {
    this.pause();
    this.#ask(ticks);
  }

  /** Changes options. Units continue from where they are; planners start over only for options of their own. */
  set(fields) {
    Object.assign(this, fields);
    const changes = (options) => options.some((name) => name in fields);
    if (this.active && changes(OF_PLANNERS)) this.#begin();
    else if (this.active) this.#adjust({ target: changes(OF_TARGET), debug: "watched" in fields, ahead: "ahead" in fields });
    this.emit("state");
  }

  /** Tells the server how the target behaves now, or what to report of planners and obstacles. */
  #adjust({ target, debug, ahead }) {
    const foresees = ahead && this.flight !== null;
    if (!this.#hasBegun || (!target && !debug && !foresees)) return;
    if (debug) this.#watch();
    if (foresees) this.flight.forecast = null;
    this.#connection.send({
      type: "adjust",
      live: this.#id,
      target: target ? this.#targetRequest : null,
      debug: debug ? this.watched : null,
      ...(foresees && { forecast: this.ahead }),
    });
    // The report comes with an answer to a tick, and units that are paused or have arrived request none.
    if (debug || foresees) this.#ask(0);
  }

  /** Prepares units to collect what their planners know, or drops it. */
  #watch() {
    const { world } = this.#store.doc;
    for (const unit of this.units) {
      unit.knowledge = this.watched && world.kind === "grid" ? new Knowledge(world.nodeCount) : null;
      if (!this.watched) unit.touched = null;
    }
  }

  get #targetRequest() {
    return { kind: this.#targetKind, speed: UNIT_SPEED * this.targetShare, seed: this.seed };
  }

  /** Puts all units or the target into a cell. */
  place({ unit = null, target = null }) {
    if (!this.active) return;
    if (unit && this.replay) return this.emit("refused", "A recorded flight cannot be moved. Let a planner fly instead.");
    this.#flush();
    this.#connection.send({ type: "place", live: this.#id, board: null, unit, target });
    for (const each of this.units) {
      if (unit) each.put(unit);
      if (each.state === "arrived") each.state = "walking";
    }
    if (target) {
      this.target = target;
      this.flight?.putTarget();
      // It does not move by itself any more.
      if (this.targetKind === "scene") this.set({ targetKind: "steer" });
    }
    this.emit("ticked");
  }

  /** Whether an answer of the server is awaited. */
  get isWaiting() {
    return this.#awaited > 0;
  }

  /** Called once a frame. */
  frame(now) {
    if (!this.active) return;
    this.#flush();
    if (!this.playing) return;
    const ticks = this.#pacer.pass(now, this.rate);
    if (ticks < 1 || this.isWaiting || this.#isOver) return;
    this.#pacer.take(ticks);
    this.#ask(ticks);
  }

  /** How many times as fast as in the time of the units. */
  get rate() {
    return this.speed / UNIT_SPEED;
  }

  /** In voxel worlds, where obstacles are and what they cover. */
  get movement() {
    return this.flight?.movement ?? null;
  }

  /** What is in the air of the world there is. */
  get #air() {
    return this.flight?.world === this.#store.doc.world ? this.flight : null;
  }

  /** What the target can do, as far as the world allows it. */
  get #targetKind() {
    const { world, scene } = this.#store.doc;
    if (world.kind !== "voxel") return this.targetKind === "scene" ? "stay" : this.targetKind;
    if (this.targetKind === "scene") return scene?.goalMoves ? "scene" : "stay";
    return RESTING.includes(this.targetKind) ? this.targetKind : "stay";
  }

  /** Whether nothing happens until the target or a unit is moved by hand. */
  get #isOver() {
    if (this.replay) return this.units.every(({ state }) => state === "ended");
    if (this.#air?.hasObstacles) return false;
    return RESTING.includes(this.#targetKind) && this.units.every(({ state }) => state === "arrived");
  }

  #ask(ticks) {
    this.#flush();
    this.#awaited++;
    this.#connection.send({ type: "tick", live: this.#id, ticks: Math.min(ticks, MOST_TICKS) });
  }

  /** Tells the server what was painted. Another world ends its units, so they begin again where they are. */
  #flush() {
    if (this.#runner.flush() === "world") this.#begin();
  }

  /** Lets the server put units where ours are. */
  #begin() {
    const { world, boards, scene, start } = this.#store.doc;
    this.#runner.flush();
    this.#air?.movement.forgetCells();
    this.#id++;
    const { replay, tick } = this;
    // A record is flown from its beginning, whatever is to be seen of it.
    if (replay) this.tick = replay.from;
    this.#ticksBefore = this.tick;
    for (const unit of this.units) unit.beginAgain();
    if (replay) this.hits.clear(boards.length);
    else this.hits.beginAgain();
    this.#watch();
    const inSpace = world.kind === "voxel";
    const query = (board) => ({ start: replay ? start : this.units[board].cell, goals: [this.target], ...boards[board] });
    this.#connection.send({
      type: "live",
      live: this.#id,
      boards: boards.map((_, board) => ({ board, query: query(board), ...(inSpace && !replay && { at: this.units[board].at }) })),
      speed: inSpace && scene ? Math.min(scene.speed, FASTEST_FLYER) : UNIT_SPEED,
      sensing: this.sensing,
      target: this.#targetRequest,
      debug: this.watched,
      ...(inSpace && { scene: scene?.json ?? null, from: this.tick, guarded: this.guarded, forecast: this.ahead }),
      ...(replay && { recorded: replay.request }),
    });
    // The first tick reports the paths. Answers to earlier ticks are ignored.
    this.#awaited = 0;
    this.#hasBegun = true;
    const ticks = replay ? tick - replay.from : 1;
    this.#ask(ticks % MOST_TICKS);
    for (let left = ticks - (ticks % MOST_TICKS); left > 0; left -= MOST_TICKS) this.#ask(MOST_TICKS);
  }

  /** The document was changed beside its cells. */
  #follow(names) {
    const { world, scene } = this.#store.doc;
    if (names.has("scene") && scene) {
      this.targetKind = "scene";
      // A scene is there to be seen moving, a record to be looked at where something happened.
      if (this.replay) return this.seek(this.replay.tick);
      return this.start({ playing: this.active ? this.playing : !lessMotion() });
    }
    if (!this.active || !["world", "boards"].some((name) => names.has(name))) return;
    // A board that is set up otherwise is no board of the record any more.
    if (names.has("boards") && scene && this.recording?.scene === scene) this.#leaveRecord();
    const isOther = world.kind !== this.#kind || (this.#hadScene && !scene);
    if (this.obstacle || isOther) this.stop();
    else this.restart();
  }

  #receive(message) {
    if (message.type === "error" && (message.board ?? null) === null && this.isWaiting) return this.#fail(message);
    if (message.type !== "ticked" || message.live !== this.#id) return;
    this.#awaited--;
    const areFirst = this.#accepted !== this.#id;
    this.#accepted = this.#id;
    const ticks = this.#ticksBefore + message.tick - this.tick;
    this.tick += ticks;
    this.target = message.target;
    if (message.scene) this.flight?.take(message.scene, ticks);
    for (const { knowledge } of this.units) knowledge?.settle(performance.now());
    const changed = message.units.filter((unit) => this.units[unit.board]?.take(unit));
    for (const { board, hits, frames } of message.units) this.#count(board, hits, frames);
    const replans = this.units.map(
      ({ board }) => message.units.find((unit) => unit.board === board)?.replan ?? null,
    );
    this.replans.add(this.tick, replans, areFirst);
    this.emit("ticked");
    if (changed.length > 0) this.emit("standing", changed.map(({ board }) => this.units[board]));
  }

  /** Records what a unit touched, and how long its ticks took. */
  #count(board, hits, frames) {
    if (!this.units[board]) return;
    if (frames) this.frames.take(board, frames);
    const news = hits ? this.hits.take(board, hits, this.#ticksBefore) : [];
    if (news.length > 0) this.emit("hit", { board, hits: news });
  }

  #fail({ message }) {
    this.#awaited = 0;
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

  /** Where obstacles are after the ticks that were asked for: there when the next answer is due. */
  #move(message) {
    if (message.live !== this.#id) return;
    const now = performance.now();
    const milliseconds = this.#nextAnswer(now);
    this.#air?.move(message, this, now, lessMotion() ? 0 : milliseconds);
  }

  /** How long it will take until the next answer, in milliseconds: as long as the last one took, as far as one can tell. */
  #nextAnswer(now) {
    const took = now - this.#movedAt;
    this.#movedAt = now;
    return this.playing ? Math.min(Math.max(took, 1000 / TICKS_PER_SECOND), 1000 * MOST_LATE) : STEP_TIME;
  }

  #touch({ board, live, cells }) {
    if (live !== this.#id || !this.units[board]) return;
    this.units[board].touched = cells;
    this.emit("touched", board);
  }

  #foresee({ live, seconds, cells }) {
    if (live === this.#id && this.flight && seconds === this.ahead) this.flight.forecast = cells;
  }
}
