// Small shapes that are put into cells by the thousand: only the pixels that have ink are kept.

export class Stencil {
  /** `mask` has the alpha of each pixel, in rows of a width. */
  constructor(mask, width) {
    const inked = [...mask.keys()].filter((at) => mask[at] > 0);
    this.x = Uint16Array.from(inked, (at) => at % width);
    this.y = Uint16Array.from(inked, (at) => Math.floor(at / width));
    this.alpha = Uint8Array.from(inked, (at) => mask[at]);
  }

  /** Puts ink into a picture of a stride at `left, top`; nothing goes beyond `width` and `height` from there. */
  stamp(picture, stride, left, top, width, height, [red, green, blue, alpha]) {
    const { x, y, alpha: share } = this;
    for (let i = 0; i < share.length; i++) {
      if (x[i] >= width || y[i] >= height) continue;
      const at = (top + y[i]) * stride + left + x[i];
      const below = picture[at];
      // From 0 to 255 * 255 brought to 0 to 256, so that a shift divides.
      const part = (share[i] * alpha * 259) >> 16;
      const r = below & 255;
      const g = (below >> 8) & 255;
      const b = (below >> 16) & 255;
      picture[at] =
        0xff000000 |
        ((b + (((blue - b) * part) >> 8)) << 16) |
        ((g + (((green - g) * part) >> 8)) << 8) |
        (r + (((red - r) * part) >> 8));
    }
  }
}
