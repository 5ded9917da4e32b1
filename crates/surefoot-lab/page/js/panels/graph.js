// The tools panel for waypoint graphs: tools, what new edges are, and what is selected.

import { MOST_COST, changeEdge, edgeLength, moveNode } from "../core/graph-edit.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { GRAPH_KEYS } from "../tools/graph-keys.js";
import { GRAPH_TOOLS, eraseEdge, eraseNode } from "../tools/graph-tools.js";
import { newGraph } from "./new-map.js";

const TOOLS = [
  { tool: "node", title: "Node", hint: "Click to place a node, drag to move it. Click an edge to select it. Right-click or touch and hold to remove." },
  { tool: "edge", title: "Edge", hint: "Drag from node to node, or to an empty spot to add a node there. Hold Shift for a one-way edge." },
  { tool: "start", title: "Start", hint: "Click a node or drag across nodes. The path updates as you drag." },
  { tool: "goal", title: "Goal", hint: "Click a node or drag across nodes. The path updates as you drag. Shift-click to add or remove a goal." },
];

/** Fills the tools section while the world is a graph. */
export function mountGraphTools(app, element) {
  const { ui, store } = app;
  const buttons = TOOLS.map(({ tool, title }) =>
    el("button", { type: "button", class: "outlined", onclick: () => ui.set({ tool }), "data-tool": tool }, icon(tool), title),
  );
  const hint = el("p", { class: "hint" });
  const oneWay = el("input", { type: "checkbox", onchange: () => ui.set({ oneWay: oneWay.checked }) });
  const kind = kindSelect((value) => ui.set({ edgeKind: value }));
  const edges = el(
    "div",
    { role: "group", "aria-label": "New edges" },
    el("label", { class: "row" }, el("span", { class: "label" }, "New edges"), kind),
    el("label", { class: "check" }, oneWay, "One-way"),
  );
  const selection = el("div", { class: "selection", role: "group", "aria-label": "Selected" });
  const keys = el("dl", { class: "keys" }, GRAPH_KEYS.flatMap(([key, text]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)]));
  element.classList.add("graph-tools");
  fill(
    element,
    el("div", { class: "pair", role: "group", "aria-label": "Graph tools" }, buttons),
    hint,
    edges,
    selection,
    el("button", { type: "button", class: "outlined", onclick: () => newGraph(app) }, icon("newMap"), "New graph"),
    keys,
  );

  function show() {
    const isGraph = store.doc.world.kind === "graph";
    const tool = toolFor(isGraph, ui.tool);
    if (tool !== ui.tool) return ui.set({ tool });
    if (!isGraph) return;
    for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.tool === ui.tool);
    hint.textContent = hintFor(store.doc, ui.tool);
    edges.hidden = ui.tool !== "edge";
    oneWay.checked = ui.oneWay;
    kind.value = ui.edgeKind;
    showSelection(app, selection);
  }
  ui.on("change", (names) => ["tool", "oneWay", "edgeKind", "selected"].some((name) => names.has(name)) && show());
  store.on("fields", (names) => {
    if (!names.has("world") && !names.has("start") && !names.has("goals")) return;
    if (!isThere(store.doc.world, ui.selected)) ui.set({ selected: null });
    show();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.querySelector("dialog:modal")) ui.set({ draft: null, selected: null });
  });
  show();
}

/** A tool that does not exist for this world is replaced by the first one. */
function toolFor(isGraph, tool) {
  if (isGraph) return GRAPH_TOOLS.includes(tool) ? tool : "node";
  return tool === "node" || tool === "edge" ? "brush" : tool;
}

function isThere(world, selected) {
  if (!selected) return true;
  return selected.index < ((selected.kind === "edge" ? world.edges?.length : world.kind === "graph" && world.nodeCount) || 0);
}

function hintFor({ world, start, goals }, tool) {
  if (world.nodeCount === 0) return "Click the board to place the first node, which becomes the start. The second becomes the goal.";
  if (world.nodeCount === 1) return "Place a second node, then connect the two with the Edge tool.";
  if (world.edges.length === 0) return "Choose Edge and drag from one node to another.";
  if (start === null) return "There is no start. Choose Start and click a node.";
  if (goals.length === 0) return "There is no goal. Choose Goal and click a node.";
  return TOOLS.find((known) => known.tool === tool).hint;
}

