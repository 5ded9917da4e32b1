// Scenes to begin with, as cards with a picture each.

import { drawThumbnail } from "../board/thumbnail.js";
import { palette } from "../board/palette.js";
import { api } from "../core/connection.js";
import { MovingScene } from "../core/scene.js";
import { readWorld, tidied } from "../core/world.js";
import { el, fill } from "../dom.js";
import { makeDialog } from "./dialog.js";
import { attempt } from "./export.js";

/** Sharp on screens with small pixels. */
const PICTURE = { width: 320, height: 200 };

/** What scenes are grouped by: a heading, and which belong there. */
const GROUPS = [
  ["Grids", ({ world, crowd }) => world === "grid" && !crowd],
  ["Crowds", ({ crowd }) => crowd],
  ["3D", ({ world, moves }) => world === "voxel" && !moves],
  ["Moving obstacles", ({ moves }) => moves],
  ["Graphs", ({ world }) => world === "graph"],
];

/** The gallery's dialog; call `show` on what comes back. */
export function makeGallery(app) {
  const scenes = new Map();
  const list = el("ul", { class: "cards" });
  const dialog = makeDialog("Gallery", { class: "gallery" }, list);
  const seen = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => (seen.unobserve(target), draw(target))),
    { root: dialog },
  );

  function draw(canvas) {
    const { name } = canvas.dataset;
    if (!scenes.has(name)) scenes.set(name, load(name));
    // A card without a picture is still a card.
    scenes.get(name).then((scene) => drawThumbnail(canvas, scene)).catch(() => scenes.delete(name));
  }

  function card({ name, title, text }) {
    const choose = () => {
      dialog.close();
      attempt(app, async () => {
        await app.actions.gallery(name);
        app.announce(`${title}. ${text}`);
      });
    };
    const canvas = el("canvas", { ...PICTURE, "data-name": name, "aria-hidden": "true" });
    const id = `gallery-${name}`;
    return el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "card", "data-card": name, onclick: choose, "aria-label": title, "aria-describedby": id },
        canvas,
        el("span", { class: "card-title" }, title),
        el("span", { class: "card-text", id }, text),
      ),
    );
  }

  function build() {
    const heading = (text) => el("li", { class: "cards-heading" }, el("h3", { class: "heading" }, text));
    const groups = GROUPS.map(([title, belongs]) => [heading(title), app.about.gallery.filter(belongs).map(card)]);
    fill(list, groups.flat(2));
  }

  /** The first card of the group that the world would belong to. */
  function firstOf({ world, scene }) {
    const isAlike = (entry) => entry.world === world.kind && entry.moves === Boolean(scene);
    return list.querySelector(`[data-card="${app.about.gallery.find(isAlike)?.name}"]`);
  }

  list.addEventListener("keydown", (event) => moveFocus(event, list));
  palette.on("change", () => list.querySelectorAll("canvas").forEach((canvas) => seen.observe(canvas)));
  return {
    show() {
      if (list.childElementCount === 0) build();
      list.querySelectorAll("canvas").forEach((canvas) => seen.observe(canvas));
      dialog.showModal();
      const card = firstOf(app.store.doc);
      card?.closest("li").previousElementSibling.scrollIntoView();
      card?.focus({ preventScroll: true });
    },
  };
}

async function load(name) {
  const scene = await api.gallery(name);
  const moving = scene.scene && new MovingScene(scene.scene);
  return { ...tidied(readWorld(scene.world)), start: scene.start, goals: scene.goals, scene: moving };
}

/** Arrow keys go from card to card as they lie on the screen. */
function moveFocus(event, list) {
  const cards = [...list.querySelectorAll("button")];
  const at = cards.indexOf(document.activeElement);
  if (at < 0) return;
  const columns = Math.max(getComputedStyle(list).gridTemplateColumns.split(" ").length, 1);
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -at, End: cards.length - 1 - at };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  cards[Math.min(Math.max(at + step, 0), cards.length - 1)].focus();
}
