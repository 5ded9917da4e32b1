// Starting Chromium.

import { chromium } from "playwright-core";

/** Options that keep Chromium from connecting to other hosts than the lab, and let it run in a container. */
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
