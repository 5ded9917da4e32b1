// How a crowd is doing: counts of states and jams, and the chart of tick times with the limit of a frame.

import { palette } from "../board/palette.js";
import { el, fill } from "../dom.js";
import { count } from "./figures.js";
import { onceAFrame } from "./frame.js";
import { frameCharts } from "./frames.js";

const FIGURES = [
  ["Units", "All of them", ({ units }) => units],
  ["Walking", "On their way", ({ walking }) => walking],
  ["Held up", "Walking, but no nearer to their goal for a second", ({ held }) => held],
  ["Waiting", "Without a path yet", ({ waiting }) => waiting],
  ["Arrived", "At their places", ({ arrived }) => arrived],
  ["Stuck", "Without a path or an arrangement; they try again", ({ stuck }) => stuck],
  ["Jams", "Units that blocked each other: found", ({ jams }) => jams.found],
  ["Resolved", "Jams that a common plan resolved", ({ jams }) => jams.resolved],
  ["Plans", "Paths planned so far", ({ plans }) => plans],
];
const PARTS = [["part-plan", "Tick", "Everything that the crowd does in a tick: plan, avoid, walk, resolve jams"]];

/** Fills the part of the page below the playback bar. It is there while there is a crowd. */
export function mountCrowdFigures({ crowd }, element) {
  const figures = FIGURES.map(([name, title, of]) => {
    const value = el("strong", {});
    return { value, of, item: el("span", { title }, `${name} `, value) };
  });
  const charts = frameCharts(crowd, PARTS);
  charts.match(["Crowd"]);
  const title = el("summary", { class: "race-title" }, el("h2", {}, "Crowd"));
  const line = el("p", { class: "crowd-figures" }, figures.map(({ item }) => item));
  fill(element, el("details", { class: "race", open: true }, title, el("div", { class: "replan-frame" }, line), charts.element));
  const show = () => {
    element.hidden = !crowd.active;
    if (!crowd.active) return;
    for (const { value, of } of figures) value.textContent = crowd.figures ? count(of(crowd.figures)) : "0";
    charts.show();
  };
  const later = onceAFrame(show);
  crowd.on("state", later);
  crowd.on("told", later);
  palette.on("change", later);
  new ResizeObserver(later).observe(element);
  show();
}
