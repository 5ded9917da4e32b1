// The figures of the active board's search, counting up while it plays.
//
// While playing, figures are counted from the trace. At the end they are the engine's own, which agree: the trace also
// has the closing of the goal, after which nothing is expanded, so the count of expanded nodes stops at the engine's.

import { el, fill } from "../dom.js";
import { againstOptimum } from "../format.js";
import { bytes, cost, count, ratioOf, time } from "./figures.js";
import { onceAFrame } from "./frame.js";
import { titleOf } from "./words.js";

const ROWS = {
  expanded: ["Expanded", "Nodes taken from the open list and expanded; the goal ends the search and is not expanded"],
  generated: ["Generated", "Nodes opened, improved or reopened so far"],
  edges: ["Edges looked at", "Steps from expanded nodes that the engine looked at, whether or not they led anywhere new"],
  reopened: ["Reopened", "Nodes opened again after they had been closed, because a cheaper way was found"],
  open: ["Open now", "Nodes that wait to be expanded"],
  peak: ["Peak open", "The most nodes open at once; at the end, the most entries the engine's open list held"],
  memory: ["Memory", "What the engine held for this search"],
};
const PATH_ROWS = {
  cost: ["Path cost", "What the path costs"],
  optimum: ["Compared", "With the cheapest path there is, proven by an exact search"],
  steps: ["Path steps", "Moves from start to goal"],
  time: ["Search time", "How long the native search took: the search alone, not the animation"],
};

/** Fills "this run". */
export function mountStats(app, element, heading) {
  const { about, runner, player, store, ui } = app;
  const counts = table(ROWS);
  const path = table(PATH_ROWS);
  const note = el("p", { class: "hint time-note" });
  fill(element, counts.element, path.element, note);

  const update = () => {
    const board = Math.min(ui.board, runner.boards.length - 1);
    const run = runner.boards[board];
    const { boards } = store.doc;
    heading.textContent = boards.length > 1 ? `Board ${board + 1}: ${titleOf(about, boards[board])}` : "This run";
    counts.show(countsOf(run, player.stepOf(board)));
    path.show(pathOf(run));
    note.textContent = timeNote(run);
  };
  const later = onceAFrame(update);
  player.on("move", later);
  for (const type of ["began", "progress", "done", "timed", "failed", "boards"]) runner.on(type, later);
  store.on("fields", (names) => names.has("boards") && later());
  ui.on("change", (names) => names.has("board") && later());
  update();
}

/** The figures at a step of the trace, or of the whole search where there is no trace or it is at its end. */
function countsOf({ timeline, result }, step) {
  const atEnd = !timeline || step >= timeline.steps;
  const whole = atEnd && result !== null;
  const sums = timeline?.sumsAt(step);
  const expanded = sums && Math.min(sums.steps, result?.expanded ?? Infinity);
  return {
    expanded: count(whole ? result.expanded : expanded),
    generated: count(sums?.generated),
    edges: count(whole ? result.generated : null),
    reopened: count(whole ? result.reopened : sums?.reopened),
    open: count(sums?.open),
    peak: count(whole ? result.peak_open : sums?.peak),
    memory: bytes(result?.scratch_bytes),
  };
}

function pathOf({ result, timing }) {
  const found = result?.outcome === "found";
  const ratio = ratioOf(result);
  const moves = found ? Math.max(result.path.length - 1, 0) : null;
  return {
    cost: found ? cost(result.cost) : "–",
    optimum: againstOptimum(ratio) || "–",
    steps: count(moves),
    time: time(timing?.median_us ?? result?.search_us),
  };
}

function timeNote({ result, timing }) {
  if (timing) return `Median of ${count(timing.runs)} native runs: the search alone, not the animation.`;
  if (result?.search_us === null || result?.search_us === undefined) return "";
  return "One native run: the search alone, not the animation.";
}

/** A list of figures; each entry is `[name, title]`. */
function table(rows) {
  const values = Object.fromEntries(Object.keys(rows).map((key) => [key, el("dd", { "data-figure": key })]));
  const pairs = Object.entries(rows).flatMap(([key, [name, title]]) => [el("dt", { title }, name), values[key]]);
  const show = (texts) => {
    for (const [key, text] of Object.entries(texts)) {
      values[key].textContent = text;
      values[key].classList.toggle("is-optimum", text === "= optimum");
    }
  };
  return { element: el("dl", { class: "figures" }, pairs), show };
}
