// The window that `?` opens: keys, mouse and fingers.

import { el } from "./dom.js";
import { makeDialog } from "./panels/dialog.js";
import { GRAPH_KEYS } from "./tools/graph-keys.js";

/** All keys, in groups: `[keys, what they do]`. */
const KEYS = [
  {
    title: "Play",
    keys: [
      ["Space", "play or pause"],
      ["← →", "step back or forward, with shift ten steps"],
      [", .", "the same while the board has the focus"],
      ["Home End", "to the start, to the end"],
      ["[ ]", "slower, faster"],
      ["R", "run"],
      ["Escape", "cancel runs; close what is open"],
    ],
  },
  {
    title: "Paint",
    keys: [
      ["W", "wall"],
      ["E", "erase: floor"],
      ["1 – 9", "terrain of that cost"],
      ["S", "start: place it at the cell cursor, or choose the tool"],
      ["T", "target: the same for the goal, with shift one more"],
      ["L", "link tool"],
      ["C", "clear path, with shift clear walls"],
      ["G", "new maze"],
      ["Ctrl Z", "undo"],
      ["Ctrl Y", "redo, also Ctrl Shift Z"],
    ],
  },
  {
    title: "Live, on grids and in 3D",
    keys: [
      ["V", "units walk or fly, or searches again"],
      ["Space", "walk or wait; → one tick"],
      ["R", "from the start again"],
      ["[ ]", "slower, faster"],
      ["D", "drop walls on the path"],
      ["S T", "on grids: put units or target at the cell cursor; or drag them"],
      ["B", "building: says what it would do to the way; with shift builds it at once"],
    ],
  },
  {
    title: "On a 3D board",
    keys: [
      ["← → ↑ ↓", "turn the view, with shift move it"],
      ["W A S D", "fly; Q and E down and up"],
      ["+ − 0", "zoom, show everything"],
      ["PgUp PgDn", "on the slice editor: the next layer or the one before"],
    ],
  },
  {
    title: "On the board",
    keys: [
      ["Tab", "to the board and on"],
      ["← → ↑ ↓", "move the cell cursor, with shift ten cells"],
      ["Enter", "paint with the tool in hand; once more erases"],
      ["Delete", "erase"],
      ["+ −", "zoom"],
      ["0", "show the whole map"],
    ],
  },
];

const HANDS = {
  title: "Mouse and fingers",
  plain: true,
  keys: [
    ["Left", "paint; drag start and goal"],
    ["Right", "erase"],
    ["Wheel", "zoom at the pointer"],
    ["Middle", "pan, also space and left"],
    ["One finger", "paint; held still: erase"],
    ["Two fingers", "pan and zoom"],
    ["In 3D", "drag turns, right button or shift moves; click inspects, twice turns around the cell; start and goal can be dragged"],
  ],
};

let dialog = null;

/** Opens the help. */
export function showHelp(app) {
  dialog ??= makeDialog("Help", { class: "help" }, helpText(app));
  if (!dialog.open) dialog.showModal();
}

function helpText(app) {
  const graph = { title: "On graphs", keys: GRAPH_KEYS };
  const groups = [...KEYS, graph, HANDS].map(({ title, keys, plain }) => {
    const pairs = keys.flatMap(([names, text]) => [
      el("dt", {}, plain ? names : keyCaps(names)),
      el("dd", {}, text),
    ]);
    return el("section", {}, el("h3", {}, title), el("dl", {}, pairs));
  });
  const words =
    "Paint a map, press Run, and watch the search think. The path follows while you drag start or goal.";
  const tour = el(
    "button",
    { type: "button", class: "outlined", onclick: () => takeTour(app) },
    "Take the tour",
  );
  return [
    el("div", { class: "help-intro" }, el("p", {}, words), tour),
    el("div", { class: "help-groups" }, groups),
  ];
}

function takeTour(app) {
  dialog.close();
  app.tour?.start();
}

/** "Ctrl Z" as two caps; "1 – 9" keeps its dash. */
const keyCaps = (names) =>
  names.split(" ").flatMap((name, at) => [at > 0 ? " " : "", name === "–" ? name : el("kbd", {}, name)]);
