// The card of the tour: beside the middle of the boards, never in the way of the page.

import { el, fill } from "../dom.js";

/** A card at the lower left of the boards. `onclose` is called by Escape. */
export class Card {
  #follow = new ResizeObserver(() => this.#place());
  #onKey = (event) => this.#key(event);
  #onclose;

  constructor(label, onclose) {
    this.#onclose = onclose;
    this.element = el("section", { class: "tour-card", role: "dialog", "aria-label": label });
    document.body.append(this.element);
    this.#follow.observe(document.querySelector("#boards"));
    this.#follow.observe(document.documentElement);
    document.addEventListener("keydown", this.#onKey);
  }

  show(...children) {
    fill(this.element, ...children);
  }

  close() {
    this.#follow.disconnect();
    document.removeEventListener("keydown", this.#onKey);
    const inside = this.element.contains(document.activeElement);
    this.element.remove();
    if (inside) document.querySelector("#boards canvas")?.focus({ preventScroll: true });
  }

  #key(event) {
    // Whatever else is open goes first.
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (document.querySelector("dialog[open], :popover-open")) return;
    this.#onclose();
  }

  #place() {
    const boards = document.querySelector("#boards").getBoundingClientRect();
    const { style } = this.element;
    style.setProperty("--left", `${Math.max(boards.left, 0)}px`);
    style.setProperty("--width", `${boards.width}px`);
    style.setProperty("--bottom", `${Math.max(innerHeight - boards.bottom, 0)}px`);
  }
}

/** What a scene shows in the card; `moves` are `{back, next, skip}`. Returns `{children, heading, showTried}`. */
export function sceneView(scene, number, count, moves) {
  const heading = el("h2", { class: "tour-heading", tabIndex: -1 }, scene.title);
  const tick = el("span", { class: "tour-tick", "aria-hidden": "true" }, "○");
  const task = el("span", {}, scene.task);
  const tried = el("p", { class: "tour-praise", role: "status" });
  const dot = (_, index) => el("span", { class: index === number ? "dot here" : "dot" });
  const dots = Array.from({ length: count }, dot);
  const next = el("button", { type: "button", onclick: moves.next }, number + 1 < count ? "Next" : "Finish");
  const children = [
    el(
      "div",
      { class: "tour-head" },
      el("span", { class: "tour-dots", "aria-hidden": "true" }, dots),
      el("span", { class: "tour-count" }, `${number + 1} of ${count}`),
      el("button", { type: "button", class: "tour-skip", title: "End the tour (Esc)", onclick: moves.skip }, "Skip"),
    ),
    heading,
    el("div", { class: "tour-text" }, scene.text.map((paragraph) => el("p", {}, paragraph))),
    el("p", { class: "tour-task" }, tick, el("span", {}, el("strong", {}, "Try: "), task)),
    tried,
    el(
      "div",
      { class: "tour-moves" },
      el("button", { type: "button", disabled: number === 0, onclick: moves.back }, "Back"),
      next,
    ),
  ];
  const showTried = () => {
    tick.textContent = "✓";
    tick.parentElement.classList.add("tried");
    tried.textContent = `Tried. ${scene.praise}`;
    next.classList.add("primary");
  };
  return { children, heading, showTried };
}
