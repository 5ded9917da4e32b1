// The line above a board: its algorithm, what that guarantees, and the buttons of the board.

import { stateWords } from "../core/live-unit.js";
import { el, fill } from "../dom.js";
import { percent } from "./figures.js";
import { badgeWords, optionWords, titleOf, unitTitle } from "./words.js";

/** Fills the header of a board. It follows the document until the board is gone, or what is given back is called. */
export function mountBoardHeader(app, index, element) {
  const { about, runner, store, ui, actions, live, crowd } = app;
  const name = el("span", { class: "board-name" });
  const badge = el("span", { class: "promise" });
  const state = el("span", { class: "unit-state", hidden: true });
  const cancel = el("button", { class: "board-cancel", type: "button" }, "Cancel");
  cancel.setAttribute("aria-label", `Cancel the search on board ${index + 1}`);
  cancel.addEventListener("click", () => runner.cancel(index));
  const spinner = el("span", { class: "spinner", "aria-hidden": "true" });
  const bar = el("progress", { class: "board-progress", max: 1, "aria-label": `Preparing the map for board ${index + 1}` });
  const preparing = el("span", { class: "board-preparing" });
  const busy = el("span", { class: "board-busy", hidden: true }, spinner, bar, preparing, cancel);
  const choose = el("button", { class: "board-choose", type: "button", onclick: () => ui.set({ board: index }) });
  const remove = el(
    "button",
    { class: "board-remove", type: "button", "aria-label": `Remove board ${index + 1}`, title: "Remove this board" },
    el("span", { "aria-hidden": "true" }, "×"),
  );
  remove.addEventListener("click", (event) => {
    event.stopPropagation();
    actions.removeBoard(index);
    // The last board's button goes with its board.
    if (!remove.isConnected || remove.hidden) document.querySelector("#boards canvas")?.focus();
  });
  element.addEventListener("click", () => ui.set({ board: index }));
  fill(element, choose, badge, state, busy, remove);

  const showSettings = () => {
    const settings = store.doc.boards[index];
    const race = store.doc.boards.length > 1;
    const words = crowd.active ? [] : optionWords(about, settings, store.doc.world.kind);
    const title = crowd.active ? "Crowd" : live.active ? unitTitle(app, index) : titleOf(about, settings);
    fill(
      name,
      el("strong", {}, title),
      words.map((word) => el("span", { class: "option" }, ` · ${word}`)),
    );
    name.title = [title, ...words].join(" · ");
    // One board needs no choosing: its name is plain text.
    if (race) {
      fill(choose, el("span", { class: "board-number" }, `${index + 1}`), name);
      if (!choose.isConnected) element.prepend(choose);
    } else {
      choose.remove();
      element.prepend(name);
    }
    choose.setAttribute("aria-label", `Board ${index + 1}: ${name.title}`);
    remove.hidden = !race;
    showChoice();
  };

  const showChoice = () => {
    const race = store.doc.boards.length > 1;
    choose.setAttribute("aria-pressed", `${ui.board === index}`);
    element.classList.toggle("chosen", race && ui.board === index);
    element.classList.toggle("in-race", race);
    element.parentElement?.classList.toggle("chosen", race && ui.board === index);
  };

  const showRun = () => {
    const run = runner.boards[index];
    busy.hidden = !run.busy;
    showProgress(run.busy ? run.preparing : null);
    const { kind, symbol, text, reason } = badgeWords(run);
    if (badge.dataset.kind === kind && badge.title === reason) return;
    badge.dataset.kind = kind;
    badge.title = reason;
    badge.hidden = kind === "unknown";
    fill(
      badge,
      el("span", { "aria-hidden": "true" }, `${symbol} `),
      kind === "within" && el("span", { class: "visually-hidden" }, "within "),
      el("span", { class: "promise-text" }, text),
      el("span", { class: "visually-hidden" }, `. ${reason}`),
    );
  };

  const showUnit = () => {
    const unit = live.units[index];
    state.hidden = !unit;
    element.style.setProperty("--board-colour", unit ? `var(--board-${index + 1})` : "");
    element.classList.toggle("walks", Boolean(unit));
    if (!unit) return;
    const words = stateWords(unit);
    if (state.textContent === words) return;
    state.dataset.state = unit.state;
    state.textContent = state.title = words;
  };

  const showProgress = (share) => {
    bar.hidden = preparing.hidden = share === null;
    spinner.hidden = share !== null;
    if (share === null) return;
    bar.value = share;
    preparing.textContent = `preparing ${percent(share)}`;
  };

  const ends = [];
  ends.push(
    runner.on("boards", () => {
      if (index >= store.doc.boards.length) ends.forEach((end) => end());
      else showSettings();
    }),
    store.on("fields", (names) => names.has("world") && index < store.doc.boards.length && showSettings()),
    ui.on("change", (names) => names.has("board") && showChoice()),
    crowd.on("state", () => index < store.doc.boards.length && showSettings()),
    live.on("ticked", showUnit),
    live.on("state", () => {
      showUnit();
      if (index < store.doc.boards.length) showSettings();
    }),
    ...["preparing", "cleared", "began", "done", "failed"].map((type) => runner.on(type, (board) => board === index && showRun())),
  );
  showSettings();
  showRun();
  showUnit();
  return () => ends.forEach((end) => end());
}
