// The state of a board's search.

/** Searches with more events than this are not recorded again on every small change; only their path is kept up to date. */
const LIVE_EVENTS = 200_000;

/** The last search of a board. */
export class BoardRun {
  /** Of the newest request. */
  id = 0;
  algorithm = null;
  /** Whether an answer is still to come. */
  busy = false;
  /** Whether the document changed since the request. */
  stale = false;
  /** The events, null if the search was not watched. */
  timeline = null;
  replay = null;
  /** The algorithm whose answer is shown. */
  shownAlgorithm = null;
  /** The server's `done`, null while there is none. */
  result = null;
  /** The server's `timed`. */
  timing = null;
  promise = null;
  error = null;
  request = null;
  /** The timeline of a live search, shown when it is complete. */
  coming = null;
  /** Whether the next live search is watched although nothing is shown. */
  watch = false;
  /** Whether the search itself has begun. */
  begun = false;
  /** While the map is prepared: the completed share. */
  preparing = null;
  /** How long the last preparation took, in microseconds. */
  preparation = 0;
  /** For which shape of the document: see Runner. */
  shape = -1;
  preparedShape = -1;
  /** The visible part of the prepared map, if there is one. */
  sketch = null;
  comingSketch = null;
}

/** Whether a search, shown or on its way, is watched also when it is made again after a change. */
export function isWatched(run) {
  const asked = run.watch || run.timeline !== null || (run.busy && run.request.trace);
  return asked && (run.timeline?.length ?? 0) <= LIVE_EVENTS;
}
