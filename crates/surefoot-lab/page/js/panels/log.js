// The log: every run that was started by hand, with its figures. Newest first.

import { el, fill } from "../dom.js";
import { sizeOf } from "../format.js";
import * as figures from "./figures.js";
import { boardWords, choiceWords, failureWords } from "./words.js";

const MOST_ENTRIES = 200;

/** The columns; `number` ones are aligned to the right. */
const COLUMNS = [
  { title: "Time", text: ({ at }) => at },
  { title: "Algorithm", text: ({ name }) => name, head: true },
  { title: "Map", text: ({ map }) => map },
  { title: "Expanded", text: ({ result }) => figures.count(result?.expanded), number: true },
  { title: "Generated", text: ({ generated }) => figures.count(generated), number: true },
  { title: "Cost", text: ({ result, failure }) => figures.cost(failure ? null : result?.cost), number: true },
  { title: "vs optimum", text: ({ result }) => figures.ratio(figures.ratioOf(result)), number: true },
  { title: "Median time", text: ({ timing }) => figures.time(timing?.median_us), number: true },
  { title: "Preparation", text: ({ result }) => figures.preparation(result?.prepared), number: true },
  { title: "Outcome", text: ({ failure, choice }) => [failure ?? "path found", choice].filter(Boolean).join(", ") },
];

export function mountLog(app, element) {
  const { runner } = app;
  /** Newest first: `{id, at, name, map, result, timing, failure, row}`. */
  let entries = [];
  const last = el("span", { class: "log-last" });
  const body = el("tbody");
  const heads = COLUMNS.map(({ title, number }) => el("th", { scope: "col", class: number && "number" }, title));
  const table = el("table", { class: "log-table" }, el("thead", {}, el("tr", {}, heads)), body);
  // Results are announced in the live region of the page; the log is for looking them up.
  const asLog = { role: "log", "aria-live": "off", "aria-label": "Runs", tabIndex: 0 };
  const list = el("div", { class: "log-list", ...asLog }, table);
  const empty = el("p", { class: "log-empty" }, "No runs yet. Press Run; each search is listed here.");
  const copy = el("button", { type: "button", onclick: () => copyOut() }, "Copy");
  copy.title = "Copy the log as a table for spreadsheets";
  const clear = el("button", { type: "button", onclick: () => forget() }, "Clear");
  clear.title = "Clear the log";
  const title = el("summary", { class: "log-title" }, el("h2", {}, "Log"), last);
  const bar = el("div", { class: "log-bar", role: "group", "aria-label": "Log" }, copy, clear);
  const details = el("details", { class: "log" }, title, bar, empty, list);
  fill(element, details);
  // On narrow screens the log has a tab, which it shares with the race: opening it shows either.
  app.ui.on("change", (names) => {
    if (names.has("sheet") && app.ui.sheet === "log") details.open = app.store.doc.boards.length === 1;
  });

  const showState = () => {
    const none = entries.length === 0;
    empty.hidden = !none;
    list.hidden = none;
    copy.disabled = none;
    clear.disabled = none;
    last.textContent = none ? "" : summary(entries[0]);
  };

  const note = (board) => {
    const run = runner.boards[board];
    if (!run.request || run.request.live || (!run.result && !run.error)) return;
    if (entries.some(({ id }) => id === run.id)) return;
    const entry = entryOf(app, board);
    entry.row = el("tr", {}, COLUMNS.map(({ number, head }) => cellOf(head, number)));
    showRow(entry);
    body.prepend(entry.row);
    entries.unshift(entry);
    for (const old of entries.splice(MOST_ENTRIES)) old.row.remove();
    showState();
  };

  const noteTime = (board) => {
    const run = runner.boards[board];
    const entry = entries.find(({ id }) => id === run.id);
    if (!entry) return;
    entry.timing = run.timing;
    showRow(entry);
    showState();
  };

  const copyOut = async () => {
    const lines = entries.map((entry) => COLUMNS.map(({ text }) => text(entry)).join("\t"));
    const all = [COLUMNS.map((column) => column.title).join("\t"), ...lines].join("\n");
    try {
      await navigator.clipboard.writeText(`${all}\n`);
      app.notify(`Copied ${entries.length} ${entries.length === 1 ? "run" : "runs"}.`);
    } catch {
      app.notify("The browser blocked copying.");
    }
  };

  const forget = () => {
    entries = [];
    fill(body);
    showState();
    title.focus();
  };

  for (const type of ["done", "failed"]) runner.on(type, note);
  runner.on("timed", noteTime);
  showState();
}

const cellOf = (head, number) => (head ? el("th", { scope: "row" }) : el("td", { class: number && "number" }));

function showRow(entry) {
  COLUMNS.forEach(({ text }, column) => (entry.row.children[column].textContent = text(entry)));
  entry.row.classList.toggle("failed", entry.failure !== null);
}

function entryOf({ about, store, runner }, board) {
  const { world, boards } = store.doc;
  const run = runner.boards[board];
  const { id, result, timing } = run;
  const generated = figures.sumsAt(run, Infinity)?.generated;
  const name = boardWords(about, boards[board], world.kind);
  const map = sizeOf(world);
  const at = new Date().toLocaleTimeString("en-GB");
  const choice = result?.choice ? choiceWords(about, result.choice) : null;
  return { id, at, name, map, result, generated, timing, choice, failure: failureWords(run) };
}

/** One run in a line. */
function summary({ at, name, result, timing, failure }) {
  const parts = [at, name, `${figures.count(result?.expanded)} expanded`];
  parts.push(failure ?? `cost ${figures.cost(result.cost)}`);
  if (timing) parts.push(figures.time(timing.median_us));
  return parts.join(" · ");
}
