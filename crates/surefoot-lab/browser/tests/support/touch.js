// Fingers on the screen.

export class Touch {
  #session;

  static async on(page) {
    const touch = new Touch();
    touch.#session = await page.context().newCDPSession(page);
    return touch;
  }

  #send(type, points) {
    const touchPoints = points.map(([x, y], id) => ({ x, y, id }));
    return this.#session.send("Input.dispatchTouchEvent", { type, touchPoints });
  }

  /**
   * Puts fingers down one after the other, moves them in a few steps, lifts them. Nothing is waited for in between: a finger that
   * rests for a moment means something else.
   */
  async drag(from, to, steps = 8) {
    const sent = from.map((_, finger) => this.#send("touchStart", from.slice(0, finger + 1)));
    for (let step = 1; step <= steps; step++) {
      const part = step / steps;
      const between = from.map(([x, y], i) => [x + part * (to[i][0] - x), y + part * (to[i][1] - y)]);
      sent.push(this.#send("touchMove", between));
    }
    sent.push(this.#send("touchEnd", []));
    await Promise.all(sent);
  }
}
