// Event listeners by type of event.

export class Emitter {
  #listeners = new Map();

  /** Calls `listener(detail)` on every event of a type; returns a function that ends it. */
  on(type, listener) {
    const listeners = this.#listeners.get(type) ?? [];
    this.#listeners.set(type, [...listeners, listener]);
    return () => {
      const rest = this.#listeners.get(type).filter((other) => other !== listener);
      this.#listeners.set(type, rest);
    };
  }

  emit(type, detail) {
    for (const listener of this.#listeners.get(type) ?? []) listener(detail);
  }
}
