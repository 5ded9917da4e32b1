// Starting Chromium.

import { chromium } from "playwright-core";

/** What keeps Chromium from talking with anyone but the lab, and lets it run in a container. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  // WebGL without a graphics card.
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const launch = () =>
  chromium.launch({ executablePath: process.env.SUREFOOT_CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
