// Downloads.

import { el } from "../dom.js";

/** Offers a file for download. */
export function saveFile(name, blob) {
  const url = URL.createObjectURL(blob);
  const anchor = el("a", { href: url, download: name });
  anchor.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
