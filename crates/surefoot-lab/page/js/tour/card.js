// The card of the tour: part of the page between boards and playback, so that it covers nothing.

import { $, el, fill } from "../dom.js";

/** A card that `place(element)` puts into the page. `onclose` is called by Escape. */
export class Card {
  #onKey = (event) => this.#key(event);
  #onclose;

  constructor(name, place, onclose) {
    this.#onclose = onclose;
    this.element = el("section", { class: name, role: "dialog", "aria-label": "Tour" });
    place(this.element);
    document.addEventListener("keydown", this.#onKey);
  }

  show(...children) {
    fill(this.element, ...children);
  }

  close() {
    document.removeEventListener("keydown", this.#onKey);
    const inside = this.element.contains(document.activeElement);
    this.element.remove();
    if (inside) $("#boards canvas")?.focus({ preventScroll: true });
  }

  #key(event) {
    // Whatever else is open goes first.
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (document.querySelector("dialog[open], :popover-open")) return;
    this.#onclose();
  }
}

/** What a scene shows in the card; `moves` are `{back, next, skip}`. Returns `{children, heading, showTried}`. */
export function sceneView(scene, number, count, moves) {
  const heading = el("h2", { class: "tour-heading", tabIndex: -1 }, scene.title);
  const tick = el("span", { class: "tour-tick", "aria-hidden": "true" }, "○");
  const tried = el("p", { class: "tour-praise", role: "status" });
  const dot = (_, index) => el("span", { class: index === number ? "dot here" : "dot" });
  const dots = Array.from({ length: count }, dot);
  const next = el("button", { type: "button", onclick: moves.next }, number + 1 < count ? "Next" : "Finish");
  const words = scene.text.map((paragraph) => el("p", {}, paragraph));
  const children = [
    el(
      "div",
      { class: "tour-words" },
      el("div", { class: "tour-head" }, heading, el("span", { class: "tour-count" }, `${number + 1} of ${count}`)),
      el("div", { class: "tour-text" }, words),
    ),
    el(
      "div",
      { class: "tour-try" },
      el("p", { class: "tour-task" }, tick, el("span", {}, el("strong", {}, "Try: "), scene.task)),
      tried,
    ),
    el(
      "div",
      { class: "tour-moves" },
      el("button", { type: "button", class: "tour-skip", title: "End the tour (Esc)", onclick: moves.skip }, "Skip"),
      el("span", { class: "tour-dots", "aria-hidden": "true" }, dots),
      el("button", { type: "button", disabled: number === 0, onclick: moves.back }, "Back"),
      next,
    ),
  ];
  const showTried = () => {
    tick.textContent = "✓";
    tick.parentElement.classList.add("tried");
    tried.textContent = `Done. ${scene.praise}`;
    next.classList.add("primary");
  };
  return { children, heading, showTried };
}
