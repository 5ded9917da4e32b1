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
 * `gallery` names the map or `generate` makes it, `boards` are the fields that differ from the default, `chosen` is the
 * board whose settings are shown, `watch(store, tried)` calls `tried` when that has been done and returns functions that
 * end the watching.
 */
export const SCENES = [
  {
    gallery: "barnyard",
    title: "How A* decides where to search",
    text: [
      "A* adds the cost of the path so far to an estimate of the remaining cost, and expands the cell with the smallest sum next.",
      "So it heads for the goal and spreads out only where something is in the way.",
    ],
    task: "Drag the goal and watch the search follow.",
    praise: "The search runs again after every move: it takes less than a frame.",
    boards: [{ algorithm: "astar" }],
    watch: (store, tried) => [replaced(store, ["goals", "start"], tried)],
  },
  {
    // The overestimate shows here: a quarter of the work, and a path that is 7% more expensive.
    generate: ["caves", 40, 24, 46],
    title: "When a heuristic overestimates",
    text: [
      "Board 1 uses the octile distance, which never overestimates. Board 2 uses the Manhattan distance, which overestimates diagonal steps.",
      "So board 2 expands fewer cells and misses the cheapest path. The badge above it says why.",
    ],
    task: "Choose another heuristic for board 2 and watch its badge.",
    praise: "Only a heuristic that never overestimates guarantees the cheapest path.",
    boards: [
      { algorithm: "astar", heuristic: "octile" },
      { algorithm: "astar", heuristic: "manhattan" },
    ],
    chosen: 1,
    watch: (store, tried) => [changedSetting(store, "heuristic", tried), changedSetting(store, "algorithm", tried)],
  },
  {
    gallery: "swamp",
    title: "Weighted A*",
    text: [
      "A water cell costs 10, a floor cell 1: the cheapest path goes around the swamp.",
      "Weighted A* on board 2 doubles its estimate. It expands fewer cells, and its path may cost up to twice the optimum.",
    ],
    task: "Raise the weight of board 2 to 5, or paint more water.",
    praise: "The weight is an upper bound: the path never costs more than that multiple of the optimum.",
    boards: [{ algorithm: "astar" }, { algorithm: "weighted_astar", weight: 2 }],
    chosen: 1,
    watch: (store, tried) => [changedSetting(store, "weight", tried), painted(store, tried)],
  },
  {
    gallery: "tunnels",
    title: "Tunnels",
    text: [
      "The arcs are links: tunnels, ladders or teleporters. They connect distant cells, each at its own cost.",
      "The cheapest path may begin by leading away from the goal. A heuristic that ignored the links would overestimate.",
    ],
    task: "Drag the goal to the other end of a tunnel, or place a link.",
    praise: "The path takes a tunnel only when that is cheaper.",
    boards: [{ algorithm: "astar" }],
    watch: (store, tried) => [replaced(store, ["goals", "start", "links"], tried)],
  },
  {
    gallery: "trap",
    title: "A trap for greedy search",
    text: [
      "Greedy best-first search expands the cell that looks closest to the goal, whatever it cost to get there.",
      "On open ground that is fast. Here it fills the pocket before it looks elsewhere, and its path is more expensive.",
    ],
    task: "Close the mouth of the trap with walls, or choose another algorithm for a board.",
    praise: "Without the trap, greedy search is hard to beat. How well it does depends on the map.",
    boards: [{ algorithm: "greedy" }, { algorithm: "astar" }],
    watch: (store, tried) => [painted(store, tried), changedSetting(store, "algorithm", tried)],
  },
];

/** The scenes that this server can show. */
export function scenesFor(about) {
  const has = (list, wanted) => list.some(({ name }) => name === wanted);
  return SCENES.filter(
    ({ gallery, generate, boards }) =>
      (gallery ? has(about.gallery, gallery) : has(about.kinds, generate[0])) &&
      boards.every(({ algorithm }) => has(about.algorithms, algorithm)),
  );
}
