// The left panel: tools, start and goals, and algorithms.

import { el, fill } from "../dom.js";
import { mountSpacePanel } from "../space/panel.js";
import { mountAlgorithm } from "./algorithm.js";
import { mountBrush } from "./brush.js";
import { mountCrowd } from "./crowd.js";
import { mountGraphTools } from "./graph.js";
import { mountLive } from "./live.js";
import { mountPlaces } from "./places.js";

const section = (title, ...classes) => {
  const heading = el("h2", {}, title);
  const body = el("div", { class: "section-body" });
  const element = el(
    "section",
    { class: ["section", ...classes].join(" "), "aria-label": title },
    heading,
    body,
  );
  return { element, body };
};

/** Fills the tools panel. */
export function mountTools(app, element) {
  const live = section("Live", "live-section");
  const crowd = section("Crowd", "live-section");
  const view = section("View");
  const brush = section("Brush");
  const graph = section("Graph");
  const places = section("Places");
  const algorithm = section("Algorithm", "for-algorithm");
  fill(element, live.element, crowd.element, view.element, brush.element, graph.element, algorithm.element, places.element);
  mountLive(app, live.body, live.element);
  mountCrowd(app, crowd.body, crowd.element);
  mountSpacePanel(app, view.body);
  mountBrush(app, brush.body);
  mountGraphTools(app, graph.body);
  mountPlaces(app, places.body);
  mountAlgorithm(app, algorithm.body);
  const update = () => {
    const { kind } = app.store.doc.world;
    document.body.dataset.world = kind;
    view.element.hidden = kind !== "voxel";
    brush.element.hidden = kind === "graph" || (kind === "voxel" && !app.ui.sliceEditor);
    graph.element.hidden = kind !== "graph";
  };
  // Units of a crowd have places and an algorithm of their own.
  const showPlaces = () => {
    places.element.hidden = app.moving !== null;
    algorithm.element.hidden = app.crowd.active;
  };
  for (const moving of [app.live, app.crowd]) moving.on("state", showPlaces);
  app.store.on("fields", (names) => names.has("world") && update());
  app.ui.on("change", (names) => names.has("sliceEditor") && update());
  update();
}
