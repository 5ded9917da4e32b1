// Where playing stops by itself: the list, and adding to it.

import { breakpointWords } from "../announce.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { placeExample, readPlace, writePlace } from "./places.js";

const KINDS = [
  ["closed", "a cell is closed"],
  ["opened", "a cell is opened"],
  ["f", "f reaches"],
];

/** A button with the number of breakpoints, and the window that it opens. */
export function mountBreakpoints(app, element) {
  const { ui, store } = app;
  const badge = el("span", { class: "break-count" });
  const toggle = el("button", {
    type: "button",
    title: "Pause playback at chosen events",
    "aria-haspopup": "dialog",
  });
  const list = el("ul", { class: "break-list" });
  const form = breakpointForm(app);
  const close = el(
    "button",
    { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => show(false) },
    icon("close"),
  );
  const head = el("div", { class: "head" }, el("h2", { id: "breaks-title" }, "Pause playback when"), close);
  // Not modal: cells can be pointed at while it is open.
  const dialog = el(
    "dialog",
    { class: "breaks-dialog", "aria-labelledby": "breaks-title" },
    head,
    el("div", { class: "body" }, list, form.element),
  );
  const show = (open) => {
    if (open) dialog.show();
    else dialog.close();
    toggle.setAttribute("aria-expanded", `${open}`);
    if (open) form.focus();
    else toggle.focus();
  };
  toggle.addEventListener("click", () => show(!dialog.open));
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    show(false);
  });
  toggle.setAttribute("aria-expanded", "false");
  fill(element, toggle, dialog);

  const update = () => {
    const { breakpoints, brokenAt } = ui;
    const { world } = store.doc;
    badge.textContent = breakpoints.length > 0 ? `${breakpoints.length}` : "";
    fill(toggle, icon(brokenAt ? "diamondFull" : "diamond"), el("span", { class: "name" }, "Break"), badge);
    toggle.classList.toggle("hit", brokenAt !== null);
    toggle.setAttribute(
      "aria-label",
      breakpoints.length > 0 ? `Breakpoints: ${breakpoints.length}` : "Breakpoints",
    );
    const items = breakpoints.map((point) => {
      const words = breakpointWords(world, point);
      const remove = () => ui.set({ breakpoints: ui.breakpoints.filter((other) => other !== point) });
      const properties = {
        type: "button",
        class: "icon-button",
        "aria-label": `Remove: ${words}`,
        title: "Remove",
        onclick: remove,
      };
      const hit = point === brokenAt;
      return el(
        "li",
        { class: hit ? "hit" : "" },
        el("span", {}, words),
        hit && el("span", { class: "badge warn" }, "paused here"),
        el("button", properties, icon("close")),
      );
    });
    fill(list, items.length > 0 ? items : el("li", { class: "hint" }, "No breakpoints yet. Add one below."));
  };
  ui.on("change", (names) => (names.has("breakpoints") || names.has("brokenAt")) && update());
  store.on("fields", (names) => names.has("world") && update());
  update();
}

/** What to stop at: a kind, and a cell or a value. */
function breakpointForm({ ui, store }) {
  const kind = el(
    "select",
    { "aria-label": "Pause when" },
    KINDS.map(([value, text]) => el("option", { value }, text)),
  );
  const value = el("input", { type: "text", autocomplete: "off", spellcheck: false });
  const error = el("p", { class: "error", role: "alert" });
  const add = el("button", { type: "submit", class: "outlined" }, "Add");
  const element = el("form", { class: "break-form" }, kind, value, add, error);
  /** The field follows the inspected cell until it is edited. */
  let typed = false;
  const follow = () => {
    const onF = kind.value === "f";
    value.setAttribute("aria-label", onF ? "Value of f" : "Cell");
    value.placeholder = onF ? "12.5" : placeExample(store.doc.world)[0];
    const node = ui.lastInspected;
    if (!typed)
      value.value =
        onF || node < 0 || node >= store.doc.world.nodeCount ? "" : writePlace(store.doc.world.place(node));
  };
  kind.addEventListener("change", () => {
    typed = false;
    follow();
  });
  value.addEventListener("input", () => (typed = value.value !== ""));
  ui.on("change", (names) => names.has("lastInspected") && follow());
  follow();
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    const { point, wrong } = readBreakpoint(store.doc.world, kind.value, value.value);
    error.textContent = wrong ?? "";
    value.setAttribute("aria-invalid", `${Boolean(wrong)}`);
    if (!point) return;
    const same = (other) =>
      other.kind === point.kind && other.node === point.node && other.value === point.value;
    if (!ui.breakpoints.some(same)) ui.set({ breakpoints: [...ui.breakpoints, point] });
    typed = false;
    follow();
  });
  const focus = () => {
    follow();
    kind.focus();
  };
  return { element, focus };
}

function readBreakpoint(world, kind, text) {
  if (kind === "f") {
    const value = Number(text);
    return text.trim() !== "" && value >= 0
      ? { point: { kind, value } }
      : { wrong: "Enter a cost such as 12.5." };
  }
  const { place, error } = readPlace(world, text);
  return error ? { wrong: error } : { point: { kind, node: world.indexOf(place) } };
}
