// Screenshots as small files: at most 256 colours, packed as well as it goes.

import { deflateSync } from "node:zlib";

const MOST_COLOURS = 256;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Encodes pixels (four bytes each, opaque) as a PNG with a palette. */
export function smallPng(pixels, width, height) {
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const { palette, indexOf } = paletteOf(counts);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0, from = 0; y < height; y++) {
    // Each row begins with the number of its filter: 0, none.
    for (let x = 0, to = y * (width + 1) + 1; x < width; x++, from += 4) {
      rows[to + x] = indexOf.get((pixels[from] << 16) | (pixels[from + 1] << 8) | pixels[from + 2]);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits a pixel, with a palette.
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const data = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Median cut. The commonest colour of a box stands for it, so that flat areas keep theirs. */
function paletteOf(counts) {
  const channel = (colour, shift) => (colour >> shift) & 255;
  const measure = (colours) => {
    const spans = [16, 8, 0].map((shift) => {
      const values = colours.map((colour) => channel(colour, shift));
      return {
        shift,
        span: values.reduce((a, b) => Math.max(a, b), 0) - values.reduce((a, b) => Math.min(a, b), 255),
      };
    });
    const { shift, span } = spans.sort((a, b) => b.span - a.span)[0];
    const weight = colours.reduce((sum, colour) => sum + counts.get(colour), 0);
    // Boxes that are wide and much used are cut first.
    return { colours, shift, span, urgency: span * Math.sqrt(weight) };
  };
  const boxes = [measure([...counts.keys()])];
  while (boxes.length < MOST_COLOURS) {
    const widest = boxes.reduce((a, b) => (b.urgency > a.urgency ? b : a));
    if (widest.span === 0) break;
    const { colours, shift } = widest;
    const sorted = [...colours].sort((a, b) => channel(a, shift) - channel(b, shift));
    const values = sorted.map((colour) => channel(colour, shift));
    const middle = (values[0] + values.at(-1)) / 2;
    const cut = values.findIndex((value) => value > middle);
    boxes.splice(boxes.indexOf(widest), 1, measure(sorted.slice(0, cut)), measure(sorted.slice(cut)));
  }
  const indexOf = new Map();
  const palette = boxes.map(({ colours }, index) => {
    for (const colour of colours) indexOf.set(colour, index);
    return colours.reduce((a, b) => (counts.get(b) > counts.get(a) ? b : a));
  });
  return { palette, indexOf };
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc(body), body.length + 4);
  return framed;
}

function crc(bytes) {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return ~rest >>> 0;
}
