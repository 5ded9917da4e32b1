// How many pixels a canvas has, on the page and on the screen.

/** CSS pixels in device pixels. A browser that emulates another screen gives the exact number of the real one. */
function inDevicePixels(length, exact) {
  const nearly = length * devicePixelRatio;
  return exact !== undefined && Math.abs(exact - nearly) <= 1 ? exact : Math.round(nearly);
}

/** Watches a canvas and calls back whenever it has another size. */
export class CanvasSize {
  #canvas;
  #changed;
  #observer;
  #width = 0;
  #height = 0;
  #deviceWidth = 0;
  #deviceHeight = 0;
  #pixelRatio = devicePixelRatio;

  constructor(canvas, changed) {
    this.#canvas = canvas;
    this.#changed = changed;
    this.#observer = new ResizeObserver(([entry]) => {
      const { inlineSize: width, blockSize: height } = entry.contentBoxSize[0];
      this.#measured(width, height, entry.devicePixelContentBoxSize?.[0]);
    });
    try {
      this.#observer.observe(canvas, { box: "device-pixel-content-box" });
    } catch {
      this.#observer.observe(canvas);
    }
  }

  #measured(width, height, exact) {
    this.#width = width;
    this.#height = height;
    this.#deviceWidth = inDevicePixels(width, exact?.inlineSize);
    this.#deviceHeight = inDevicePixels(height, exact?.blockSize);
    this.#pixelRatio = devicePixelRatio;
    this.#changed();
  }

  /** In CSS pixels. */
  get width() {
    return this.#width || this.#canvas.clientWidth;
  }

  get height() {
    return this.#height || this.#canvas.clientHeight;
  }

  /** Device pixels in a CSS pixel. */
  get ratio() {
    return this.#deviceWidth / this.#width;
  }

  /** Notices another screen; says whether there is anything to draw on. */
  check() {
    if (devicePixelRatio !== this.#pixelRatio) this.#measured(this.#width, this.#height);
    return this.#deviceWidth > 0 && this.#deviceHeight > 0;
  }

  /** Gives the canvas as many pixels as the screen has there. */
  apply() {
    const canvas = this.#canvas;
    if (canvas.width === this.#deviceWidth && canvas.height === this.#deviceHeight) return;
    canvas.width = this.#deviceWidth;
    canvas.height = this.#deviceHeight;
  }

  remove() {
    this.#observer.disconnect();
  }
}
