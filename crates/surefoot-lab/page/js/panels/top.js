// The top bar: world, maps, undo, tour, help, theme. And what holds for the whole page: the theme, folded
// panels, the connection.

import { writeWorld } from "../core/world.js";
import { $, el, fill } from "../dom.js";
import { showHelp } from "../help.js";
import { icon } from "../icons.js";
import { mountMaps } from "./maps.js";

/** What each kind of world begins with. */
const FIRST = { grid: "terrain", graph: "towns", voxel: "pillars" };
const THEMES = { auto: "theme", light: "light", dark: "dark" };
const NEXT_THEME = { auto: "light", light: "dark", dark: "auto" };
const SHEETS = { tools: "Tools", algorithm: "Algorithm", facts: "Details", log: "Log" };

/** Fills the top bar. */
export function mountTop(app, element) {
  const maps = el("div", { class: "top-maps" });
  const tour = el("button", { type: "button", class: "top-tour", onclick: () => app.tour?.start() }, "Tour");
  fill(
    element,
    foldButton(app, "tools", "panelLeft", "tools panel"),
    brand(),
    worldSwitch(app),
    mapsToggle(maps),
    maps,
    el("div", { class: "top-gap" }),
    historyButtons(app),
    tour,
    iconButton("Help", "?", "Help and keyboard shortcuts (?)", () => showHelp(app)),
    themeButton(app),
    foldButton(app, "facts", "panelRight", "details panel"),
  );
  mountMaps(app, maps);
  mountTabs(app, $("#tabs"));
  mountBanner(app, $("#banner"));
  mountSkip(app, $(".skip"));
}

/** The skip link leads to the board; the address is left alone, for it holds shared maps. */
function mountSkip(app, link) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    app.boards.views[app.ui.board].canvas.focus();
  });
}

function brand() {
  const picture = el("img", { src: "icon.svg", alt: "", width: 24, height: 24 });
  return el("h1", { class: "brand" }, picture, el("span", {}, "Surefoot lab"));
}

function iconButton(name, content, title, act) {
  const properties = { type: "button", class: "icon-button", title, "aria-label": name, onclick: act };
  return el("button", properties, content);
}

/** On the narrowest screens the buttons about maps are in a menu. */
function mapsToggle(maps) {
  const toggle = iconButton("Maps", icon("gallery"), "Maps: gallery, new, open, export and share", () =>
    show(!isShown()),
  );
  toggle.classList.add("maps-toggle");
  const isShown = () => document.body.dataset.maps === "shown";
  const show = (shown) => {
    document.body.dataset.maps = shown ? "shown" : "hidden";
    toggle.setAttribute("aria-expanded", `${shown}`);
  };
  show(false);
  addEventListener("click", ({ target }) => isShown() && !toggle.contains(target) && show(false));
  maps.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    show(false);
    toggle.focus();
  });
  return toggle;
}

/** Grid, graph or voxels. What was there before comes back when one returns. */
function worldSwitch(app) {
  const { store, ui, actions } = app;
  const last = new Map();
  const show = async (kind) => {
    if (store.doc.world.kind === kind) return;
    const before = last.get(kind);
    if (before) {
      const { world, links, start, goals, scene } = before;
      actions.showScene({ title: kind, world: writeWorld(world, links), start, goals, scene: scene?.json });
    } else {
      await actions.gallery(FIRST[kind]).catch((error) => app.notify(error.message));
    }
  };
  const choice = (kind, text) => el("button", { type: "button", onclick: () => show(kind) }, text);
  const buttons = { grid: choice("grid", "Grid"), graph: choice("graph", "Graph"), voxel: choice("voxel", "3D") };
  const update = () => {
    const { kind } = store.doc.world;
    last.set(kind, { ...store.doc });
    for (const [name, button] of Object.entries(buttons)) {
      button.setAttribute("aria-pressed", `${name === kind}`);
      button.disabled = !ui.connected && name !== kind;
    }
  };
  store.on("fields", update);
  ui.on("change", (names) => names.has("connected") && update());
  update();
  return el(
    "div",
    { class: "segments world-switch", role: "group", "aria-label": "World" },
    Object.values(buttons),
  );
}

function historyButtons({ store, actions }) {
  const undo = iconButton("Undo", icon("undo"), "", () => actions.undo());
  const redo = iconButton("Redo", icon("redo"), "", () => actions.redo());
  const update = () => {
    undo.disabled = store.undoLabel === null;
    redo.disabled = store.redoLabel === null;
    undo.title = undo.disabled ? "Nothing to undo" : `Undo: ${store.undoLabel} (Ctrl+Z)`;
    redo.title = redo.disabled ? "Nothing to redo" : `Redo: ${store.redoLabel} (Ctrl+Y)`;
  };
  store.on("history", update);
  update();
  return el("div", { class: "top-history", role: "group", "aria-label": "History" }, undo, redo);
}

function themeButton({ ui }) {
  const button = iconButton("Theme", "", "", () => ui.set({ theme: NEXT_THEME[ui.theme] }));
  const update = () => {
    const { theme } = ui;
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    fill(button, icon(THEMES[theme]));
    button.title = `Theme: ${theme === "auto" ? "system" : theme}`;
    button.setAttribute("aria-label", button.title);
  };
  ui.on("change", (names) => names.has("theme") && update());
  update();
  return button;
}

/** Folds a side panel away and back, on wide screens. */
function foldButton({ ui }, panel, picture, words) {
  const name = `${panel}Shown`;
  const button = iconButton("", icon(picture), "", () => ui.set({ [name]: !ui[name] }));
  button.classList.add("fold");
  button.setAttribute("aria-controls", panel);
  const update = () => {
    document.body.dataset[panel] = ui[name] ? "shown" : "folded";
    button.setAttribute("aria-expanded", `${ui[name]}`);
    button.setAttribute("aria-label", `${ui[name] ? "Hide" : "Show"} the ${words}`);
    button.title = `${ui[name] ? "Hide" : "Show"} the ${words}`;
  };
  ui.on("change", (names) => names.has(name) && update());
  update();
  return button;
}

/** The tabs of the bottom sheet, on narrow screens. The open one closes it. */
function mountTabs({ ui }, element) {
  const tabs = Object.entries(SHEETS).map(([sheet, text]) => {
    const controls = sheet === "algorithm" ? "tools" : sheet;
    const toggle = () => ui.set({ sheet: ui.sheet === sheet ? null : sheet });
    const button = el("button", { type: "button", "aria-controls": controls, onclick: toggle }, text);
    return [sheet, button];
  });
  const update = () => {
    document.body.dataset.sheet = ui.sheet ?? "none";
    for (const [sheet, button] of tabs) button.setAttribute("aria-expanded", `${ui.sheet === sheet}`);
  };
  ui.on("change", (names) => names.has("sheet") && update());
  update();
  fill(
    element,
    tabs.map(([, button]) => button),
  );
}

/** Says so when the server is gone. */
function mountBanner({ connection, ui }, element) {
  connection.on("closed", (reason) => {
    const text = reason.replace(/[.…\s]*$/, "");
    fill(element, `${text}. Reconnecting…`);
    element.hidden = false;
    ui.set({ connected: false });
  });
  connection.on("open", () => {
    element.hidden = true;
    ui.set({ connected: true });
  });
}
