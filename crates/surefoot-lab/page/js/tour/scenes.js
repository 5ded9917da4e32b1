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
 * board whose settings are shown, `watch(store, tried)` calls `tried` when the person did it and returns functions that
 * end the watching.
 */
export const SCENES = [
  {
    gallery: "barnyard",
    title: "Why A* looks where it looks",
    text: [
      "A* adds what a way has cost so far to an estimate of what is left, and goes on where the sum is smallest.",
      "So it leans toward the goal and spreads only where something is in the way.",
    ],
    task: "Drag the goal and watch the search follow.",
    praise: "The search ran anew at every move: it takes less than a frame.",
    boards: [{ algorithm: "astar" }],
    watch: (store, tried) => [replaced(store, ["goals", "start"], tried)],
  },
  {
    // Here the lie shows: a quarter of the work, and a way that is seven per cent dearer.
    generate: ["caves", 40, 24, 46],
    title: "Heuristics that lie",
    text: [
      "Board 1 estimates with octile distance, never too much. Board 2 uses Manhattan: too much for diagonal steps.",
      "So board 2 hurries on and misses the cheapest way. The badge above it says why.",
    ],
    task: "Choose another heuristic for board 2 and look at its badge.",
    praise: "Only an estimate that is never too high keeps the promise.",
    boards: [
      { algorithm: "astar", heuristic: "octile" },
      { algorithm: "astar", heuristic: "manhattan" },
    ],
    chosen: 1,
    watch: (store, tried) => [changedSetting(store, "heuristic", tried), changedSetting(store, "algorithm", tried)],
  },
  {
    gallery: "swamp",
    title: "Weights",
    text: [
      "A cell of water costs 10, of floor 1: the way round the swamp is the cheap one.",
      "Weighted A* on board 2 counts its estimate double. It looks at less, and may pay up to twice the best price.",
    ],
    task: "Raise the weight of board 2 to 5, or paint more water.",
    praise: "What the weight allows is a limit: the way is never dearer than that.",
    boards: [{ algorithm: "astar" }, { algorithm: "weighted_astar", weight: 2 }],
    chosen: 1,
    watch: (store, tried) => [changedSetting(store, "weight", tried), painted(store, tried)],
  },
  {
    gallery: "tunnels",
    title: "Tunnels",
    text: [
      "The arcs are links: tunnels, ladders, teleporters. They join cells far apart, at a price of their own.",
      "The best way may begin by walking away from the goal. An estimate that forgot the links would be too high.",
    ],
    task: "Drag the goal to the other end of a tunnel, or place a link.",
    praise: "The way takes a tunnel whenever that is cheaper, never otherwise.",
    boards: [{ algorithm: "astar" }],
    watch: (store, tried) => [replaced(store, ["goals", "start", "links"], tried)],
  },
  {
    gallery: "trap",
    title: "Greedy's trap",
    text: [
      "Greedy best-first goes wherever looks closest to the goal, whatever it cost to get there.",
      "In the open that is fast. Here it fills the pocket before it looks elsewhere, and its way is dearer.",
    ],
    task: "Wall up the mouth of the trap, or give a board another algorithm.",
    praise: "Without the trap, greedy is hard to beat. It is a gamble on the map.",
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
