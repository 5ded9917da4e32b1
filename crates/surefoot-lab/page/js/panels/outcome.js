// Why there is no path, as a prominent message.

import { el, fill } from "../dom.js";
import { count } from "./figures.js";
import { onceAFrame } from "./frame.js";
import { reasonOf, sentence } from "./words.js";

/** An element that tells how the active board's search failed; hidden while it did not. */
export function outcomeOf(app, name) {
  const { runner, ui } = app;
  const element = el("div", { class: `outcome ${name}` });
  const update = () => {
    const run = runner.boards[Math.min(ui.board, runner.boards.length - 1)];
    const words = problems(run, app.about);
    element.hidden = words.length === 0;
    fill(
      element,
      words.map((text, at) => el("p", { class: at === 0 ? "first" : "" }, text)),
    );
  };
  const later = onceAFrame(update);
  for (const type of ["cleared", "began", "done", "failed", "boards"]) runner.on(type, later);
  ui.on("change", (names) => names.has("board") && later());
  update();
  return element;
}

function problems(run) {
  if (run.error) return [sentence(reasonOf(run.error))];
  const { outcome, message, region, dropped, events } = run.result ?? {};
  const words = [];
  if (outcome === "unreachable") {
    words.push(sentence(message ?? "There is no path"));
    if (region) words.push(`The board highlights the walled-in area around the ${region.of}.`);
  }
  if (outcome === "cancelled") words.push("The search was cancelled.");
  if (outcome === "limit") words.push(sentence(message ?? "The search exceeded the time limit"));
  if (dropped > 0)
    words.push(
      `Only the first ${count(events)} events were recorded. Playback ends there.`,
    );
  return words;
}
