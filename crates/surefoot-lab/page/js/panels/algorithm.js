// How a board searches: the algorithm and the options that apply to it.

import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { optionTitle } from "./option-titles.js";
import { mountRacePresets } from "./race-presets.js";
import { showShare } from "./slider.js";
import { algorithmOf, badgeWords, detailOf, sentence } from "./words.js";

/** The slider's end; larger weights are typed. */
const SLIDER_WEIGHT = 10;
const SLIDER_RADIUS = 4;
/** On graphs all but "zero" are the straight line at the cost of the cheapest road. */
const ON_GRAPHS = ["best", "zero"];
const CUSTOM = "Straight and diagonal steps with weights that you choose.";

/** What incremental algorithms have in common. */
const INCREMENTAL = "Incremental (repair the path)";

const round = (value) => Number(value.toPrecision(3));

/** Fills the algorithm section. It shows the settings of the active board. */
export function mountAlgorithm(app, element) {
  const { about, store, runner, ui, actions } = app;
  const settings = () => store.doc.boards[Math.min(ui.board, store.doc.boards.length - 1)];
  const ruleName = () => (store.doc.world.kind === "voxel" ? "moves3" : "moves");
  const set = (fields) => actions.setBoard(ui.board, fields);

  const algorithm = choice("Algorithm", (value) => set({ algorithm: value }), "row stacked");
  const heuristic = choice("Heuristic", (value) =>
    set({ heuristic: value === "custom" ? "custom:1,1" : value || null }),
  );
  const moves = choice("Movement rule", (value) => set({ [ruleName()]: value }), "row stacked");
  const queue = choice("Open list", (value) => set({ queue: value || null }));
  const terrain = choice("Terrain rule", (value) => set({ terrain: value }));
  const weight = amount(
    "Weight",
    { least: about.weight[0], most: about.weight[1], slider: SLIDER_WEIGHT, log: true },
    (value) => set({ weight: value }),
  );
  const radius = amount(
    "Agent radius",
    { least: 0, most: about.radius_max, slider: SLIDER_RADIUS },
    (value) => set({ radius: value }),
  );
  const custom = customWeights(about.custom_weight_max, (text) => set({ heuristic: text }));
  const badge = el("p", { class: "promise-line" });
  const whose = el("p", { class: "hint" });
  const add = el(
    "button",
    { type: "button", class: "outlined", onclick: () => actions.addBoard() },
    icon("add"),
    "Add board",
  );
  const races = el("div", { class: "race-presets", role: "group", "aria-label": "Preset races" });
  mountRacePresets(app, races);
  add.title = "Compare with another search on the same map";

  fill(
    element,
    whose,
    algorithm.row,
    badge,
    heuristic.row,
    custom.row,
    weight.row,
    moves.row,
    queue.row,
    terrain.row,
    radius.row,
    el("div", { class: "buttons" }, add),
    el("p", { class: "hint" }, "Or start a preset race:"),
    races,
  );

  const update = () => {
    const board = settings();
    const { world, boards } = store.doc;
    const known = algorithmOf(about, board.algorithm);
    const onGrid = world.kind === "grid";
    const rule = ruleName();
    whose.textContent =
      boards.length > 1
        ? `Settings for board ${Math.min(ui.board, boards.length - 1) + 1} of ${boards.length}`
        : "";
    const fitting = about.algorithms.filter(({ worlds }) => worlds.includes(world.kind));
    algorithm.show(
      fitting.map((each) => [each.name, each.title, each.incremental ? INCREMENTAL : null]),
      board.algorithm,
    );
    algorithm.explain(asSentence(known?.summary));

    const isCustom = board.heuristic?.startsWith("custom:") ?? false;
    heuristic.row.hidden = !known?.uses_heuristic;
    heuristic.show(
      heuristicNames(about, world.kind).map((each) => [each, optionTitle("heuristics", each)]),
      isCustom ? "custom" : (board.heuristic ?? "best"),
    );
    heuristic.explain(isCustom ? CUSTOM : explanationOf(about.heuristics, board.heuristic ?? "best"));
    custom.row.hidden = !known?.uses_heuristic || !isCustom || world.kind === "graph";
    if (isCustom) custom.show(board.heuristic);

    weight.row.hidden = !known?.uses_weight;
    weight.show(board.weight);
    queue.row.hidden = (known?.queues.length ?? 0) < 2;
    queue.show(
      (known?.queues ?? []).map((each) => [each, optionTitle("queues", each)]),
      board.queue ?? known?.queues[0],
    );
    queue.row.title = explanationOf(about.queues, board.queue ?? known?.queues[0]);

    for (const { row } of [moves, radius]) row.hidden = world.kind === "graph";
    terrain.row.hidden = !onGrid;
    moves.show(
      about[rule].map(({ name }) => [name, optionTitle(rule, name)]),
      board[rule],
    );
    moves.explain(asSentence(detailOf(summaryOf(about[rule], board[rule]))));
    terrain.show(
      about.terrain_rules.map(({ name }) => [name, optionTitle("terrain_rules", name)]),
      board.terrain,
    );
    terrain.row.title = explanationOf(about.terrain_rules, board.terrain);
    radius.show(board.radius);
    add.disabled = boards.length >= about.limits.boards || !ui.connected;
    updateBadge();
  };
  const updateBadge = () =>
    showBadge(badge, runner.boards[Math.min(ui.board, runner.boards.length - 1)]);

  store.on("fields", (names) => ["world", "boards"].some((field) => names.has(field)) && update());
  ui.on("change", (names) => (names.has("board") || names.has("connected")) && update());
  for (const type of ["cleared", "began", "done", "failed"]) runner.on(type, updateBadge);
  update();
}

