// The charts of tick times: one per board, with its name and figures.

import { el, fill } from "../dom.js";
import { count, time } from "./figures.js";
import { PARTS, drawFrames } from "./frame-chart.js";

/**
 * Charts of the frames of live units, or of a crowd, with these parts. They are matched to the boards by `match(names)`, and brought up to date
 * by `show()`.
 */
export function frameCharts(source, parts = PARTS) {
  const legend = parts.map(([colour, name, title]) => {
    const swatch = el("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = `var(--${colour})`;
    return el("span", { class: "frame-part", title }, swatch, name);
  });
  const title = el("h3", {}, "Frame time");
  const list = el("div", { class: "frame-list" });
  const element = el("section", { class: "frame-times", "aria-label": "Frame time", hidden: true }, el("p", { class: "frame-head" }, title, legend), list);
  let charts = [];
  const match = (names) => {
    charts = names.map((name) => {
      const canvas = el("canvas", { class: "frame-chart", role: "img" });
      const words = el("figcaption", {});
      return { name, canvas, words, figure: el("figure", {}, words, canvas) };
    });
    fill(list, charts.map(({ figure }) => figure));
  };
  const show = () => {
    const { frames } = source;
    element.hidden = charts.every((_, board) => frames.figuresOf(board) === null);
    if (element.hidden) return;
    charts.forEach(({ name, canvas, words, figure }, board) => {
      const figures = frames.figuresOf(board);
      figure.hidden = figures === null;
      if (!figures) return;
      const text = figureWords(figures, parts);
      fill(words, el("strong", {}, name), ` ${text}`);
      canvas.setAttribute("aria-label", `Frame time of ${name}: ${text}`);
      draw(canvas, frames.boards[board], { parts, top: frames.top });
    });
  };
  return { element, match, show };
}

/** "update 31 µs, plan 120 µs, taken 4 µs; longest 1.2 ms; 0 of 240 ticks above 16 ms" */
export function figureWords({ mean, most, above, ticks }, parts = PARTS) {
  const means = parts.map(([, name], part) => `${name.toLowerCase()} ${time(mean[part])}`);
  return `${means.join(", ")}; longest ${time(most)}; ${count(above)} of ${count(ticks)} above 16 ms`;
}

function draw(canvas, frames, how) {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0 || height === 0) return;
  const ratio = devicePixelRatio;
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawFrames(context, width, height, frames, how);
}
