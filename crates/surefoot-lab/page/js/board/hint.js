// Instructions on an empty board, shown until it is edited.

import { FLOOR } from "../core/world.js";
import { el } from "../dom.js";

const isEmpty = (world) => world.kind !== "graph" && world.cost.every((cost) => cost === FLOOR);

/** What to say, for a mouse and for fingers. */
const WORDS = {
  grid: [
    "Paint walls with the left button · drag the start or the goal · press R to run",
    "Paint walls with a finger · drag the start or the goal · pan with two fingers",
  ],
  voxel: [
    "Drag to rotate the view · drag the start or the goal · paint in the slice editor · press R to run",
    "Drag to rotate the view · drag the start or the goal · paint in the slice editor, under Tools",
  ],
};

/** The hint, shown while the map is empty and untouched. */
export function makeHint({ store, runner, crowd }) {
  const hint = el("p", { class: "board-hint" });
  const update = () => {
    const { world } = store.doc;
    hint.hidden = !isEmpty(world);
    if (!hint.hidden) hint.textContent = WORDS[world.kind][matchMedia("(pointer: fine)").matches ? 0 : 1];
  };
  update();
  const leave = () => (hint.hidden = true);
  store.on("fields", (names) => {
    if (names.has("world")) update();
    else if (names.has("start") || names.has("goals") || names.has("links")) leave();
  });
  store.on("cells", leave);
  crowd.on("state", () => crowd.active && leave());
  runner.on("began", (board) => runner.boards[board].timeline && leave());
  return hint;
}