const asSentence = (text) => (text ? sentence(text) : "");

const summaryOf = (list, wanted) => list.find((each) => each.name === wanted)?.summary ?? "";

const explanationOf = (list, wanted) => asSentence(summaryOf(list, wanted));

/** Names of all heuristics; the server's list leaves the custom one to us, because it needs two numbers. */
function heuristicNames(about, kind) {
  return kind !== "graph" ? [...about.heuristics.map((each) => each.name), "custom"] : ON_GRAPHS;
}

/** The badge and, if nothing is guaranteed, the reason. */
function showBadge(element, run) {
  const { kind, symbol, text, reason } = badgeWords(run);
  const tones = { optimal: "good", within: "warn", nothing: "bad", none: "bad" };
  element.hidden = kind === "unknown";
  const words = kind === "within" ? `≤ ${text} optimum` : `${symbol} ${text}`;
  const badge = el("span", { class: `badge ${tones[kind] ?? ""}`, title: reason }, words.replace("! ", ""));
  fill(element, badge, kind === "nothing" ? el("span", { class: "hint" }, reason) : null);
}

/** A name with a list to choose from; where its texts are long, the list is `stacked` below the name. */
function choice(title, act, layout = "row") {
  const id = `choice-${title.toLowerCase().replaceAll(" ", "-")}`;
  const select = el("select", { id, "aria-describedby": `${id}-hint`, onchange: () => act(select.value) });
  const hint = el("p", { class: "hint", id: `${id}-hint` });
  const row = el("div", { class: layout }, el("label", { for: id }, title), select, hint);
  let shown = "";
  const show = (options, value) => {
    const key = JSON.stringify(options);
    if (key !== shown)
      fill(select, grouped(options));
    shown = key;
    select.value = value;
  };
  const explain = (text) => (hint.textContent = text);
  return { row, show, explain };
}

/** Options `[value, text, group]`: those of a group together, after those without. */
function grouped(options) {
  const make = ([value, text]) => el("option", { value }, text);
  const groups = new Set(options.map(([, , group]) => group).filter(Boolean));
  const inGroup = (name) => options.filter(([, , group]) => group === name).map(make);
  const alone = options.filter(([, , group]) => !group).map(make);
  return [...alone, ...[...groups].map((name) => el("optgroup", { label: name }, inGroup(name)))];
}

/** A number with a slider for the usual part of its range. */
function amount(title, { least, most, slider, log = false }, act) {
  const id = `amount-${title.toLowerCase().replaceAll(" ", "-")}`;
  const toSlider = (value) =>
    log ? Math.log(value / least) / Math.log(slider / least) : (value - least) / (slider - least);
  const toValue = (share) =>
    round(log ? least * (slider / least) ** share : least + share * (slider - least));
  const number = el("input", {
    type: "number",
    id,
    min: least,
    max: most,
    step: "any",
    inputMode: "decimal",
  });
  const range = el("input", { type: "range", min: 0, max: 1, step: 0.01, "aria-label": `${title}, slider` });
  number.addEventListener("change", () => {
    const value = Number(number.value);
    const valid = number.value !== "" && value >= least && value <= most;
    number.setAttribute("aria-invalid", `${!valid}`);
    number.title = valid ? "" : `Enter a number from ${least} to ${most}`;
    if (valid) act(value);
  });
  range.addEventListener("input", () => act(toValue(Number(range.value))));
  const label = el("label", { for: id }, title);
  const row = el("div", { class: "row" }, label, el("div", { class: "with-range" }, range, number));
  const show = (value) => {
    number.value = value ?? "";
    number.placeholder = "default";
    number.setAttribute("aria-invalid", "false");
    range.value = Math.min(toSlider(value ?? least), 1);
    range.setAttribute("aria-valuetext", `${value ?? "default"}`);
    showShare(range);
  };
  return { row, show };
}

/** The two weights of a custom heuristic. */
function customWeights(most, act) {
  const field = (text) => {
    const properties = {
      type: "number",
      min: 0,
      max: most,
      step: "any",
      inputMode: "decimal",
      "aria-label": `${text} weight`,
    };
    return el("input", { ...properties, title: `Weight of a ${text.toLowerCase()} step, 0 to ${most}` });
  };
  const straight = field("Straight");
  const diagonal = field("Diagonal");
  for (const input of [straight, diagonal]) {
    input.addEventListener("change", () => {
      const valid = input.value !== "" && Number(input.value) >= 0 && Number(input.value) <= most;
      input.setAttribute("aria-invalid", `${!valid}`);
      if (valid) act(`custom:${Number(straight.value)},${Number(diagonal.value)}`);
    });
  }
  const fields = el("div", { class: "pair" }, straight, diagonal);
  const row = el("div", { class: "row" }, el("span", { class: "label" }, "Straight, diagonal"), fields);
  const show = (text) => {
    const [first, second] = text.replace("custom:", "").split(",");
    straight.value = first;
    diagonal.value = second;
  };
  return { row, show };
}
