// The part of the top bar that is about maps: where they come from and where they go.

import { $, el } from "../dom.js";
import { icon } from "../icons.js";
import { exportMenu } from "./export.js";
import { makeGallery } from "./gallery.js";
import { makeNewMap } from "./new-map.js";
import { chooseFile, takeDrops } from "./open-file.js";
import { followAddress, makeShare } from "./share.js";

/** Fills an element of the top bar. */
export function mountMaps(app, element) {
  const gallery = makeGallery(app);
  const newMap = makeNewMap(app);
  const share = makeShare(app);
  const choose = chooseFile(app);
  const menu = exportMenu(app);
  takeDrops(app);
  followAddress(app);
  const exporting = button("Export", "export");
  placeMenu(menu, exporting);
  element.classList.add("maps");
  element.append(
    button("Gallery", "gallery", gallery.show),
    button("New", "newMap", newMap.show),
    button("Open file", "openFile", choose),
    exporting,
    button("Share", "share", share.show),
  );
  document.body.append(menu);
  app.maps = { gallery, newMap, share };
}

function button(name, picture, onclick) {
  return el("button", { type: "button", "aria-label": name, title: name, onclick }, icon(picture), el("span", { class: "maps-label" }, name));
}

/** Keeps a menu below the top bar and inside the page; arrow keys go through it. */
function placeMenu(menu, opener) {
  opener.popoverTargetElement = menu;
  menu.addEventListener("beforetoggle", ({ newState }) => {
    if (newState !== "open") return;
    const { left } = opener.getBoundingClientRect();
    const top = $("#top").getBoundingClientRect().bottom + 4;
    menu.style.top = `${top}px`;
    menu.style.maxHeight = `calc(100dvh - ${top + 8}px)`;
    menu.style.left = `max(0.5rem, min(${left}px, 100vw - 18.5rem))`;
  });
  menu.addEventListener("toggle", ({ newState }) => {
    opener.setAttribute("aria-expanded", newState === "open");
    if (newState === "open") menu.querySelector("button:not([hidden])").focus();
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      // It closes the menu and means nothing else.
      event.stopPropagation();
      menu.hidePopover();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const items = [...menu.querySelectorAll("button:not([hidden])")];
    items.at((items.indexOf(document.activeElement) + step) % items.length).focus();
  });
}
