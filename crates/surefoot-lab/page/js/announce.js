// Announcements, on the screen and for screen readers.

import { hitWords } from "./core/hits.js";
import { stateWords } from "./core/live-unit.js";
import { $, el } from "./dom.js";
import { againstOptimum, placeOf } from "./format.js";
import { icon } from "./icons.js";
import { cost, count, ratioOf } from "./panels/figures.js";
import { failureWords, reasonOf, sentence, titleOf, unitTitle } from "./panels/words.js";

/** How long a notice stays, in milliseconds. */
const SHOWN = 7000;
const MOST_NOTICES = 3;
/** Live updates are told when nothing has changed for so long. */
const QUIET = 900;

export class Announcer {
  #region;
  #toasts = $("#toasts");

  constructor(region) {
    this.#region = region;
  }

  /** For the live region only. */
  announce(text) {
    // A new element each time: the same words twice are said twice.
    this.#region.replaceChildren(el("p", {}, text));
  }

  /** Also shown, for a while; what comes back takes it away before. */
  notify(text) {
    this.announce(text);
    const close = el(
      "button",
      { type: "button", class: "icon-button", "aria-label": "Dismiss" },
      icon("close"),
    );
    const toast = el("div", { class: "toast" }, el("span", {}, text), close);
    const remove = () => toast.remove();
    let timer = setTimeout(remove, SHOWN);
    close.addEventListener("click", remove);
    toast.addEventListener("pointerenter", () => clearTimeout(timer));
    toast.addEventListener("pointerleave", () => (timer = setTimeout(remove, SHOWN / 2)));
    this.#toasts.append(toast);
    while (this.#toasts.children.length > MOST_NOTICES) this.#toasts.firstChild.remove();
    return remove;
  }
}

/** A breakpoint in words: "41, 17 is closed". */
export function breakpointWords(world, { kind, node, value }) {
  return kind === "f" ? `f reaches ${cost(value)}` : `${placeOf(world, node)} is ${kind}`;
}

/** A result in words: "A*: path found, cost 32.49, = optimum, 612 expanded". */
function resultWords(app, board) {
  const run = app.runner.boards[board];
  const title = titleOf(app.about, app.store.doc.boards[board]);
  const { boards } = app.store.doc;
  const name = boards.length > 1 ? `Board ${board + 1}, ${title}` : title;
  const failure = failureWords(run);
  if (failure) return `${name}: ${failure}`;
  const { result } = run;
  const ratio = ratioOf(result);
  const optimal = ratio === null ? null : againstOptimum(ratio).replace("= optimum", "optimal");
  const parts = ["path found", `cost ${cost(result.cost)}`, optimal, `${count(result.expanded)} expanded`];
  return `${name}: ${parts.filter(Boolean).join(", ")}`;
}

/** What units do for moments at a time: too often to be announced. */
const FLEETING = ["walking", "waiting", "evading", "recorded"];

/** Announces where units arrive and why they are stuck. */
export function mountLiveAnnouncements(app) {
  const { live, store, announce, notify } = app;
  const nameOf = (board) => (store.doc.boards.length > 1 ? `Board ${board + 1}, ${unitTitle(app, board)}` : "Unit");
  const words = (unit) => `${nameOf(unit.board)}: ${stateWords(unit)}`;
  // Of many hits the first is told; the panel counts them.
  live.on("hit", ({ board, hits: [hit, ...more] }) => {
    if (live.hits.countOf(board) === 1 + more.length) announce(`${nameOf(board)}: touched ${hitWords(hit, store.doc.scene)}, tick ${count(hit.tick)}`);
  });
  live.on("standing", (units) => {
    const news = units.filter(({ state }) => !FLEETING.includes(state));
    if (news.length > 0) announce(news.map(words).join(". "));
  });
  live.on("refused", (text) => notify(sentence(reasonOf(text))));
}

/** Announces when all units of a crowd have arrived, and what is refused. */
export function mountCrowdAnnouncements({ crowd, announce, notify }) {
  crowd.on("arrived", (units) => announce(units === 1 ? "The unit has arrived" : `All ${count(units)} units have arrived`));
  crowd.on("refused", (text) => notify(sentence(reasonOf(text))));
}

/** Announces results and breakpoints. What changes while something is dragged is told when it rests. */
export function mountAnnouncements(app) {
  const { runner, player, store } = app;
  const last = new Map();
  let timer = 0;
  const tell = () => {
    const news = runner.boards.map((run, board) => [
      board,
      run.result || run.error ? resultWords(app, board) : "",
    ]);
    const fresh = news.filter(([board, text]) => text && last.get(board) !== text);
    for (const [board, text] of fresh) last.set(board, text);
    if (fresh.length > 0) app.announce(fresh.map(([, text]) => text).join(". "));
  };
  const ended = (board) => {
    clearTimeout(timer);
    const live = runner.boards[board].request?.live;
    if (!live) last.delete(board);
    timer = setTimeout(tell, live ? QUIET : 0);
  };
  runner.on("done", ended);
  runner.on("failed", ended);
  player.on("break", ({ step, board, breakpoint }) => {
    const where = store.doc.boards.length > 1 ? `board ${board + 1}, ` : "";
    app.notify(`Paused at ${where}step ${count(step)}: ${breakpointWords(store.doc.world, breakpoint)}.`);
  });
}
