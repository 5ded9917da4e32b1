// The results of a race: a row for each board, best and worst marked.

import { el, fill } from "../dom.js";
import * as figures from "./figures.js";
import { boardWords, choiceWords, failureWords, titleOf } from "./words.js";

/** Measured times closer than this, as a share, are equal. */
const TIME_NOISE = 0.03;

/** What is compared: less is better everywhere. `same(a, b)` tells which values count as equal. */
const exactly = (a, b) => a === b;
const nearly = (a, b) => Math.abs(a - b) <= figures.NEARLY * Math.max(1, b);
const COLUMNS = [
  { key: "expanded", title: "Expanded", format: figures.count, same: exactly },
  { key: "generated", title: "Generated", format: figures.count, same: exactly },
  { key: "peak", title: "Peak open", format: figures.count, same: exactly },
  { key: "memory", title: "Memory", format: figures.bytes, same: exactly },
  { key: "cost", title: "Path cost", format: figures.cost, same: nearly },
  { key: "ratio", title: "vs optimum", format: figures.ratio, same: nearly },
  {
    key: "time",
    title: "Time",
    explain: "Median of repeated native runs, without the animation",
    format: figures.time,
    same: (a, b) => Math.abs(a - b) <= TIME_NOISE * b,
  },
  {
    key: "preparation",
    title: "Preparation",
    explain: "Time and memory for preparing the map before the first search; not included in the other columns",
    format: figures.preparation,
    // Algorithms without preparation have nothing to compare here.
    same: () => true,
  },
];

const MARKS = { best: "★", worst: "▼" };

/** What is known of a board at the step it shows; `finished` once that is its end. */
export function standingOf({ runner, player }, board) {
  const run = runner.boards[board];
  const { timeline, result, timing, error } = run;
  const step = player.stepOf(board);
  const finished = Boolean(error) || (Boolean(result) && (!timeline || step >= timeline.steps));
  const sums = figures.sumsAt(run, step);
  const counted = { finished, generated: sums?.generated, peak: sums?.peak, time: timing?.median_us };
  // The closing of the goal is a step, but no expansion.
  if (!finished) return { ...counted, expanded: timeline && Math.min(step, result?.expanded ?? Infinity) };
  return {
    ...counted,
    expanded: result?.expanded,
    memory: result?.scratch_bytes,
    preparation: result?.prepared,
    cost: result?.outcome === "found" ? result.cost : null,
    ratio: figures.ratioOf(result),
  };
}

/** Which of some values are best and worst: "best", "worst" or null each. All equal: none. */
export function rank(values, same) {
  const known = values.filter((value) => value !== null && value !== undefined);
  const least = Math.min(...known);
  const most = Math.max(...known);
  if (known.length < 2 || same(least, most)) return values.map(() => null);
  return values.map((value) => {
    if (value === null || value === undefined) return null;
    if (same(value, least)) return "best";
    return same(value, most) ? "worst" : null;
  });
}

/** The table of a race. `update()` shows the boards where they are now. */
export class RaceTable {
  #app;
  #rows = [];
  #heads = COLUMNS.map(({ title, explain }) => el("th", { scope: "col", title: explain }, title));
  #body = el("tbody");

  constructor(app) {
    this.#app = app;
    this.element = el(
      "div",
      { class: "race-scroll", tabIndex: 0, role: "region", "aria-label": "Results of the race" },
      el(
        "table",
        { class: "race-table" },
        el("caption", { class: "visually-hidden" }, "Results of the race"),
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Board"), this.#heads)),
        this.#body,
      ),
    );
    this.rebuild();
  }

