// The parts of the playback bar that belong to units that walk, alone or in a crowd.

import { stateName, stateWords } from "../core/live-unit.js";
import { el } from "../dom.js";
import { count, time } from "./figures.js";

const TICKS_PER_SECOND = 60;

/** The button that switches between searches and units. Where units cannot walk it says why. */
export function liveSwitch({ live, actions, store, ui }) {
  const button = el("button", { type: "button", class: "outlined live-switch", onclick: () => actions.toggleLive() }, "Live");
  const update = () => {
    const why = store.doc.world.kind === "graph" ? live.obstacle : null;
    button.disabled = why !== null || !ui.connected;
    button.title = why ?? "Units move on the boards while the map changes (V)";
    button.setAttribute("aria-pressed", `${live.active}`);
  };
  live.on("state", update);
  store.on("fields", update);
  ui.on("change", (names) => names.has("connected") && update());
  update();
  return button;
}

/** How the units stand: "12.4 s · 2 walking, 1 arrived". */
export function liveStatus({ live }) {
  const element = el("p", { class: "live-status" });
  const show = () => {
    element.hidden = !live.active;
    const seconds = (live.tick / TICKS_PER_SECOND).toFixed(1);
    element.textContent = `${seconds} s · ${standing(live.units)}`;
  };
  return { element, show };
}

/** The button that switches between searches and a crowd. */
export function crowdSwitch({ crowd, actions, store, ui }) {
  const button = el("button", { type: "button", class: "outlined live-switch", onclick: () => actions.toggleCrowd() }, "Crowd");
  const update = () => {
    const why = crowd.obstacle;
    button.disabled = why !== null || !ui.connected;
    button.title = why ?? "Many units walk on the map, avoid each other and resolve their jams (U)";
    button.setAttribute("aria-pressed", `${crowd.active}`);
  };
  crowd.on("state", update);
  store.on("fields", update);
  ui.on("change", (names) => names.has("connected") && update());
  update();
  return button;
}

/** How the crowd stands: "12.4 s · 480 units, 168 arrived · 2.1 ms/tick"; without units, what to do. */
export function crowdStatus({ crowd }) {
  const element = el("p", { class: "live-status crowd-status" });
  const show = () => {
    element.hidden = !crowd.active;
    if (!crowd.active) return;
    if (crowd.count === 0) {
      const isFine = matchMedia("(pointer: fine)").matches;
      element.textContent = isFine ? "Drag to place units, right-click to send them" : "Drag to place units, hold to send them";
      return;
    }
    const seconds = (crowd.tick / TICKS_PER_SECOND).toFixed(1);
    const words = [`${seconds} s`, `${count(crowd.count)} ${crowd.count === 1 ? "unit" : "units"}, ${count(crowd.figures?.arrived ?? 0)} arrived`];
    const figures = crowd.frames.figuresOf(0);
    if (figures) words.push(`${time(figures.mean[0])}/tick`);
    element.textContent = words.join(" · ");
  };
  return { element, show };
}

function standing(units) {
  if (units.length === 1) return stateWords(units[0]);
  const states = ["walking", "flying", "waiting", "evading", "arrived", "stuck"];
  const counts = states.map((state) => [state, units.filter((unit) => stateName(unit) === state).length]);
  return counts.filter(([, units]) => units > 0).map(([state, units]) => `${count(units)} ${state}`).join(", ");
}
