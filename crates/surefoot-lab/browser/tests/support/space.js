// Tests of scenes in three dimensions.

import { labTest, sharingTest } from "./browser.js";

/** A window in which little has to be drawn: without a graphics card pixels take long. */
const SMALL = { viewport: { width: 900, height: 600 } };

/** A test in a small window, unless its options say otherwise. */
export function spaceTest(name, options, body = options) {
  labTest(name, body === options ? SMALL : { ...SMALL, ...options }, body);
}

/** The same in a page that the test before it has left. */
export const sharingSpaceTest = (name, body) => sharingTest(name, SMALL, body);
