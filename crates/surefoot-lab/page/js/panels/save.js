// Files for the person's disk.

import { el } from "../dom.js";

/** Hands a file to the browser to keep. */
export function saveFile(name, blob) {
  const url = URL.createObjectURL(blob);
  const anchor = el("a", { href: url, download: name });
  anchor.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
