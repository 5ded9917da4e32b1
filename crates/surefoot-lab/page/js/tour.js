// The first-minute tour: scenes on the real boards, with one thing to try each.

import { defaultSettings } from "./actions.js";
import { api } from "./core/connection.js";
import { readWorld } from "./core/world.js";
import { $ } from "./dom.js";
import { Card, sceneView } from "./tour/card.js";
import { invite, rememberTour } from "./tour/invitation.js";
import { scenesFor } from "./tour/scenes.js";

/** Gives the app its tour: `app.tour.start()`, `stop()` and `active`. */
export function mountTour(app) {
  app.tour = new Tour(app);
  app.tour.invite();
}

class Tour {
  #app;
  #card = null;
  #invitation = null;
  /** What to bring back at the end: `{doc, playing, shown}`. */
  #before = null;
  #scenes = [];
  #number = 0;
  /** Stops watching for the task of this scene. */
  #watches = [];

  constructor(app) {
    this.#app = app;
  }

  get active() {
    return this.#card !== null;
  }

  invite() {
    this.#invitation = invite(() => this.start());
  }

  /** Begins at the first scene. */
  start() {
    const { about, store, player, ui } = this.#app;
    this.#invitation?.close();
    rememberTour();
    this.#app.moving?.stop();
    if (this.active) return this.#show(0);
    this.#scenes = scenesFor(about);
    const { speed, automatic, lock } = player;
    const { tool, aid } = ui;
    this.#before = { doc: { ...store.doc }, playing: { speed, automatic, lock }, shown: { tool, aid } };
    this.#card = new Card("tour-card", (element) => $("#playback").before(element), () => this.stop());
    return this.#show(0);
  }

  /** Ends the tour and restores the previous map. */
  stop() {
    if (!this.active) return;
    const { store, player, ui } = this.#app;
    const { doc, playing, shown } = this.#before;
    this.#endWatches();
    this.#card.close();
    this.#card = null;
    player.pause();
    player.seek(0);
    player.set(playing);
    ui.set({ board: 0 });
    store.change("end of tour", doc);
    ui.set(shown);
    requestAnimationFrame(() => this.#app.fit());
    this.#app.notify("Your own map is back. Undo returns to the tour’s map.");
  }

  #endWatches() {
    for (const end of this.#watches) end();
    this.#watches = [];
  }

  /** Shows a scene; one that cannot be fetched is passed over. */
  async #show(number, direction = 1) {
    if (number < 0) return;
    if (number >= this.#scenes.length) return this.stop();
    const card = this.#card;
    this.#number = number;
    const scene = this.#scenes[number];
    const asked = scene.gallery ? api.gallery(scene.gallery) : api.generate(...scene.generate);
    const map = await asked.catch(() => null);
    // The tour may have moved on or ended meanwhile.
    if (this.#card !== card || this.#number !== number) return;
    if (!map) {
      this.#scenes = this.#scenes.toSpliced(number, 1);
      return this.#show(direction > 0 ? number : number - 1, direction);
    }
    this.#endWatches();
    this.#setUp(scene, map);
    this.#present(scene, number);
  }

  #setUp(scene, map) {
    const { store, player, ui, actions } = this.#app;
    const { world, links } = readWorld(map.world);
    const boards = scene.boards.map((fields) => ({ ...defaultSettings(), ...fields }));
    player.pause();
    player.set({ lock: "expansions", automatic: true });
    ui.set({ board: 0, aid: true, tool: "brush", sheet: null });
    store.change(`tour: ${scene.title}`, { world, links, start: map.start, goals: map.goals, boards });
    ui.set({ board: scene.chosen ?? 0 });
    requestAnimationFrame(() => this.#app.fit());
    actions.run();
  }

  #present(scene, number) {
    const view = sceneView(scene, number, this.#scenes.length, {
      back: () => this.#show(number - 1, -1),
      next: () => this.#show(number + 1),
      skip: () => this.stop(),
    });
    this.#card.show(...view.children);
    view.heading.focus({ preventScroll: true });
    let done = false;
    const tried = () => {
      if (done) return;
      done = true;
      view.showTried();
    };
    this.#watches.push(...scene.watch(this.#app.store, tried));
  }
}
