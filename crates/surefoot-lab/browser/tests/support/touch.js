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

  /** Puts fingers down one after the other, moves them in a few steps, lifts them. */
  async drag(from, to, steps = 8) {
    for (let down = 1; down <= from.length; down++) await this.#send("touchStart", from.slice(0, down));
    for (let step = 1; step <= steps; step++) {
      const part = step / steps;
      const between = from.map(([x, y], i) => [x + part * (to[i][0] - x), y + part * (to[i][1] - y)]);
      await this.#send("touchMove", between);
    }
    await this.#send("touchEnd", []);
  }
}
