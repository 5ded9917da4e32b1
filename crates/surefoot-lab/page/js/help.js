// The help window: keys, mouse and touch.

import { el } from "./dom.js";
import { makeDialog } from "./panels/dialog.js";
import { GRAPH_KEYS } from "./tools/graph-keys.js";

/** All keys, in groups: `[keys, what they do]`. */
const KEYS = [
  {
    title: "Play",
    keys: [
      ["Space", "Play or pause"],
      ["← →", "Step back or forward (Shift: 10 steps)"],
      [", .", "Step back or forward while the board has focus"],
      ["Home End", "Go to the start or the end"],
      ["[ ]", "Slower or faster"],
      ["R", "Run"],
      ["Escape", "Cancel searches, or close what is open"],
    ],
  },
  {
    title: "Paint",
    keys: [
      ["W", "Wall"],
      ["E", "Floor (erases)"],
      ["1 – 9", "Terrain with that cost"],
      ["S", "Move the start to the cell cursor, or select the Start tool"],
      ["T", "The same for the goal (Shift: add a goal)"],
      ["L", "Link tool"],
      ["C", "Clear the search (Shift: clear the walls)"],
      ["G", "New maze"],
      ["Ctrl Z", "Undo"],
      ["Ctrl Y", "Redo (also Ctrl Shift Z)"],
    ],
  },
  {
    title: "Live mode, on grids and in 3D",
    keys: [
      ["V", "Turn live mode on or off"],
      ["Space", "Start or pause the units"],
      ["→", "Advance one tick"],
      ["R", "Restart"],
      ["[ ]", "Slower or faster"],
      ["D", "Drop walls on the path"],
      ["S T", "On grids, move the unit or the target to the cell cursor"],
      ["B", "Building tool: shows how a building would change the path (Shift: build at once)"],
    ],
  },
  {
    title: "Crowds, on grids",
    keys: [
      ["U", "Turn crowd mode on or off"],
      ["Left button", "Place a unit, or by dragging many; on a unit: show what it does"],
      ["Middle button", "The same, whatever tool is selected"],
      ["Right button", "Send the group there"],
      ["Space", "Start or pause the units"],
    ],
  },
  {
    title: "On a 3D board",
    keys: [
      ["← → ↑ ↓", "Rotate the view (Shift: pan)"],
      ["W A S D", "Fly; Q down, E up"],
      ["+ − 0", "Zoom in, zoom out, show everything"],
      ["PgUp PgDn", "In the slice editor: next or previous layer"],
    ],
  },
  {
    title: "On the board",
    keys: [
      ["Tab", "Move focus to the board, then to the next control"],
      ["← → ↑ ↓", "Move the cell cursor (Shift: 10 cells)"],
      ["Enter", "Paint with the selected tool; press again to erase"],
      ["Delete", "Erase"],
      ["+ −", "Zoom in or out"],
      ["0", "Show the whole map"],
    ],
  },
];

const HANDS = {
  title: "Mouse and touch",
  plain: true,
  keys: [
    ["Left button", "Paint; drag the start or the goal"],
    ["Right button", "Erase"],
    ["Wheel", "Zoom at the pointer"],
    ["Middle button", "Pan (also Space and left button)"],
    ["One finger", "Paint; touch and hold to erase"],
    ["Two fingers", "Pan and zoom"],
    ["In 3D", "Drag to rotate, right-drag or Shift-drag to pan. Click a cell to inspect it, double-click to orbit it. Drag the start or the goal to move it."],
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
    "Paint a map, press Run and watch the search step by step. The path updates while you drag the start or the goal.";
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
