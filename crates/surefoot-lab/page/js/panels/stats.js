// The figures of the active board's search, counting up while it plays.
//
// Counts come from the trace, so they mean the same at every step. The trace also has the closing of the goal,
// after which nothing is expanded: the count of expanded nodes stops at the engine's own.

import { el, fill } from "../dom.js";
import { againstOptimum } from "../format.js";
import { bytes, cost, count, percent, ratioOf, time } from "./figures.js";
import { onceAFrame } from "./frame.js";
import { choiceWords, sentence, titleOf } from "./words.js";

const COUNTS = {
  expanded: [
    "Expanded",
    "Nodes taken from the open list and expanded; the goal ends the search and is not counted",
  ],
  generated: ["Generated", "Nodes opened, improved or reopened so far"],
  reopened: ["Reopened", "Nodes opened again after being closed, because a cheaper path was found"],
  open: ["Open now", "Nodes waiting to be expanded"],
  peak: ["Peak open", "Largest number of open nodes so far; known only if the search was recorded"],
};
const BEFORE = {
  preparation: ["Preparation", "Time for preparing the map before the first search; reused until the map changes"],
  table: ["Prepared data", "Memory of the prepared data, in addition to the memory of the search"],
};
const WHOLE = {
  edges: ["Edges examined", "Edges that the search examined, whether or not they led to a new node"],
  memory: ["Memory", "Memory used by this search"],
  cost: ["Path cost", "Total cost of the path"],
  optimum: ["Optimality", "Path cost compared with the optimum, proven by an exact search"],
  steps: ["Path steps", "Moves from start to goal"],
  time: ["Search time", "Time of the native search, without the animation"],
};

/** Fills "this run". */
export function mountStats(app, element, heading) {
  const { about, runner, player, store, ui } = app;
  const counts = table(COUNTS);
  const whole = table(WHOLE);
  const before = table(BEFORE);
  before.element.classList.add("before");
  const contents = el("p", { class: "hint" });
  const note = el("p", { class: "hint time-note" });
  const choice = el("p", { class: "hint choice" });
  const waiting = el("p", { class: "hint waiting" });
  fill(element, waiting, choice, counts.element, whole.element, note, before.element, contents);

  const update = () => {
    const board = Math.min(ui.board, runner.boards.length - 1);
    const run = runner.boards[board];
    const { boards } = store.doc;
    heading.textContent =
      boards.length > 1 ? `Board ${board + 1}: ${titleOf(about, boards[board])}` : "This run";
    counts.show(countsOf(run, player.stepOf(board)));
    whole.show(wholeOf(run));
    before.element.hidden = !run.result?.prepared;
    if (run.result?.prepared) before.show(beforeOf(run));
    contents.textContent = contentsOf(run);
    contents.hidden = contents.textContent === "";
    choice.textContent = run.result?.choice ? sentence(choiceWords(about, run.result.choice)) : "";
    choice.hidden = choice.textContent === "";
    waiting.textContent = waitingWords(run);
    waiting.hidden = waiting.textContent === "";
    note.textContent = timeNote(run);
  };
  const later = onceAFrame(update);
  player.on("move", later);
  for (const type of ["preparing", "cleared", "began", "progress", "done", "timed", "failed", "boards"]) runner.on(type, later);
  store.on("fields", (names) => names.has("boards") && later());
  ui.on("change", (names) => names.has("board") && later());
  update();
}

/** Why there are no figures yet, empty if there are. */
function waitingWords({ busy, preparing, result, timeline }) {
  if (!busy || result || timeline) return "";
  return preparing === null ? "Searching…" : `Preparing the map: ${percent(preparing)}. Figures follow.`;
}

/** The figures at a step of the trace; without a trace, what the engine says of the whole search. */
function countsOf({ timeline, result }, step) {
  if (!timeline)
    return {
      expanded: count(result?.expanded),
      generated: "–",
      reopened: count(result?.reopened),
      open: "–",
      peak: "–",
    };
  const sums = timeline.sumsAt(step);
  return {
    expanded: count(Math.min(sums.steps, result?.expanded ?? Infinity)),
    generated: count(sums.generated),
    reopened: count(sums.reopened),
    open: count(sums.open),
    peak: count(sums.peak),
  };
}

/** What is known when the search is over. */
function wholeOf({ result, timing }) {
  const found = result?.outcome === "found";
  return {
    edges: count(result?.generated),
    memory: bytes(result?.scratch_bytes),
    cost: cost(found ? result.cost : null),
    optimum: againstOptimum(ratioOf(result)) || "–",
    steps: count(found ? Math.max(result.path.length - 1, 0) : null),
    time: time(timing?.median_us ?? result?.search_us),
  };
}

const beforeOf = ({ result: { prepared } }) => ({ preparation: time(prepared.us), table: bytes(prepared.bytes) });

/** What was prepared: "Prepared: 24 clusters, 310 nodes, 1,204 edges." */
function contentsOf({ sketch }) {
  const { parts = 0, places = 0, ways = 0 } = sketch?.totals ?? {};
  const some = [[parts, "clusters"], [places, "nodes"], [ways, "edges"]].filter(([number]) => number > 0);
  return some.length === 0 ? "" : `Prepared: ${some.map(([number, what]) => `${count(number)} ${what}`).join(", ")}.`;
}

function timeNote({ result, timing }) {
  if (timing) return `Median of ${count(timing.runs)} native runs, without the animation.`;
  if (result?.search_us === null || result?.search_us === undefined) return "";
  return "One native run, without the animation.";
}

/** A list of figures; each entry is `[name, title]`. */
function table(rows) {
  const values = Object.fromEntries(Object.keys(rows).map((key) => [key, el("dd", { "data-figure": key })]));
  const pairs = Object.entries(rows).flatMap(([key, [name, title]]) => [
    el("dt", { title }, name),
    values[key],
  ]);
  const show = (texts) => {
    for (const [key, text] of Object.entries(texts)) {
      values[key].textContent = text;
      values[key].classList.toggle("is-optimum", text === "= optimum");
    }
  };
  return { element: el("dl", { class: "figures" }, pairs), show };
}
