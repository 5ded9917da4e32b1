// Puts the lab together.

import { Actions, defaultSettings } from "./actions.js";
import { Announcer, mountAnnouncements, mountCrowdAnnouncements, mountLiveAnnouncements } from "./announce.js";
import { BoardSet } from "./board/board-set.js";
import { makeHint } from "./board/hint.js";
import { Camera } from "./core/camera.js";
import { Chokes } from "./core/chokes.js";
import { Connection, api } from "./core/connection.js";
import { Crowd } from "./core/crowd.js";
import { readLink } from "./core/link.js";
import { Live } from "./core/live.js";
import { Player } from "./core/player.js";
import { Runner } from "./core/runs.js";
import { Store } from "./core/store.js";
import { Ui, lessMotion } from "./core/ui.js";
import { readWorld, tidied } from "./core/world.js";
import { $ } from "./dom.js";
import { mountKeys } from "./keys.js";
import { mountCrowdFigures } from "./panels/crowd-figures.js";
import { mountFacts } from "./panels/facts.js";
import { mountLog } from "./panels/log.js";
import { mountPlayback } from "./panels/playback.js";
import { mountRace } from "./panels/race.js";
import { mountReplans } from "./panels/replans.js";
import { mountTools } from "./panels/tools.js";
import { mountTop } from "./panels/top.js";
import { Space } from "./space/space.js";
import { Builder } from "./tools/building.js";
import { mountTour } from "./tour.js";

/** What the page begins with when the link says nothing. */
const FIRST_SCENE = "terrain";

async function firstDocument() {
  const scene = await api.gallery(FIRST_SCENE);
  const { world, links } = tidied(readWorld(scene.world));
  return { world, links, start: scene.start, goals: scene.goals, boards: [defaultSettings()], scene: null };
}

async function start() {
  const announcer = new Announcer($("#live"));
  const about = await api.about();
  const linked = await readLink(location.hash, about).catch((error) => void announcer.notify(error.message));
  const store = new Store(linked?.doc ?? (await firstDocument()));
  const connection = new Connection(`ws://${location.host}/ws`);
  const runner = new Runner(store, connection);
  const ui = new Ui();
  const player = new Player(runner, ui);
  const camera = new Camera();
  // Before what is live: another world may end the one and begin the other.
  const crowd = new Crowd(store, runner, connection, { limit: about.limits.crowd });
  const live = new Live(store, runner, connection);
  const app = {
    about, store, connection, runner, ui, player, live, crowd, camera,
    /** What moves in place of searches: live units, a crowd, or null. */
    get moving() {
      return [live, crowd].find(({ active }) => active) ?? null;
    },
  };
  app.announce = (text) => announcer.announce(text);
  app.notify = (text) => announcer.notify(text);
  app.actions = new Actions(app);
  app.chokes = new Chokes(app);
  app.builder = new Builder(app);
  app.space = new Space(app);
  app.boards = new BoardSet(app, $("#boards"), { hint: makeHint(app) });
  app.space.mount();
  app.fit = () => {
    app.boards.fit();
    app.space.fit();
  };
  mountTop(app, $("#top"));
  mountTools(app, $("#tools"));
  mountFacts(app, $("#facts"));
  mountPlayback(app, $("#playback"));
  mountRace(app, $("#race"));
  mountReplans(app, $("#replans"));
  mountCrowdFigures(app, $("#crowd"));
  mountLog(app, $("#log"));
  mountKeys(app);
  mountAnnouncements(app);
  mountLiveAnnouncements(app);
  mountCrowdAnnouncements(app);
  mountTour(app);
  watchPlanners(app);
  app.fit();
  linked?.restore(app);
  if (store.doc.scene) live.start({ playing: !lessMotion() });
  // For tests and for debugging.
  globalThis.lab = app;
  const frame = (now) => {
    player.tick(now);
    live.frame(now);
    crowd.frame(now);
    app.space.frame(now);
    app.boards.draw(now);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

/** The cells of plans and forecasts are requested only while they are shown. */
function watchPlanners({ ui, live, store }) {
  const update = () => {
    const watched = store.doc.world.kind === "voxel" ? ui.cells === "search" : ui.planner;
    if (watched !== live.watched) live.set({ watched });
    const ahead = ui.forecast && store.doc.scene ? ui.ahead : 0;
    if (ahead !== live.ahead) live.set({ ahead });
  };
  const names = ["planner", "cells", "forecast", "ahead"];
  ui.on("change", (changed) => names.some((name) => changed.has(name)) && update());
  live.on("state", update);
}

start().catch((error) => {
  const banner = $("#banner");
  banner.textContent = `The lab could not start: ${error.message} Reload the page to try again.`;
  banner.hidden = false;
  throw error;
});
