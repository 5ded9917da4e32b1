// The link that shows the lab as it is now.

import { LONG_LINK, readLink, writeLink } from "../core/link.js";
import { el } from "../dom.js";
import { icon } from "../icons.js";
import { makeDialog } from "./dialog.js";
import { attempt } from "./export.js";

/** The dialog with the link; call `show` on what comes back. */
export function makeShare(app) {
  const field = el("textarea", { class: "link-text", readOnly: true, rows: 4, "aria-label": "Link", spellcheck: false });
  const status = el("p", { role: "status" });
  const note = el("p", { class: "hint" });
  const copy = el("button", { type: "button", class: "primary", onclick: copyLink }, icon("share"), "Copy link");
  const dialog = makeDialog(
    "Share",
    { class: "share" },
    el("p", {}, "Anyone who opens this link with the lab running sees the same map, settings and step."),
    field,
    el("div", { class: "buttons" }, copy, status),
    note,
  );

  async function copyLink() {
    try {
      await navigator.clipboard.writeText(field.value);
      status.textContent = "✓ Copied";
    } catch {
      status.textContent = "Press Ctrl+C (⌘C) to copy the selected link.";
    }
    field.focus();
    field.select();
    field.scrollTop = 0;
  }

  return {
    show: () =>
      attempt(app, async () => {
        const fragment = await writeLink(app);
        const { origin, pathname } = location;
        field.value = `${origin}${pathname}${fragment}`;
        const length = field.value.length;
        const figure = `${length.toLocaleString("en")} characters.`;
        const long = `${figure} Some programs and browsers cut off links longer than ${LONG_LINK.toLocaleString("en")} characters. For a map of this size, exporting is safer.`;
        note.textContent = length > LONG_LINK ? long : figure;
        note.classList.toggle("error", length > LONG_LINK);
        status.textContent = "";
        dialog.showModal();
        await copyLink();
      }),
  };
}

/** Opens the link in the address whenever the address changes. Undo restores the previous state. */
export function followAddress(app) {
  addEventListener("hashchange", () =>
    attempt(app, async () => {
      const linked = await readLink(location.hash, app.about);
      if (!linked) return;
      app.player.pause();
      app.player.seek(0);
      app.ui.set({ board: 0, cursor: -1, hovered: -1, selected: null, draft: null });
      app.store.change("open link", linked.doc);
      app.fit();
      linked.restore(app);
      app.announce("Link opened");
    }),
  );
}
