// Windows over the page.

import { el } from "../dom.js";
import { icon } from "../icons.js";

/**
 * A modal dialog with a heading and a close button; Escape and a press beside it close it, and the focus goes back to
 * where it was. Put it into the page once and call `showModal`.
 */
export function makeDialog(title, { class: name = "" } = {}, ...children) {
  const id = `dialog-${title.toLowerCase().replaceAll(/\W+/g, "-")}`;
  const close = el("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"));
  const dialog = el(
    "dialog",
    { class: name, "aria-labelledby": id },
    el("div", { class: "head" }, el("h2", { id }, title), close),
    el("div", { class: "body" }, ...children),
  );
  // Presses on the backdrop have the dialog itself as their target.
  dialog.addEventListener("pointerdown", (event) => {
    if (event.target !== dialog) return;
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    if (x < left || x > right || y < top || y > bottom) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}
