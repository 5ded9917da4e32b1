// All user actions, whichever button, key or scene of the tour triggers them.

import { api } from "./core/connection.js";
import { chooseSome } from "./core/drop.js";
import { lessMotion } from "./core/ui.js";
import { Recording } from "./core/recording.js";
import { MovingScene } from "./core/scene.js";
import { VoxelWorld } from "./core/voxels.js";
import { FLOOR, GridWorld, WALL, readWorld, tidied } from "./core/world.js";

/** The algorithm of a new board: it works on every world. */
const FIRST = "astar";
/** Delegates to one of the others, so comparing it with them shows nothing. */
const CHOOSER = "auto";

/** The default settings of a board. */
export const defaultSettings = () => ({
  algorithm: FIRST,
  heuristic: null,
  weight: null,
  queue: null,
  moves: "8",
  moves3: "26",
  radius: 0,
  terrain: "mean",
});

export class Actions {
  #app;
  /** How often walls were dropped: each time on other cells. */
  #drops = 0;

  constructor(app) {
    this.#app = app;
  }

  /** Searches on every board and plays from the beginning; with reduced motion shows the end. */
  run() {
    const { runner, player, moving } = this.#app;
    if (moving) return moving.restart();
    player.pause();
    runner.runAll({ trace: true, time: true });
    player.seek(0);
    if (lessMotion()) player.followEnd();
    else player.play();
  }

  playPause() {
    const { runner, player, moving } = this.#app;
    if (moving) moving.toggle();
    else if (runner.boards.some((run) => run.timeline)) player.toggle();
    else this.run();
  }

  /** Steps forward, or back if negative. A search that was not watched is run first and waits at its beginning. */
  step(steps) {
    const { runner, player, moving } = this.#app;
    if (moving) this.#tick(moving, steps);
    else if (runner.boards.some((run) => run.timeline)) player.stepBy(steps);
    else this.#watch(() => player.seek(0));
  }

