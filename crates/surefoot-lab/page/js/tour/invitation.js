// Offers the tour to new visitors, once.

import { $, el } from "../dom.js";
import { Card } from "./card.js";

const KEY = "surefoot.tour";

/** Whether the tour has not been offered in this browser yet. Without storage, it is not offered. */
function isFirstVisit() {
  try {
    return localStorage.getItem(KEY) === null;
  } catch {
    return false;
  }
}

/** Stores that the tour has been offered. */
export function rememberTour() {
  try {
    localStorage.setItem(KEY, "seen");
  } catch {
    // Then it is offered again, which does no harm.
  }
}

/** Offers the tour on the first visit, but not to visitors who follow a link. */
export function invite(start) {
  if (navigator.webdriver || location.hash.length > 1 || !isFirstVisit()) return { close: () => {} };
  const answer = (yes) => {
    rememberTour();
    card.close();
    if (yes) start();
  };
  const card = new Card("invitation", (element) => $("#playback").append(element), () => answer(false));
  card.show(
    el("p", {}, el("strong", {}, "New here?"), " Take the one-minute tour."),
    el("button", { type: "button", class: "outlined", onclick: () => answer(false) }, "No thanks"),
    el("button", { type: "button", class: "primary", onclick: () => answer(true) }, "Start"),
  );
  return card;
}
