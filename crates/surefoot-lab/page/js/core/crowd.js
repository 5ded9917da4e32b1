// A crowd: units of several groups that walk on a grid while it changes. Nothing of it is part of the document.
//
// The server moves it: see `crowd`, `spawn`, `dismiss`, `send`, `watch` and `tick` in docs/lab-protocol.md. Some ticks are asked for at a
// time.

import { CrowdUnits } from "./crowd-units.js";
import { chooseSome } from "./drop.js";
import { Emitter } from "./emitter.js";
import { FrameTimes } from "./frame-times.js";
import { MOST_TICKS, Pacer } from "./pacer.js";

/** The groups of a crowd. */
export const GROUPS = 8;
export const SLOWEST_RATE = 0.1;
export const FASTEST_RATE = 10;
/** No more ticks are asked for at once than take about so long, in microseconds: a crowd that is too large walks slowly, not by leaps. */
const MOST_WORK = 30_000;
/** How many of the last ticks are looked at for that. */
const RECENT = 12;
/** Options that units begin again for, where they are. */
const OF_UNITS = ["avoidance", "jams"];

/**
 * Events: `state` (active, playing, an option, a goal), `told` (the server has answered), `arrived` (all units that have a goal),
 * `refused` (a text).
 */
export class Crowd extends Emitter {
  active = false;
  playing = false;
  /** How many times as fast as in the time of the units. */
  rate = 1;
  /** The group that new units join and that is sent to goals. */
  group = 0;
  /** orca, reserve or none. */
  avoidance = "orca";
  /** Whether jams are resolved. */
  jams = true;
  /** The radius of new units, in cells. */
  radius = 0.4;
  /** By group the cell where it goes, or null. */
  goals = new Array(GROUPS).fill(null);
  units = new CrowdUnits();
  /** How many units there are, or will be when the server has answered. */
  count = 0;
  /** The number of the unit that is watched, null for none, and what is known of it. */
  selected = null;
  unit = null;
  /** The last answer of the server. */
  figures = null;
  frames = new FrameTimes();
  /** By cell, for how many seconds units have waited there. */
  waited = new Map();
  mostWaited = 0;
  #store;
  #runner;
  #connection;
  #limit;
  #id = 0;
  #pacer = new Pacer();
  /** Changes of the number of units, and which of them each answer that is awaited will know. */
  #changes = 0;
  #asked = [];
  /** Who joined: `{group, radius, at}`, for another beginning. */
  #joined = [];
  /** Those of whom no answer has told yet, each with the change that it was. */
  #coming = [];
  #haveArrived = false;
  /** How often units joined by chance: each time elsewhere. */
  #fills = 0;

