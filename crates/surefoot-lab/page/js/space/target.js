// Where a frame is drawn before it is shown: with soft edges, or quickly and coarse.

/** Pixels for soft edges, for each pixel of the screen. */
const SAMPLES = 4;

/** A picture on the card, with depth. */
class Sheet {
  #gl;
  #samples;
  #frame;
  #buffers;
  width = 0;
  height = 0;

  constructor(gl, samples) {
    this.#gl = gl;
    this.#samples = Math.min(samples, gl.getParameter(gl.MAX_SAMPLES) ?? 0);
    this.#frame = gl.createFramebuffer();
    this.#buffers = [
      [gl.COLOR_ATTACHMENT0, gl.RGBA8],
      [gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24],
    ].map(([at, format]) => ({ at, format, buffer: gl.createRenderbuffer() }));
  }

  /** Draws there from now on. */
  use(width, height) {
    const gl = this.#gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#frame);
    gl.viewport(0, 0, width, height);
    if (width === this.width && height === this.height) return;
    [this.width, this.height] = [width, height];
    for (const { at, format, buffer } of this.#buffers) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, this.#samples, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, at, gl.RENDERBUFFER, buffer);
    }
  }

  /** Copies the colours to another sheet of the same size, or stretched to the canvas, which is null. */
  copy(to, width, height) {
    const gl = this.#gl;
    to?.use(width, height);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.#frame);
    if (!to) gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, this.width, this.height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.LINEAR);
  }
}

/** Both ways to draw a frame. */
export class Target {
  #fine;
  #plain;
  #isFine = true;
  #size = [0, 0];

  constructor(gl) {
    this.#fine = new Sheet(gl, SAMPLES);
    this.#plain = new Sheet(gl, 0);
  }

  /** Begins a frame for a canvas; a coarse one has half as many pixels each way, and hard edges. */
  begin(width, height, isFine) {
    this.#isFine = isFine;
    this.#size = [width, height];
    if (isFine) this.#fine.use(width, height);
    else this.#plain.use(Math.ceil(width / 2), Math.ceil(height / 2));
  }

  /** Shows what was drawn. */
  show() {
    const [width, height] = this.#size;
    // Soft edges are worked out between pictures of the same kind; the canvas may be of another.
    if (this.#isFine) this.#fine.copy(this.#plain, width, height);
    this.#plain.copy(null, width, height);
  }
}
