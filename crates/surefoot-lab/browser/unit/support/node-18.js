// Debian 12 has Node 18, which lacks some things that every browser of today has.

import { Duplex } from "node:stream";
import { createDeflateRaw, createInflateRaw } from "node:zlib";

Array.prototype.with ??= function (index, value) {
  return this.map((old, i) => (i === index ? value : old));
};

Array.prototype.toSpliced ??= function (...change) {
  const copy = [...this];
  copy.splice(...change);
  return copy;
};

try {
  new CompressionStream("deflate-raw");
} catch {
  globalThis.CompressionStream = function () {
    return Duplex.toWeb(createDeflateRaw());
  };
  globalThis.DecompressionStream = function () {
    return Duplex.toWeb(createInflateRaw());
  };
}