  #tick(moving, ticks) {
    if (ticks > 0) moving.step(ticks);
    else this.#app.announce("Units cannot step back. Restart them instead.");
  }

  /** Back to the first step; units go back to the start. */
  toStart() {
    const { player, moving } = this.#app;
    if (moving) return moving.restart();
    player.pause();
    player.seek(0);
  }

  /** Shows the end of the search, running it first if it was not watched. */
  showEnd() {
    const { runner, player, moving } = this.#app;
    if (moving) return;
    if (runner.boards.some((run) => run.timeline)) player.followEnd();
    else this.#watch(() => player.followEnd());
  }

  #watch(then) {
    this.#app.player.pause();
    this.#app.runner.runAll({ trace: true, time: true });
    then();
  }

  /** Forgets the search; the path stays up to date. */
  clearPath() {
    this.#app.moving?.stop();
    this.#app.player.pause();
    this.#app.runner.clear();
    this.#app.player.seek(0);
  }

  /** Makes all walls floor, everything solid open. */
  clearWalls() {
    const { world } = this.#app.store.doc;
    if (world.kind === "graph") return;
    const walls = new Uint32Array(world.cost.reduce((sum, cost) => sum + (cost === WALL ? 1 : 0), 0));
    let count = 0;
    for (let index = 0; index < world.nodeCount; index++) if (world.cost[index] === WALL) walls[count++] = index;
    this.#app.store.paint("clear walls", walls, FLOOR);
  }

  /** An empty voxel world. */
  newSpace(size) {
    const [width, depth, height] = size;
    const [y, z] = [Math.floor(depth / 2), Math.floor(height / 2)];
    const start = [Math.floor(width * 0.2), y, z];
    const goal = [Math.max(Math.ceil(width * 0.8) - 1, 0), y, z];
    this.#replace(`new map ${size.join(" x ")}`, { world: new VoxelWorld(size), links: [], start, goals: [goal] });
  }

  /** An empty grid. */
  newMap(width, height) {
    const world = new GridWorld(width, height);
    const row = Math.floor(height / 2);
    const start = [Math.floor(width * 0.2), row];
    const goal = [Math.max(Math.ceil(width * 0.8) - 1, 0), row];
    this.#replace(`new map ${width} x ${height}`, { world, links: [], start, goals: [goal] });
  }

  /** Shows a scene of the server: see docs/lab-protocol.md. */
  showScene(scene, label = scene.title) {
    const { world, links } = tidied(readWorld(scene.world));
    const moving = scene.scene ? new MovingScene(scene.scene) : null;
    const fields = { world, links, start: scene.start, goals: scene.goals, scene: moving };
    const { boards, scene: before } = this.#app.store.doc;
    // The scene determines the radius of its units.
    const widened = boards.map((board) => ({ ...board, radius: moving?.radius ?? 0 }));
    if (scene.flight) return this.#showFlight(scene.flight, label, { ...fields, boards: widened });
    this.#replace(label, moving || before ? { ...fields, boards: widened } : fields);
    if (scene.crowd) this.#gather(scene.crowd);
  }

  /** A recorded flight has one board, with its planner if that is one of the lab's. */
  #showFlight(flight, label, fields) {
    const { live, about, ui } = this.#app;
    const [board] = fields.boards;
    const isKnown = about.algorithms.some(({ name }) => name === flight.planner);
    const settings = isKnown ? this.#applicable({ ...board, algorithm: flight.planner }) : board;
    live.recording = new Recording(flight, fields.scene);
    ui.set({ board: 0 });
    this.#replace(label, { ...fields, boards: [settings] });
  }

  async gallery(name) {
    this.showScene(await api.gallery(name));
  }

  async generate(kind, width, height, seed) {
    this.showScene(await api.generate(kind, width, height, seed), `${kind} ${width} x ${height}, seed ${seed}`);
    this.#app.ui.set({ generated: { kind, width, height, seed } });
  }

  #replace(label, fields) {
    const { store, player } = this.#app;
    player.pause();
    player.seek(0);
    store.change(label, this.#fitting({ scene: null, ...fields }));
    this.#app.fit();
  }

  /** Boards whose algorithm does not work on the new world get one that does. */
  #fitting(fields) {
    const { about, store } = this.#app;
    const works = (name) => about.algorithms.find((known) => known.name === name)?.worlds.includes(fields.world.kind);
    const boards = fields.boards ?? store.doc.boards;
    if (boards.every((board) => works(board.algorithm))) return fields;
    const fitted = boards.map((board) => (works(board.algorithm) ? board : { ...board, algorithm: FIRST }));
    return { ...fields, boards: fitted };
  }

  /** Lets units walk on the boards, or shows searches again. */
  toggleLive() {
    const { live, crowd, player, announce } = this.#app;
    if (live.active) {
      live.stop();
      announce("Live mode off");
      return;
    }
    crowd.stop();
    player.pause();
    player.seek(0);
    live.start({ playing: !lessMotion() });
    if (live.active) announce(live.playing ? "Live mode on: units are moving" : "Live mode on. Press Space to start the units.");
  }

  /** Lets a crowd walk on the map, or shows searches again. */
  toggleCrowd() {
    const { crowd, announce } = this.#app;
    if (crowd.active) {
      crowd.stop();
      announce("Crowd mode off");
      return;
    }
    this.#gather([]);
    if (crowd.active) announce("Crowd mode on. Click or drag to place units, right-click to send them.");
  }

  /** Begins a crowd with groups. */
  #gather(groups) {
    const { live, crowd, player } = this.#app;
    live.stop();
    player.pause();
    player.seek(0);
    crowd.start({ groups, playing: !lessMotion() });
  }

  /** Puts walls onto the path of the first board's unit, as one step of the history. */
  dropWalls(count = this.#app.ui.dropCount) {
    const { live, store, announce } = this.#app;
    if (!live.active) return;
    const { world, start, goals } = store.doc;
    const taken = [start, ...goals, live.target, ...live.units.map(({ cell }) => cell)];
    const kept = new Set(taken.map((place) => world.indexOf(place)));
    const free = live.units[0].ahead.map((place) => world.indexOf(place)).filter((cell) => !kept.has(cell));
    const cells = chooseSome(free, count, live.seed + ++this.#drops);
    if (cells.length > 0) store.paint("drop walls", cells, WALL);
    announce(cells.length === 1 ? "1 wall dropped" : `${cells.length || "No"} walls dropped`);
  }

  /** Moves the start; while units walk, the units. */
  setStart(place) {
    if (this.#app.live.active) return this.#app.live.place({ unit: place });
    this.#app.store.change("move start", { start: place });
  }

  /** Moves the goals; while units walk, the target. */
  setGoals(goals) {
    if (this.#app.live.active) return this.#app.live.place({ target: goals[0] });
    this.#app.store.change("move goal", { goals });
  }

  /** Adds a goal, or takes it away if it is there; the last one stays. */
  toggleGoal(place) {
    const { store, about, live } = this.#app;
    if (live.active) return live.place({ target: place });
    const { world, goals } = store.doc;
    const index = world.indexOf(place);
    const rest = goals.filter((goal) => world.indexOf(goal) !== index);
    if (rest.length === goals.length && goals.length < about.limits.goals) {
      store.change("add goal", { goals: [...goals, place] });
    } else if (rest.length < goals.length && rest.length > 0) {
      store.change("remove goal", { goals: rest });
    }
  }

  /** Changes settings of one board. Options that the algorithm does not take are dropped. */
  setBoard(board, fields) {
    const { boards } = this.#app.store.doc;
    const settings = this.#applicable({ ...boards[board], ...fields });
    this.#app.store.change("change settings", { boards: boards.with(board, settings) });
  }

  #applicable(settings) {
    const algorithm = this.#app.about.algorithms.find((known) => known.name === settings.algorithm);
    const { heuristic, weight, queue } = settings;
    return {
      ...settings,
      heuristic: algorithm.uses_heuristic ? heuristic : null,
      weight: algorithm.uses_weight ? weight : null,
      queue: algorithm.queues.includes(queue) ? queue : null,
    };
  }

  /** Another board beside the others, with an algorithm that none of them has if there is one. */
  addBoard() {
    const { store, about, ui, live } = this.#app;
    const { boards, world, links } = store.doc;
    if (boards.length >= about.limits.boards) return;
    const taken = new Set(boards.map((board) => board.algorithm));
    const level = links.length === 0 && world.isLevel();
    const suits = (known) => known.worlds.includes(world.kind) && (known.weighted || level);
    // Units do not wait until a map is prepared.
    const fits = (known) => suits(known) && !(live.active && known.prepares);
    const free = about.algorithms.filter((known) => known.name !== CHOOSER && !taken.has(known.name) && fits(known));
    // Beside a unit that searches anew each time, one that repairs is worth seeing.
    const repairs = about.algorithms.some((known) => known.incremental && taken.has(known.name));
    const fresh = (live.active && !repairs && free.find((known) => known.incremental)) || free[0];
    const settings = { ...boards.at(-1), algorithm: fresh?.name ?? FIRST };
    store.change("add board", { boards: [...boards, this.#applicable(settings)] });
    ui.set({ board: boards.length });
  }

  removeBoard(board) {
    const { store, ui } = this.#app;
    if (store.doc.boards.length === 1) return;
    ui.set({ board: 0 });
    store.change("remove board", { boards: store.doc.boards.toSpliced(board, 1) });
  }

  undo() {
    const label = this.#app.store.undo();
    this.#app.announce(label ? `Undone: ${label}` : "Nothing to undo");
  }

  redo() {
    const label = this.#app.store.redo();
    this.#app.announce(label ? `Redone: ${label}` : "Nothing to redo");
  }
}
