// Figures with their names.

import { el } from "../dom.js";

/** Figures beside each other under their names, each `[name, title]`. */
export function figures(names) {
  const values = names.map(() => el("dd", {}));
  const pairs = names.map(([name, title], at) => el("div", { title }, el("dt", {}, name), values[at]));
  const element = el("dl", { class: "sums" }, pairs);
  return { element, show: (texts) => texts.forEach((text, at) => (values[at].textContent = text)) };
}

/** Figures below each other beside their names. */
export function list(names) {
  const values = names.map(() => el("dd", {}));
  const element = el(
    "dl",
    { class: "figures" },
    names.flatMap(([name, title], at) => [el("dt", { title }, name), values[at]]),
  );
  return { element, show: (texts) => texts.forEach((text, at) => (values[at].textContent = text)) };
}
