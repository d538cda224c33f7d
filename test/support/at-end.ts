import { afterAll, expect, onTestFinished } from 'vitest';

const left: (() => unknown)[] = [];

// Only here, while the test file is being collected, may a hook of the whole file be registered.
afterAll(async () => {
  for (const cleanup of left.splice(0).reverse()) await cleanup();
});

/** Cleans up when the running test has finished, or after the last test of the file when it is called in `beforeAll`. */
export function atEnd(cleanup: () => unknown): void {
  if (expect.getState().currentTestName === undefined) left.push(cleanup);
  else onTestFinished(async () => void (await cleanup()));
}