function kindSelect(choose) {
  const options = [el("option", { value: "road" }, "Road"), el("option", { value: "link" }, "Link")];
  const select = el("select", { onchange: () => choose(select.value), "aria-label": "Edge kind" }, options);
  return select;
}

/** Shows the selected node or edge. The focused field is not changed. */
function showSelection(app, element) {
  const { selected } = app.ui;
  element.hidden = !selected;
  if (!selected || element.contains(document.activeElement)) return refresh(app, element);
  fill(element, selected.kind === "node" ? nodeFields(app, selected.index) : edgeFields(app, selected.index));
  refresh(app, element);
}

/** Brings values up to date. */
function refresh(app, element) {
  const { selected } = app.ui;
  if (!selected) return fill(element);
  const { world } = app.store.doc;
  for (const input of element.querySelectorAll("[data-value]")) {
    if (input === document.activeElement) continue;
    const value = VALUES[input.dataset.value](world, selected.index);
    if (input.type === "checkbox") input.checked = value;
    else input.value = value;
  }
  for (const text of element.querySelectorAll("[data-text]")) text.textContent = TEXTS[text.dataset.text](world, selected.index);
}

const VALUES = {
  x: (world, node) => world.nodes[node][0],
  y: (world, node) => world.nodes[node][1],
  cost: (world, edge) => world.edges[edge].cost ?? "",
  oneWay: (world, edge) => !world.edges[edge].two_way,
  kind: (world, edge) => world.edges[edge].kind,
};
const TEXTS = {
  node: (_, node) => `Node ${node}`,
  edge: (world, edge) => {
    const { from, to, two_way } = world.edges[edge];
    return `Edge ${from} ${two_way ? "–" : "→"} ${to}`;
  },
  length: (world, edge) => `Length ${Number(edgeLength(world, world.edges[edge]).toFixed(2))}. A road without a cost costs its length.`,
};

function nodeFields(app, node) {
  const { store, actions } = app;
  const coordinate = (name, axis) =>
    numberRow(name, name, {}, (value) => {
      const [x, y] = store.doc.world.nodes[node].with(axis, value);
      store.change("move node", moveNode(store.doc, node, x, y));
    });
  return [
    el("h3", { "data-text": "node" }),
    coordinate("x", 0),
    coordinate("y", 1),
    el(
      "div",
      { class: "buttons" },
      el("button", { type: "button", class: "small outlined", onclick: () => actions.setStart(node) }, "Set as start"),
      el("button", { type: "button", class: "small outlined", onclick: () => actions.toggleGoal(node) }, "Toggle goal"),
      el("button", { type: "button", class: "small outlined", onclick: () => eraseNode(app, node) }, icon("remove"), "Remove"),
    ),
  ];
}

function edgeFields(app, edge) {
  const { store } = app;
  const change = (properties) => store.change("change edge", changeEdge(store.doc, edge, properties));
  const oneWay = el("input", { type: "checkbox", "data-value": "oneWay", onchange: () => change({ two_way: !oneWay.checked }) });
  const kind = kindSelect((value) => change({ kind: value }));
  kind.dataset.value = "kind";
  const swap = () => {
    const { from, to } = store.doc.world.edges[edge];
    change({ from: to, to: from });
  };
  return [
    el("h3", { "data-text": "edge" }),
    numberRow("Cost", "cost", { min: 0.001, max: MOST_COST, placeholder: "length" }, (value) => change({ cost: value }), true),
    el("label", { class: "row" }, el("span", { class: "label" }, "Kind"), kind),
    el("label", { class: "check" }, oneWay, "One-way"),
    el(
      "div",
      { class: "buttons" },
      el("button", { type: "button", class: "small outlined", onclick: swap }, icon("swap"), "Reverse"),
      el("button", { type: "button", class: "small outlined", onclick: () => eraseEdge(app, edge) }, icon("remove"), "Remove"),
    ),
    el("p", { class: "hint", "data-text": "length" }),
  ];
}

/** A named field for a number that is taken when it is right; empty is null if that is allowed. */
function numberRow(name, value, limits, take, optional = false) {
  const input = el("input", { type: "number", step: "any", ...limits, required: !optional, "data-value": value, "aria-label": name });
  input.addEventListener("change", () => {
    const valid = input.checkValidity();
    input.setAttribute("aria-invalid", !valid);
    if (valid) take(input.value === "" ? null : input.valueAsNumber);
  });
  return el("label", { class: "row" }, el("span", { class: "label" }, name), input);
}
