// The scenes of the tour: what is shown, what is said, what to try.

/** Whether any board has another value of a setting than before. */
const differs = (name) => (before, now) =>
  now.length !== before.length || now.some((board, index) => board[name] !== before[index][name]);

/** Tells when fields of the document were replaced. */
const replaced = (store, names, tried) =>
  store.on("fields", (changed) => names.some((name) => changed.has(name)) && tried());

/** Tells when cells were painted. */
const painted = (store, tried) => store.on("cells", tried);

/** Tells when a setting of a board was changed. */
function changedSetting(store, name, tried) {
  const before = store.doc.boards;
  const other = differs(name);
  return store.on("fields", (changed) => changed.has("boards") && other(before, store.doc.boards) && tried());
}

/**
 * `gallery` names the map, `boards` the fields that differ from the default, `watch(store, tried)` calls `tried` when
 * the person did it and returns functions that end the watching.
 */
export const SCENES = [
  {
    gallery: "terrain",
    title: "Why A* looks where it looks",
    text: [
      "A* adds what a way has cost so far to an estimate of what is left, and goes on where the sum is smallest.",
      "So it leans toward the goal, and turns aside only where walls or dear ground make it.",
    ],
    task: "Drag the goal and watch the search follow.",
    praise: "The search ran anew at every move: it takes less than a frame.",
    boards: [{ algorithm: "astar" }],
    watch: (store, tried) => [replaced(store, ["goals", "start"], tried)],
  },
  {
    gallery: "barnyard",
    title: "Heuristics that lie",
    text: [
      "Board 1 estimates with octile distance: never too much. Board 2 takes Manhattan, which counts a diagonal step double.",
      "It hurries, and may miss the cheapest way. The badge says so: point at it for the reason.",
    ],
    task: "Choose another heuristic for a board and look at its badge.",
    praise: "An estimate that is never too high keeps the promise.",
    boards: [
      { algorithm: "astar", heuristic: "octile" },
      { algorithm: "astar", heuristic: "manhattan" },
    ],
    watch: (store, tried) => [changedSetting(store, "heuristic", tried), changedSetting(store, "algorithm", tried)],
  },
  {
    gallery: "swamp",
    title: "Weights",
    text: [
      "Ground has a cost: grass 4, water 10. The way round can be the cheap one.",
      "Weighted A* on board 2 trusts its estimate twice as much. It looks at less, and may pay up to twice the price.",
    ],
    task: "Move the weight of board 2, or paint water in the way.",
    praise: "The promise moved along: it is what the weight allows, never more.",
    boards: [{ algorithm: "astar" }, { algorithm: "weighted_astar", weight: 2 }],
    chosen: 1,
    watch: (store, tried) => [changedSetting(store, "weight", tried), painted(store, tried)],
  },
  {
    gallery: "tunnels",
    title: "Tunnels",
    text: [
      "The arcs are links: tunnels, ladders, teleporters. They join cells that are far apart, at a price of their own.",
      "An estimate that forgets them would be too high, so the lab's own takes them into account.",
    ],
    task: "Drag the goal to the other end of a tunnel, or place a link.",
    praise: "The way takes a tunnel whenever that is cheaper.",
    boards: [{ algorithm: "astar" }],
    watch: (store, tried) => [replaced(store, ["goals", "start", "links"], tried)],
  },
  {
    gallery: "trap",
    title: "Greedy's trap",
    text: [
      "Greedy best-first goes wherever looks closest to the goal, whatever it cost to get there.",
      "In the open that is fast. Here it walks into the pocket, has to come out again, and pays for it.",
    ],
    task: "Wall up the mouth of the trap, or give a board another algorithm.",
    praise: "Without the trap, greedy is hard to beat. It is a gamble on the map.",
    boards: [{ algorithm: "greedy" }, { algorithm: "astar" }],
    watch: (store, tried) => [painted(store, tried), changedSetting(store, "algorithm", tried)],
  },
];

/** The scenes that this server can show. */
export function scenesFor(about) {
  const maps = new Set(about.gallery.map(({ name }) => name));
  const algorithms = new Set(about.algorithms.map(({ name }) => name));
  return SCENES.filter(
    ({ gallery, boards }) => maps.has(gallery) && boards.every(({ algorithm }) => algorithms.has(algorithm)),
  );
}