  /** `limit` is the most units. */
  constructor(store, runner, connection, { limit }) {
    super();
    this.#store = store;
    this.#runner = runner;
    this.#connection = connection;
    this.#limit = limit;
    store.on("fields", (names) => this.#follow(names));
    connection.on("open", () => this.active && this.#begin());
    connection.on("message", (message) => this.active && this.#receive(message));
    connection.on("crowd", (message) => this.active && this.#place(message));
    connection.on("waits", (message) => this.active && this.#wait(message));
  }

  /** Why there can be no crowd, null if there can. */
  get obstacle() {
    return this.#store.doc.world.kind === "grid" ? null : "Crowds walk on grids";
  }

  /** Begins with groups of a scene, each `{at, goal}`; without any there are no units yet. */
  start({ groups = [], playing = true } = {}) {
    if (this.obstacle) return this.emit("refused", `${this.obstacle}.`);
    this.active = true;
    this.#runner.suspend();
    this.#runner.cover(null);
    this.goals = Array.from({ length: GROUPS }, (_, group) => groups[group]?.goal ?? null);
    this.#begin(groups.map(({ at }, group) => ({ group, radius: this.radius, at })), { isNew: true });
    this.#setPlaying(playing);
  }

  stop() {
    if (!this.active) return;
    this.#connection.send({ type: "halt", live: this.#id });
    this.active = this.playing = false;
    this.#forget();
    this.emit("state");
    this.#runner.resume();
  }

  /** Puts all units back to where they joined. */
  restart() {
    this.#begin(this.#joined, { isNew: true });
    this.emit("state");
  }

  /** Removes all units and goals. */
  clear() {
    this.goals.fill(null);
    this.#begin([], { isNew: true });
    this.emit("state");
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

  /** Lets some ticks pass and waits. */
  step(ticks = 1) {
    this.pause();
    this.#ask(ticks);
  }

  get tick() {
    return this.figures?.tick ?? 0;
  }

  /** Changes options. */
  set(fields) {
    Object.assign(this, fields);
    if (this.active && OF_UNITS.some((name) => name in fields)) this.#begin();
    this.emit("state");
  }

  /** Lets units of the chosen group join at places, as many as there may be. Gives back how many. */
  spawn(at) {
    if (!this.active) return 0;
    const places = at.slice(0, Math.max(this.#limit - this.count, 0));
    if (places.length < at.length) this.emit("refused", `The lab supports crowds of up to ${this.#limit.toLocaleString("en")} units.`);
    if (places.length === 0) return 0;
    this.#flush();
    this.#join({ group: this.group, radius: this.radius, at: places });
    this.#changed(places.length);
    return places.length;
  }

  /** Lets units join or leave until there are as many; they join at free cells, chosen by chance. Those that joined last leave first. */
  setCount(count) {
    const more = Math.min(count, this.#limit) - this.count;
    if (more > 0) this.spawn(freePlaces(this.#store.doc.world, this.units, { count: more, seed: ++this.#fills }));
    else if (more < 0) this.#dismiss(-more);
  }

  #dismiss(count) {
    const numbers = Array.from({ length: this.units.count }, (_, i) => this.units.number(i)).slice(-count);
    if (numbers.length === 0) return;
    this.#connection.send({ type: "dismiss", live: this.#id, units: numbers });
    this.units = this.units.without(numbers);
    for (let left = numbers.length; left > 0 && this.#joined.length > 0; ) {
      const last = this.#joined.at(-1);
      const stay = last.at.slice(0, Math.max(last.at.length - left, 0));
      left -= last.at.length - stay.length;
      if (stay.length > 0) this.#joined[this.#joined.length - 1] = { ...last, at: stay };
      else this.#joined.pop();
    }
    if (numbers.includes(this.selected)) this.selected = this.unit = null;
    this.#changed(-numbers.length);
  }

  /** Sends the chosen group to a cell. */
  send(goal) {
    if (!this.active) return;
    this.#flush();
    this.goals[this.group] = goal;
    this.#tellGoal(this.group);
    this.#haveArrived = false;
    this.#look();
    this.emit("state");
  }

  #tellGoal(group) {
    this.#connection.send({ type: "send", live: this.#id, group, goal: this.goals[group] });
  }

  /** Watches the unit of a number, or with null none. */
  select(number) {
    if (!this.active) return;
    this.selected = number;
    this.unit = null;
    this.#connection.send({ type: "watch", live: this.#id, unit: number });
    this.#look();
    this.emit("state");
  }

  /** Whether an answer of the server is awaited. */
  get isWaiting() {
    return this.#asked.length > 0;
  }

  /** Called once a frame. */
  frame(now) {
    if (!this.active) return;
    this.#flush();
    if (!this.playing) return;
    const due = this.#pacer.pass(now, this.rate);
    if (due < 1 || this.isWaiting || this.count === 0) return;
    const ticks = Math.min(due, this.#affordable);
    this.#pacer.take(ticks);
    this.#ask(ticks);
  }

  /** How many ticks may be asked for at once. */
  get #affordable() {
    const recent = (this.frames.boards[0] ?? []).slice(-RECENT).map(([us]) => us);
    if (recent.length === 0) return 1;
    const mean = recent.reduce((sum, us) => sum + us, 0) / recent.length;
    return Math.min(Math.max(Math.floor(MOST_WORK / mean), 1), MOST_TICKS);
  }

  #ask(ticks) {
    this.#flush();
    this.#asked.push(this.#changes);
    this.#connection.send({ type: "tick", live: this.#id, ticks: Math.min(ticks, MOST_TICKS) });
  }

  /** Asks for the present state, where no tick is going to. */
  #look() {
    if (!this.playing || this.count === 0) this.#ask(0);
  }

  /** Tells the server what was painted. Another world ends its crowd, which begins again where it is. */
  #flush() {
    if (this.#runner.flush() === "world") this.#begin();
  }

  #changed(by) {
    this.count += by;
    this.#changes++;
    this.#haveArrived = false;
    this.#look();
    this.emit("state");
  }

  #join(units) {
    this.#joined.push(units);
    this.#coming.push({ ...units, change: this.#changes + 1 });
    this.#tellUnits(units);
  }

  #tellUnits({ group, radius, at }) {
    if (at.length === 0) return;
    this.#connection.send({ type: "spawn", live: this.#id, group, radius, at });
  }

  /** Lets the server put units somewhere: where ours are, or where new ones join. */
  #begin(joining = this.#present(), { isNew = false } = {}) {
    this.#runner.flush();
    this.#id++;
    const { moves, terrain } = this.#store.doc.boards[0];
    const { avoidance, jams } = this;
    this.#connection.send({ type: "crowd", live: this.#id, avoidance, jams, agent: { moves, terrain } });
    this.#forget();
    if (isNew) this.#joined = [...joining];
    this.#changes++;
    this.#coming = joining.map((units) => ({ ...units, change: this.#changes }));
    joining.forEach((units) => this.#tellUnits(units));
    this.goals.forEach((goal, group) => goal && this.#tellGoal(group));
    this.count = joining.reduce((sum, { at }) => sum + at.length, 0);
    this.frames.clear(1);
    // Answers to earlier ticks are ignored. This one tells the numbers of the units.
    this.#ask(0);
  }

  /** Our units, as they would join. */
  #present() {
    const { units } = this;
    const groups = new Map();
    for (let i = 0; i < units.count; i++) {
      const [group, radius] = [units.group(i), units.radius(i)];
      const key = `${group} ${radius}`;
      if (!groups.has(key)) groups.set(key, { group, radius, at: [] });
      groups.get(key).at.push([units.x(i), units.y(i)]);
    }
    return [...groups.values(), ...this.#coming];
  }

  #forget() {
    this.units = new CrowdUnits();
    this.count = 0;
    this.selected = this.unit = this.figures = null;
    this.waited.clear();
    this.mostWaited = 0;
    this.#asked = [];
    this.#haveArrived = false;
  }

  /** The document was changed beside its cells. */
  #follow(names) {
    if (!this.active) return;
    if (this.obstacle) return this.stop();
    if (names.has("world")) this.clear();
    else if (names.has("boards")) this.#begin();
  }

  #receive(message) {
    if (message.type === "error" && (message.board ?? null) === null) return this.#fail(message);
    if (message.type !== "crowd" || message.live !== this.#id) return;
    const knows = this.#asked.shift();
    this.#coming = this.#coming.filter(({ change }) => change > knows);
    this.figures = message;
    this.unit = message.unit?.unit === this.selected ? message.unit : null;
    if (knows === this.#changes) this.count = message.units;
    this.frames.take(0, message.frames.map((us) => [us]));
    this.emit("told");
    const { units, arrived, idle } = message;
    const areThere = arrived > 0 && arrived + idle === units;
    if (areThere && !this.#haveArrived) this.emit("arrived", arrived);
    this.#haveArrived = areThere;
  }

  #fail({ message }) {
    this.emit("refused", message);
    // What joins or is sent is refused without an end of the others.
    if (/^(spawn|send): /.test(message)) {
      this.#changes++;
      return this.#look();
    }
    this.#asked = [];
    this.pause();
  }

  #place({ live, units }) {
    if (live === this.#id) this.units = units;
  }

  #wait({ live, cells, seconds }) {
    if (live !== this.#id) return;
    cells.forEach((cell, i) => this.waited.set(cell, seconds[i]));
    this.mostWaited = seconds.reduce((most, value) => Math.max(most, value), this.mostWaited);
  }
}

/** Middles of open cells in which no unit is, as many as asked for if there are so many, chosen by a seed. */
function freePlaces(world, units, { count, seed }) {
  const taken = new Set();
  for (let i = 0; i < units.count; i++) taken.add(world.indexOf([Math.floor(units.x(i)), Math.floor(units.y(i))]));
  const free = [];
  for (let cell = 0; cell < world.nodeCount; cell++) if (world.isOpen(cell) && !taken.has(cell)) free.push(cell);
  return chooseSome(free, count, seed).map((cell) => world.middle(cell));
}