  /** A row for each board of the document. */
  rebuild() {
    const { store, about } = this.#app;
    this.#rows = store.doc.boards.map((settings, board) => ({
      cells: COLUMNS.map(() => el("td")),
      name: boardWords(about, settings, store.doc.world.kind),
      note: el("span", { class: "race-note" }),
      board,
    }));
    fill(
      this.#body,
      this.#rows.map(({ cells, name, note, board }) => {
        const number = el("span", { class: "board-number", "aria-hidden": "true" }, `${board + 1}`);
        return el("tr", {}, el("th", { scope: "row", title: name }, number, el("span", {}, name), note), cells);
      }),
    );
    this.update();
  }

  /** The titles of the algorithms, with options where titles alone do not tell boards apart. */
  #shortNames() {
    const { about, store } = this.#app;
    const titles = store.doc.boards.map((settings) => titleOf(about, settings));
    return new Set(titles).size === titles.length ? titles : this.#rows.map(({ name }) => name);
  }

  /** Shows the figures; returns what stands in the rows, for a verdict. */
  update() {
    const { about, runner } = this.#app;
    const standings = this.#rows.map(({ board }) => standingOf(this.#app, board));
    const final = standings.every(({ finished }) => finished);
    COLUMNS.forEach(({ key, format, same }, column) => {
      const values = standings.map((standing) => standing[key] ?? null);
      // Times are measured, not played: they are final as soon as they are known.
      const marks = final || key === "time" ? rank(values, same) : values.map(() => null);
      this.#rows.forEach(({ cells }, row) => showCell(cells[column], format(values[row]), marks[row]));
      // A column that means nothing to any board takes no room.
      const unused = key === "preparation" && values.every((value) => value === null);
      for (const cell of [this.#heads[column], ...this.#rows.map(({ cells }) => cells[column])]) cell.hidden = unused;
    });
    this.#rows.forEach(({ note, board }) => {
      const run = runner.boards[board];
      const { choice } = run.result ?? {};
      const failure = standings[board].finished ? failureWords(run) : null;
      const words = failure ?? (choice ? choiceWords(about, choice) : "");
      // The whole reason is in the log; here a word must do.
      const text = words.split(":")[0];
      if (note.textContent !== text) note.textContent = text;
      note.title = words;
      note.classList.toggle("choice", failure === null);
    });
    return { final, standings, names: this.#shortNames() };
  }
}

function showCell(cell, text, mark) {
  const key = `${text} ${mark}`;
  if (cell.dataset.shown === key) return;
  cell.dataset.shown = key;
  cell.className = mark ?? "";
  fill(
    cell,
    mark && el("span", { class: "mark", "aria-hidden": "true" }, `${MARKS[mark]} `),
    text,
    mark && el("span", { class: "visually-hidden" }, ` ${mark}`),
  );
}

/** How the boards compare, in a sentence or two; empty if there is nothing to say. */
export function verdict({ standings, names }) {
  const sentences = [];
  const least = extreme(standings, "expanded", (a, b) => a < b);
  const most = extreme(standings, "expanded", (a, b) => a > b);
  if (least >= 0 && standings[least].expanded < standings[most].expanded) {
    const times = standings[most].expanded / Math.max(1, standings[least].expanded);
    const many = times < 1.1 ? "slightly more" : `${times.toFixed(times < 10 ? 1 : 0)} times as many`;
    sentences.push(`${names[least]} expands the fewest nodes, ${names[most]} ${many}.`);
  }
  const cheap = extreme(standings, "cost", (a, b) => a < b);
  const costly = extreme(standings, "cost", (a, b) => a > b);
  const without = names.filter((_, row) => (standings[row].cost ?? null) === null);
  if (cheap < 0) sentences.push("No board found a path.");
  else if (without.length > 0) sentences.push(`${without.join(" and ")} found no path.`);
  else if (nearly(standings[cheap].cost, standings[costly].cost)) sentences.push("All paths cost the same.");
  else {
    const percent = 100 * (standings[costly].cost / standings[cheap].cost - 1);
    // Where the cheapest is free, no percentage says how much more the other is.
    const more = Number.isFinite(percent) ? `${percent.toFixed(percent < 10 ? 1 : 0)}% more expensive` : "more expensive";
    sentences.push(`The path of ${names[costly]} is ${more} than the cheapest.`);
  }
  return sentences.join(" ");
}

/** The first row whose value none beats, -1 if no row has one. */
function extreme(standings, key, beats) {
  let best = -1;
  standings.forEach((standing, row) => {
    const value = standing[key] ?? null;
    if (value !== null && (best < 0 || beats(value, standings[best][key]))) best = row;
  });
  return best;
}
