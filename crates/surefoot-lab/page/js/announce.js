// Telling people what happened: to the screen and to screen readers.

export class Announcer {
  #region;

  constructor(region) {
    this.#region = region;
  }

  /** For the live region only. */
  announce(text) {
    this.#region.textContent = text;
  }

  /** Also shown. */
  notify(text) {
    this.announce(text);
  }
}
