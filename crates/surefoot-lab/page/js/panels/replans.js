// The effort of replanning while units walk: a chart, and a row of figures per board.

import { palette } from "../board/palette.js";
import { stateWords } from "../core/live-unit.js";
import { el, fill } from "../dom.js";
import { NONE, cost, count, time } from "./figures.js";
import { onceAFrame } from "./frame.js";
import { frameCharts } from "./frames.js";
import { hitList } from "./hits.js";
import { drawChart, drawMark } from "./replan-chart.js";
import { algorithmOf, unitTitle } from "./words.js";

const COLUMNS = [
  ["State", "What the unit is doing"],
  ["First plan", "Nodes expanded before the first step"],
  ["Replans", "How often the path was replanned"],
  ["Fresh", "Replans that a search from scratch answered: all of them, unless the algorithm repairs; hollow in the chart where a repair was given up"],
  ["Expanded", "Nodes expanded in all replans"],
  ["Last", "Nodes expanded in the last replan"],
  ["Mean", "Nodes expanded per replan"],
  ["Mean time", "Time per replan, measured by the server; showing the planner’s view adds to it"],
  ["Path", "Cost of the current path, from where it was planned"],
  ["Travelled", "Distance travelled, in cells"],
];
const MARK = 14;

/** Fills the part of the page below the playback bar. It is there while units walk. */
export function mountReplans(app, element) {
  const { live } = app;
  const canvas = el("canvas", { class: "replan-chart", role: "img" });
  const words = el("p", { class: "race-state" });
  const body = el("tbody");
  const heads = COLUMNS.map(([name, title]) => el("th", { scope: "col", title }, name));
  const table = el(
    "table",
    { class: "replan-table" },
    el("caption", { class: "visually-hidden" }, "Replans of each board"),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Board"), heads)),
    body,
  );
  const region = { class: "race-scroll", tabIndex: 0, role: "region", "aria-label": "Replans of each board" };
  const title = el("summary", { class: "race-title" }, el("h2", {}, "Replans"), words);
  const scene = sceneFigures(live);
  const [hits, frames] = [hitList(app), frameCharts(live)];
  const chart = el("div", { class: "replan-frame" }, scene.element, hits.element, canvas);
  fill(element, el("details", { class: "race", open: true }, title, chart, el("div", region, table), frames.element));

  let rows = [];
  const match = () => {
    rows = live.units.map(({ board }) => ({ board, cells: COLUMNS.map(() => el("td")) }));
    fill(
      body,
      rows.map(({ board, cells }) => {
        const row = el("th", { scope: "row" }, markOf(board), `${board + 1} · ${unitTitle(app, board)}`);
        return el("tr", {}, row, cells);
      }),
    );
    const names = rows.map(({ board }) => `${board + 1} · ${unitTitle(app, board)}`);
    hits.match(names);
    frames.match(names);
  };
  const show = () => {
    element.hidden = !live.active;
    if (!live.active) return;
    if (rows.length !== live.units.length) match();
    for (const { board, cells } of rows) {
      const texts = rowOf(live, board);
      texts.forEach((text, at) => cells[at].textContent !== text && (cells[at].textContent = text));
    }
    words.textContent = summary(app);
    canvas.hidden = live.replay !== null;
    for (const part of [scene, hits, frames]) part.show();
    canvas.setAttribute("aria-label", `Expansions of each replan. ${words.textContent}`);
    draw(canvas, live.replans);
  };
  const later = onceAFrame(show);
  live.on("ticked", later);
  live.on("state", () => {
    rows = [];
    later();
  });
  palette.on("change", later);
  new ResizeObserver(later).observe(canvas);
  show();
}

function rowOf({ units, replans }, board) {
  const unit = units[board];
  const total = replans.totals[board];
  const mean = replans.meanOf(board);
  return [
    stateWords(unit),
    count(total.first),
    count(total.replans),
    freshWords(total),
    count(total.expanded),
    count(replans.lastOf(board)),
    mean ? count(mean.expanded) : NONE,
    mean ? time(mean.us) : NONE,
    cost(unit.state === "stuck" ? null : unit.replan?.cost),
    cost(unit.travelled),
  ];
}

/** What changed in the world: "Tick 312, Cells changed per tick 94, Update time per tick 31 µs". */
function sceneFigures(live) {
  const element = el("p", { class: "scene-figures" });
  const show = () => {
    element.hidden = !live.flight?.update || !live.flight.hasObstacles;
    if (element.hidden) return;
    const { ticks, changed, us } = live.flight.update;
    const parts = [
      ["Tick", count(live.tick)],
      ["Cells changed per tick", count(changed / ticks)],
      ["Update time per tick", time(us / ticks)],
      ["Cells covered", count(live.movement.count)],
    ];
    fill(element, parts.map(([name, value]) => el("span", {}, `${name} `, el("strong", {}, value))));
  };
  return { element, show };
}

/** "3 of 241" */
const freshWords = ({ fresh, replans }) => (replans > 0 ? `${count(fresh)} of ${count(replans)}` : NONE);

/**
 * In one sentence: "D* Lite expands 12 nodes per replan in 9 µs, A* expands 340 nodes per replan in 80 µs." Where repairs were
 * always abandoned: "MT-D* Lite expands … (fresh 241 of 241: this is A*)".
 */
function summary(app) {
  const { live, store, about } = app;
  if (live.replay) return "A recorded flight does not plan.";
  const parts = live.units.flatMap(({ board }) => {
    const mean = live.replans.meanOf(board);
    if (!mean) return [];
    const total = live.replans.totals[board];
    const repairs = algorithmOf(about, store.doc.boards[board].algorithm)?.incremental;
    const note = repairs && total.fresh === total.replans ? ` (fresh ${freshWords(total)}: this is A*)` : "";
    return [`${unitTitle(app, board)} expands ${count(mean.expanded)} nodes per replan in ${time(mean.us)}${note}`];
  });
  return parts.length > 0 ? `${parts.join(", ")}.` : "No replans yet.";
}

/** Sizes the canvas as it is shown and draws. */
function draw(canvas, replans) {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0 || height === 0) return;
  const ratio = devicePixelRatio;
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawChart(context, width, height, replans);
}

/** The mark that stands for a board in the chart. */
function markOf(board) {
  const ratio = 2;
  const canvas = el("canvas", { class: "replan-mark", width: MARK * ratio, height: MARK * ratio, "aria-hidden": "true" });
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  drawMark(context, MARK / 2, MARK / 2, board);
  return canvas;
}
