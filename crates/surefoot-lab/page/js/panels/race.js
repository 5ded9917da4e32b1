// The race of two to four boards: how they are locked, how they stand, where they part.

import { firstDifference } from "../core/difference.js";
import { el, fill } from "../dom.js";
import { onceAFrame } from "./frame.js";
import { RaceTable, verdict } from "./race-table.js";
import { titleOf } from "./words.js";

const LOCKS = [
  { lock: "expansions", label: "Expansions", title: "All boards are at the same step" },
  { lock: "time", label: "Measured time", title: "A board whose search takes half the time plays twice as fast" },
];

export function mountRace(app, element) {
  const { runner, player, store, live, crowd } = app;
  const table = new RaceTable(app);
  const state = el("p", { class: "race-state" });
  const locks = lockChoice(app);
  const difference = el("button", { type: "button", onclick: () => jump.ask() }, "First difference");
  difference.title = "Jump to the first step at which the boards expand different nodes";
  const jump = new DifferenceJump(app);
  const bar = el("div", { class: "race-bar" }, locks.element, difference);
  const title = el("summary", { class: "race-title" }, el("h2", {}, "Race"), state);
  fill(element, el("details", { class: "race", open: true }, title, bar, table.element));

  const show = () => {
    const race = store.doc.boards.length > 1 && app.moving === null;
    element.hidden = !race;
    if (!race) return;
    const standing = table.update();
    const text = stateWords(app, standing);
    if (state.textContent !== text) state.textContent = text;
    state.classList.toggle("final", standing.final);
    locks.show();
  };
  const later = onceAFrame(show);
  runner.on("boards", () => {
    table.rebuild();
    later();
  });
  for (const type of ["cleared", "began", "progress", "done", "timed", "failed"]) runner.on(type, later);
  player.on("move", later);
  player.on("state", later);
  for (const moving of [live, crowd]) moving.on("state", later);
  show();
}

function stateWords({ player, runner }, standing) {
  if (standing.final) return `Final results. ${verdict(standing)}`;
  if (runner.boards.every((run) => !run.timeline)) return "Searching…";
  const step = Math.floor(player.position).toLocaleString("en");
  return `At step ${step} of ${player.length.toLocaleString("en")}.`;
}

/** The choice between the two locks, and a word while times are not known. */
function lockChoice({ player, runner }) {
  const inputs = LOCKS.map(({ lock }) =>
    el("input", { type: "radio", name: "race-lock", value: lock, onchange: () => player.set({ lock }) }),
  );
  const hint = el("span", { class: "race-hint", role: "status" });
  const labels = LOCKS.map(({ label, title }, index) => el("label", { title }, inputs[index], label));
  const element = el("fieldset", { class: "race-lock" }, el("legend", {}, "Sync by"), labels, hint);
  const show = () => {
    for (const input of inputs) input.checked = input.value === player.lock;
    const text = player.lock === "time" && !player.byTime ? missingTimes(runner) : "";
    if (hint.textContent !== text) hint.textContent = text;
  };
  return { element, show };
}

/** Why boards cannot go by time now. */
function missingTimes(runner) {
  const stopped = runner.boards.findIndex(({ result, timing }) => !timing && /cancelled|limit/.test(result?.outcome));
  if (stopped >= 0) return `Board ${stopped + 1} did not finish, so it has no time. Using expansions instead.`;
  return "Waiting for the measured times. Using expansions until then.";
}

/** Goes to the first step at which boards differ, once all their searches are there. */
class DifferenceJump {
  #app;
  #wanted = false;

  constructor(app) {
    this.#app = app;
    for (const type of ["done", "failed"]) app.runner.on(type, () => this.#wanted && this.#tryIt());
  }

  ask() {
    const { runner } = this.#app;
    this.#wanted = true;
    if (runner.boards.some((run) => !run.timeline && !run.busy)) runner.runAll({ trace: true, time: true });
    this.#tryIt();
  }

  #tryIt() {
    const { runner, player } = this.#app;
    if (runner.boards.some((run) => run.busy)) return;
    this.#wanted = false;
    const timelines = runner.boards.map((run) => run.timeline);
    if (timelines.length < 2 || timelines.some((timeline) => !timeline)) return;
    const found = firstDifference(timelines);
    player.pause();
    if (found.step === null) {
      const steps = found.steps.toLocaleString("en");
      this.#app.notify(`No difference: the boards expand the same nodes in all ${steps} steps they share.`);
      return;
    }
    if (player.lock !== "expansions") player.set({ lock: "expansions" });
    player.seek(found.step);
    this.#app.notify(this.#words(found));
  }

  #words({ step, nodes }) {
    const { store, about } = this.#app;
    const { world, boards } = store.doc;
    const place = (node) => (world.kind === "graph" ? `node ${node}` : `cell ${world.place(node).join(", ")}`);
    const parts = nodes.map((node, board) => {
      const name = `board ${board + 1} (${titleOf(about, boards[board])})`;
      return node < 0 ? `${name} has ended` : `${name} expands ${place(node)}`;
    });
    return `First difference at step ${step.toLocaleString("en")}: ${parts.join("; ")}.`;
  }
}
