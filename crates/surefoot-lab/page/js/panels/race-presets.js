// Races that are worth seeing, made of what the registry offers.

import { defaultSettings } from "../actions.js";
import { el, fill } from "../dom.js";
import { algorithmOf } from "./words.js";

/** How much more expensive the paths of weighted A* may be in the races. */
const WEIGHT = 2;
const HEURISTICS = ["octile", "euclidean", "manhattan", "zero"];

const PRESETS = [
  { label: "A* vs Dijkstra", boards: () => [{ algorithm: "astar" }, { algorithm: "dijkstra" }] },
  {
    label: "D* Lite vs A*",
    worlds: ["grid"],
    boards: () => [{ algorithm: "astar" }, { algorithm: "d_star_lite" }],
  },
  {
    label: "Heuristics",
    worlds: ["grid"],
    boards: (about) =>
      HEURISTICS.filter((name) => about.heuristics.some((known) => known.name === name)).map((heuristic) => ({
        algorithm: "astar",
        heuristic,
      })),
  },
  {
    label: "Open lists",
    boards: (about) =>
      (algorithmOf(about, "astar")?.queues ?? []).map((queue) => ({ algorithm: "astar", queue })),
  },
  {
    label: "A* vs weighted vs greedy",
    boards: () => [
      { algorithm: "astar" },
      { algorithm: "weighted_astar", weight: WEIGHT },
      { algorithm: "greedy" },
    ],
  },
];

/** The races that can be run on a kind of world: `{label, boards}` with the fields that differ between boards. */
export function racePresets(about, worldKind) {
  const runs = ({ algorithm }) => algorithmOf(about, algorithm)?.worlds.includes(worldKind);
  return PRESETS.filter(({ worlds }) => !worlds || worlds.includes(worldKind))
    .map(({ label, boards }) => ({ label, boards: boards(about).slice(0, about.limits.boards) }))
    .filter(({ boards }) => boards.length > 1 && boards.every(runs));
}

/** Puts boards side by side and starts them. How the agent moves stays as it is on the chosen board. */
export function startRace(app, label, boards) {
  const { store, ui, actions } = app;
  const { moves, moves3, radius, terrain } = store.doc.boards[ui.board] ?? store.doc.boards[0];
  const settings = boards.map((fields) => ({ ...defaultSettings(), moves, moves3, radius, terrain, ...fields }));
  ui.set({ board: 0 });
  store.change(`race: ${label}`, { boards: settings });
  // The boards have their new sizes only after the page is laid out again.
  requestAnimationFrame(() => app.fit());
  actions.run();
}

/** A button for each ready-made race. */
export function mountRacePresets(app, element) {
  const show = () =>
    fill(
      element,
      racePresets(app.about, app.store.doc.world.kind).map(({ label, boards }) =>
        el("button", { type: "button", class: "preset", onclick: () => startRace(app, label, boards) }, label),
      ),
    );
  let kind = app.store.doc.world.kind;
  app.store.on("fields", () => {
    if (kind === app.store.doc.world.kind) return;
    kind = app.store.doc.world.kind;
    show();
  });
  show();
}
