// What to do with an empty board, said on it until someone does something.

import { FLOOR } from "../core/world.js";
import { el } from "../dom.js";

const isEmpty = (world) => world.kind === "grid" && world.cost.every((cost) => cost === FLOOR);

/** The hint, shown while the map is empty and untouched. */
export function makeHint({ store, runner }) {
  const fine = matchMedia("(pointer: fine)").matches;
  const words = fine
    ? "Paint walls with the left button · drag start and goal · press R to run"
    : "Paint walls with a finger · drag start and goal · two fingers move the map";
  const hint = el("p", { class: "board-hint" }, words);
  hint.hidden = !isEmpty(store.doc.world);
  const leave = () => (hint.hidden = true);
  store.on("fields", (names) => {
    if (names.has("world")) hint.hidden = !isEmpty(store.doc.world);
    else if (names.has("start") || names.has("goals") || names.has("links")) leave();
  });
  store.on("cells", leave);
  runner.on("began", (board) => runner.boards[board].timeline && leave());
  return hint;
}
