// How slow the page is made, and how long tests wait for it.
//
//   SUREFOOT_CPU_THROTTLE=10   the page's processor looks ten times as slow as it is
//   SUREFOOT_FRAME_DELAY=300   each frame of the page comes 300 milliseconds later than it would
//
// A test that passes only on a fast machine fails with one of these, on any machine.

const positive = (name, usual) => {
  const value = Number(process.env[name] ?? usual);
  if (!Number.isFinite(value) || value < usual) throw new Error(`${name}: found ${process.env[name]}, expected a number from ${usual}`);
  return value;
};

const THROTTLE = positive("SUREFOOT_CPU_THROTTLE", 1);
const FRAME_DELAY = positive("SUREFOOT_FRAME_DELAY", 0);

/** So many seconds on a fast machine, in milliseconds, longer where the page is made slow. Only what fails takes as long. */
export const patience = (seconds) => 1000 * seconds * THROTTLE * (1 + FRAME_DELAY / 100);

/** Makes the pages of a context slow, as far as that has to be known before they load. */
export async function slowFrames(context) {
  if (FRAME_DELAY === 0) return;
  await context.addInitScript((delay) => {
    const request = requestAnimationFrame.bind(globalThis);
    globalThis.requestAnimationFrame = (callback) => setTimeout(() => request(callback), delay);
  }, FRAME_DELAY);
}

/** Makes the processor of a page slow. */
export async function slowProcessor(page) {
  if (THROTTLE === 1) return;
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: THROTTLE });
}
