import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFailed, onTestFinished } from 'vitest';

type Cleanup = () => unknown;

const left: Cleanup[] = [];
const scopes = new AsyncLocalStorage<Cleanup[]>();

/** Cleans up after the last test of a file; called for each file by its setup. */
export async function endFile(): Promise<void> {
  for (const cleanup of left.splice(0).reverse()) await cleanup();
}

/** Cleans up when the running test has finished, or after the last test of the file when it is called in `beforeAll`. */
export function atEnd(cleanup: Cleanup): void {
  const scope = scopes.getStore();
  if (scope !== undefined) scope.push(cleanup);
  else if (expect.getState().currentTestName === undefined) left.push(cleanup);
  else onTestFinished(async () => void (await cleanup()));
}

/** Kills a process when the running test has finished, and waits until it is gone: only then its Redis has one user less. */
export function killAtEnd(child: ChildProcess): void {
  const exit = once(child, 'exit');
  atEnd(async () => {
    child.kill('SIGKILL');
    await exit;
  });
}

/** Tells more of a test that failed; of one in `beforeAll` nothing more can be told. */
export function ifFailed(tell: () => void): void {
  if (expect.getState().currentTestName !== undefined) onTestFailed(tell);
}

/** Runs work that goes on beside other work of the same file, and cleans up after it, however it ends. */
export async function inScope<T>(work: () => Promise<T>): Promise<T> {
  const cleanups: Cleanup[] = [];
  try {
    return await scopes.run(cleanups, work);
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}
