// The size of a building in hand, and what it would do where it is held.

import { el, fill } from "../dom.js";
import { LARGEST_SIDE } from "../tools/building.js";

/** Fills the rows that belong to the building tool; they are there while it is in hand. */
export function mountBuilding({ ui, builder }, element) {
  const side = (name, field) => {
    const options = Array.from({ length: LARGEST_SIDE }, (_, i) => el("option", { value: i + 1 }, `${i + 1}`));
    const act = () => ui.set({ [field]: Number(select.value) });
    const select = el("select", { "aria-label": name, onchange: act });
    fill(select, options);
    return { select, show: () => (select.value = `${ui[field]}`) };
  };
  const sides = [side("Building width", "buildingWidth"), side("Building height", "buildingHeight")];
  const advice = el("output", { class: "advice", "aria-label": "Effect of the building" });
  fill(
    element,
    el(
      "div",
      { class: "row narrow" },
      el("span", { class: "label" }, "Size"),
      el("div", { class: "sides" }, sides[0].select, el("span", { "aria-hidden": "true" }, "×"), sides[1].select),
    ),
    advice,
  );
  const update = () => {
    element.hidden = ui.tool !== "building";
    for (const { show } of sides) show();
    const { ghost } = builder;
    advice.dataset.state = ghost?.state ?? "none";
    advice.textContent = ghost ? ghost.words : "Move it over the map to see how it would change the path.";
  };
  ui.on("change", (names) => ["tool", "buildingWidth", "buildingHeight"].some((name) => names.has(name)) && update());
  builder.on("change", update);
  update();
}
