// New maps: empty ones of any size, and generated ones from a seed.

import { el } from "../dom.js";
import { capitalised } from "../format.js";
import { icon } from "../icons.js";
import { makeDialog } from "./dialog.js";
import { attempt } from "./export.js";
import { sentence } from "./words.js";

const SIZES = [10, 50, 100];
const SPACE = [32, 32, 16];
/** The kind that is selected at first. */
const FIRST_KIND = "maze";
/** Seeds are integers that fit 32 bits. */
const MOST_SEED = 2 ** 32 - 1;

/** A random seed. */
export const freshSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;

/** The dialog for new maps; call `show` on what comes back. */
export function makeNewMap(app) {
  const { limits, kinds } = app.about;
  const dialog = makeDialog("New map", { class: "new-map" });
  const done = (action) => {
    dialog.close();
    attempt(app, action);
  };
  const forms = [emptyForm(app, limits, done), generateForm(app, limits, kinds, done)];
  dialog.querySelector(".body").append(...forms.map((form) => form.element));
  return {
    show() {
      for (const form of forms) form.refresh();
      dialog.showModal();
    },
  };
}

/** A labelled field for a whole number. */
function numberField(label, value, least, most) {
  const input = el("input", { type: "number", value, min: least, max: most, step: 1, required: true, inputMode: "numeric" });
  return { input, element: el("label", { class: "field" }, el("span", {}, label), input) };
}

/** Width and height, checked together. */
function sizeFields(limits, error) {
  const width = numberField("Width", 50, 1, limits.side);
  const height = numberField("Height", 50, 1, limits.side);
  const inputs = [width.input, height.input];
  const read = () => {
    for (const input of inputs) input.setAttribute("aria-invalid", !input.checkValidity());
    const [across, down] = inputs.map((input) => input.valueAsNumber);
    const wrong = inputs.find((input) => !input.checkValidity());
    error.textContent = wrong ? `Width and height must be whole numbers from 1 to ${limits.side}.` : "";
    if (!wrong && across * down > limits.cells) {
      error.textContent = `A map of ${across} × ${down} cells is too large. The limit is ${limits.cells.toLocaleString("en")} cells.`;
    }
    if (error.textContent) (wrong ?? width.input).focus();
    return error.textContent ? null : [across, down];
  };
  for (const input of inputs) input.addEventListener("input", () => input.removeAttribute("aria-invalid"));
  return { elements: [width.element, height.element], inputs, read };
}

function sizeOf({ world }) {
  return world.kind === "grid" ? [world.width, world.height] : [50, 50];
}

function emptyForm(app, limits, done) {
  const error = el("p", { class: "error", role: "alert" });
  const size = sizeFields(limits, error);
  const make = (width, height) =>
    done(() => {
      app.actions.newMap(width, height);
      app.announce(`New map, ${width} × ${height}`);
    });
  const quick = SIZES.map((side) =>
    el("button", { type: "button", class: "outlined", onclick: () => make(side, side) }, `${side} × ${side}`),
  );
  const space = el("button", { type: "button", class: "outlined", onclick: () => done(() => app.actions.newSpace(SPACE)) }, "Empty 3D world");
  const graph = el("button", { type: "button", class: "outlined", onclick: () => done(() => newGraph(app)) }, "Empty graph");
  const element = el(
    "form",
    { class: "section", noValidate: true, "aria-label": "Empty map", onsubmit },
    el("h3", { class: "heading" }, "Empty"),
    el("div", { class: "buttons" }, quick, space, graph),
    el("div", { class: "fields" }, size.elements, el("button", { class: "primary" }, "Create")),
    error,
  );
  function onsubmit(event) {
    event.preventDefault();
    const read = size.read();
    if (read) make(...read);
  }
  return { element, refresh: () => sizeOf(app.store.doc).forEach((value, i) => (size.inputs[i].value = value)) };
}

function generateForm(app, limits, kinds, done) {
  const error = el("p", { class: "error", role: "alert" });
  const size = sizeFields(limits, error);
  const options = kinds.map(({ name }) => el("option", { value: name }, capitalised(name)));
  const kind = el("select", {}, options);
  const about = el("p", { class: "hint" });
  const seed = numberField("Seed", freshSeed(), 0, MOST_SEED);
  const dice = el("button", { type: "button", class: "icon-button outlined", "aria-label": "New seed", title: "New seed" }, icon("dice"));
  dice.addEventListener("click", () => (seed.input.value = freshSeed()));
  const describe = () => (about.textContent = sentence(kinds.find(({ name }) => name === kind.value).summary));
  if (kinds.some(({ name }) => name === FIRST_KIND)) kind.value = FIRST_KIND;
  kind.addEventListener("change", describe);
  const element = el(
    "form",
    { class: "section", noValidate: true, "aria-label": "Generated map", onsubmit },
    el("h3", { class: "heading" }, "Generate"),
    el("label", { class: "field" }, el("span", {}, "Kind"), kind),
    about,
    el("div", { class: "fields" }, size.elements, seed.element, dice, el("button", { class: "primary" }, "Generate")),
    error,
    el("p", { class: "hint" }, "The same kind, size and seed always give the same map."),
  );
  function onsubmit(event) {
    event.preventDefault();
    const read = size.read();
    const valid = seed.input.checkValidity();
    seed.input.setAttribute("aria-invalid", !valid);
    if (read && !valid) error.textContent = `The seed must be a whole number from 0 to ${MOST_SEED}.`;
    if (!read || !valid) return;
    const number = seed.input.valueAsNumber;
    done(async () => {
      await app.actions.generate(kind.value, ...read, number);
      app.announce(`${capitalised(kind.value)}, ${read.join(" × ")}, seed ${number}`);
    });
  }
  return {
    element,
    /** Shows what was generated last, wherever it was started. */
    refresh() {
      const last = app.ui.generated;
      if (last) [kind.value, seed.input.value] = [last.kind, last.seed];
      const sides = last ? [last.width, last.height] : sizeOf(app.store.doc);
      sides.forEach((value, i) => (size.inputs[i].value = value));
      describe();
    },
  };
}

/** An empty graph to draw in. */
export function newGraph(app) {
  const world = { kind: "graph", nodes: [], edges: [] };
  app.actions.showScene({ title: "new graph", world, start: null, goals: [] });
}
