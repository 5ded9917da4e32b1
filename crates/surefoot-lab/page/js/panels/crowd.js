// The settings of a crowd: the group in hand, how many units there are, what leads them and how they avoid each other.

import { groupColour } from "../board/crowd-layer.js";
import { GROUPS } from "../core/crowd.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { CROWD_TOOLS } from "../tools/crowd-tools.js";
import { numberAndRange } from "./brush.js";
import { onceAFrame } from "./frame.js";

const TOOLS = [
  { tool: "spawn", name: "Units", title: "Click to place a unit, drag to place many (middle button)" },
  { tool: "send", name: "Goal", title: "Click to send the group (right button)" },
];
const AVOIDANCES = [
  ["orca", "ORCA"],
  ["reserve", "Reserved cells"],
  ["none", "None"],
];
/** Radii of new units, in cells. */
const RADII = [
  [0.25, "0.25 cells"],
  [0.4, "0.4 cells"],
  [0.9, "0.9 cells"],
  [1.4, "1.4 cells"],
];

/** Fills the section of crowds; `section` is shown while there is one. */
export function mountCrowd(app, element, section) {
  const { crowd, ui, about } = app;
  const updates = [];
  const groups = Array.from({ length: GROUPS }, (_, group) => {
    const name = `Group ${group + 1}`;
    const button = el("button", { type: "button", class: "group", title: name, "aria-label": name, onclick: () => crowd.set({ group }) });
    button.style.setProperty("--group", `var(--${groupColour(group)})`);
    updates.push(() => button.setAttribute("aria-pressed", `${crowd.group === group}`));
    return button;
  });
  const tools = TOOLS.map(({ tool, name, title }) => {
    const button = el("button", { type: "button", title, onclick: () => ui.set({ tool }) }, icon(tool), el("span", { class: "name" }, name));
    updates.push(() => button.setAttribute("aria-pressed", `${ui.tool === tool}`));
    return button;
  });
  const count = numberAndRange("Units", 0, about.limits.crowd, (value) => crowd.setCount(value));
  count.row.title = "Units join at free cells, chosen by chance";
  updates.push(() => count.show(crowd.count));
  const avoidance = choice("Avoidance", AVOIDANCES, (avoidance) => crowd.set({ avoidance }));
  const radius = choice("Radius", RADII, (radius) => crowd.set({ radius: Number(radius) }));
  radius.row.title = "The radius of new units";
  updates.push(() => avoidance.show(crowd.avoidance), () => radius.show(crowd.radius));
  const jams = check("Resolve jams", "Units that block each other are moved by a common plan", (jams) => crowd.set({ jams }));
  const waits = check("Show waiting time", "Shades cells by how long units have waited there", (waits) => ui.set({ waits }));
  updates.push(() => jams.show(crowd.jams), () => waits.show(ui.waits), () => (jams.row.hidden = crowd.avoidance !== "orca"));
  const clear = el(
    "button",
    { type: "button", class: "outlined", title: "Remove all units and goals", onclick: () => crowd.clear() },
    icon("remove"),
    "Remove all",
  );
  fill(
    element,
    el("div", { class: "groups", role: "group", "aria-label": "Group" }, groups),
    el("div", { class: "marks", role: "group", "aria-label": "Crowd tools" }, tools),
    count.row,
    radius.row,
    avoidance.row,
    jams.row,
    waits.row,
    clear,
  );

  const update = () => {
    section.hidden = !crowd.active;
    if (crowd.active) updates.forEach((each) => each());
  };
  let wasActive = false;
  crowd.on("state", () => {
    if (crowd.active !== wasActive) takeTools(app);
    wasActive = crowd.active;
  });
  const later = onceAFrame(update);
  crowd.on("state", later);
  crowd.on("told", later);
  ui.on("change", (names) => (names.has("tool") || names.has("waits")) && later());
  update();
}

/** A crowd begins with the tool for its units, and takes its tools along. The places of searches cannot be moved meanwhile. */
function takeTools({ crowd, ui }) {
  document.body.dataset.crowd = crowd.active;
  if (crowd.active) ui.set({ tool: "spawn" });
  else if (CROWD_TOOLS.includes(ui.tool)) ui.set({ tool: "brush" });
}

function choice(title, options, act) {
  const id = `crowd-${title.toLowerCase()}`;
  const select = el("select", { id, onchange: () => act(select.value) });
  fill(select, options.map(([value, text]) => el("option", { value }, text)));
  const row = el("div", { class: "row" }, el("label", { for: id }, title), select);
  return { row, show: (value) => (select.value = `${value}`) };
}

function check(text, title, act) {
  const box = el("input", { type: "checkbox", onchange: () => act(box.checked) });
  return { row: el("label", { class: "check", title }, box, text), show: (on) => (box.checked = on) };
}
