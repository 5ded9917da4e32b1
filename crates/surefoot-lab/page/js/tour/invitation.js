// Asking a newcomer, once.

import { $, el } from "../dom.js";
import { Card } from "./card.js";

const KEY = "surefoot.tour";

/** Whether nobody was asked in this browser yet. Where nothing can be kept nobody is asked. */
function isFirstVisit() {
  try {
    return localStorage.getItem(KEY) === null;
  } catch {
    return false;
  }
}

/** Remembers that the tour is known here. */
export function rememberTour() {
  try {
    localStorage.setItem(KEY, "seen");
  } catch {
    // Then the question comes again, which does no harm.
  }
}

/** Offers the tour on the first visit; someone who follows a link wants to see what it shows. */
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
