// A worker of run.js: runs the files that it is given in one process, so that they share a browser and a server.

import { finish, settled } from "./support/browser.js";

const here = new URL(".", import.meta.url);
const abandoned = () => process.exit(1);
process.on("disconnect", abandoned);

/** Asks for a file to run; `null` if there is nothing left to do. */
async function nextFile() {
  const answer = new Promise((resolve) => process.once("message", resolve));
  process.send("next");
  return (await answer).file;
}

for (let file = await nextFile(); file !== null; file = await nextFile()) {
  await import(new URL(file, here));
  await settled();
}
await finish();
process.off("disconnect", abandoned);
process.disconnect();
