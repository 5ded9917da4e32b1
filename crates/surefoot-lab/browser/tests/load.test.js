// The page loads and keeps to itself.

import assert from "node:assert/strict";
import { Visit, labTest } from "./support/browser.js";

labTest("it loads, shows a path and asks only its own server", async ({ page, lab, requests, server }) => {
  const answer = await page.request.get(server.url);
  assert.match(answer.headers()["content-security-policy"], /default-src 'none'|default-src 'self'/);
  assert.equal(await page.title(), "Surefoot lab");
  assert.equal((await lab.result()).outcome, "found");
  assert.ok(requests === 0 || requests > 10);
});
