// What replanning takes while units walk: a chart, and a row of figures for each board.

import { palette } from "../board/palette.js";
import { stateWords } from "../core/live-unit.js";
import { el, fill } from "../dom.js";
import { NONE, cost, count, time } from "./figures.js";
import { onceAFrame } from "./frame.js";
import { drawChart, drawMark } from "./replan-chart.js";
import { titleOf } from "./words.js";

const COLUMNS = [
  ["State", "What the unit does"],
  ["First plan", "Nodes expanded before the first step"],
  ["Replans", "How often it looked for its way again"],
  ["Fresh", "Replans that a fresh search answered, because repairing had cost more; hollow in the chart"],
  ["Expanded", "Nodes expanded in all replans"],
  ["Last", "Nodes expanded in the last replan"],
  ["Mean", "Nodes expanded in a replan"],
  ["Mean time", "How long a replan took, measured by the server; the planner’s view costs some of it"],
  ["Path", "What the present path costs, from where it was planned"],
  ["Walked", "In cells"],
];
const MARK = 14;

/** Fills the part of the page below the playback bar. It is there while units walk. */
export function mountReplans(app, element) {
  const { live, store, about } = app;
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
  const chart = el("div", { class: "replan-frame" }, scene.element, canvas);
  fill(element, el("details", { class: "race", open: true }, title, chart, el("div", region, table)));

  let rows = [];
  const match = () => {
    rows = live.units.map(({ board }) => ({ board, cells: COLUMNS.map(() => el("td")) }));
    fill(
      body,
      rows.map(({ board, cells }) => {
        const name = titleOf(about, store.doc.boards[board]);
        const row = el("th", { scope: "row" }, markOf(board), `${board + 1} · ${name}`);
        return el("tr", {}, row, cells);
      }),
    );
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
    scene.show();
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
    count(total.fresh),
    count(total.expanded),
    count(replans.lastOf(board)),
    mean ? count(mean.expanded) : NONE,
    mean ? time(mean.us) : NONE,
    cost(unit.state === "stuck" ? null : unit.replan?.cost),
    cost(unit.travelled),
  ];
}

/** What changed in the world: "tick 312 · 94 cells changed a tick · 31 µs to find them". */
function sceneFigures(live) {
  const element = el("p", { class: "scene-figures" });
  const show = () => {
    element.hidden = !live.flight?.update || !live.flight.hasObstacles;
    if (element.hidden) return;
    const { ticks, changed, us } = live.flight.update;
    const parts = [
      ["Tick", count(live.tick)],
      ["Cells changed a tick", count(changed / ticks)],
      ["Time to find them", time(us / ticks)],
      ["Cells covered", count(live.movement.count)],
    ];
    fill(element, parts.map(([name, value]) => el("span", {}, `${name} `, el("strong", {}, value))));
  };
  return { element, show };
}

/** In one sentence: "D* Lite expands 12 a replan, A* 340." */
function summary({ live, store, about }) {
  const parts = live.units.flatMap(({ board }) => {
    const mean = live.replans.meanOf(board);
    const name = titleOf(about, store.doc.boards[board]);
    return mean ? [`${name} expands ${count(mean.expanded)} a replan in ${time(mean.us)}`] : [];
  });
  return parts.length > 0 ? `${parts.join(", ")}.` : "Nothing replanned yet.";
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
