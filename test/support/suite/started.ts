import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:net';
import { expect } from 'vitest';
import { TEST_VARIABLE } from './processes.ts';

/** What this process has started since it was last asked, each with the name of the test that did. */
const servers = new Map<Server, string>();
const children = new Map<number, string>();
let started = false;

/** Before a test, and while a file is loaded, nothing has a test's name. */
const OUTSIDE = 'what runs before its tests';

subscribe('tracing:net.server.listen:asyncStart', (message) => {
  servers.set((message as { server: Server }).server, currentTest());
});

// A test may start a program with an environment of its own: whatever that is, what it leaves behind is found by these.
subscribe('tracing:child_process.spawn:start', (message) => {
  started = true;
  const { options } = message as { options: { envPairs: string[] } };
  const hasPlace = options.envPairs.some((pair) => pair.startsWith('TMPDIR='));
  const marks = {
    ...(hasPlace ? {} : { TMPDIR: process.env['TMPDIR'] }),
    SUITE_FOLDER: process.env['SUITE_FOLDER'],
    [TEST_VARIABLE]: currentTest().replaceAll('\0', ''),
  };
  options.envPairs = [
    ...options.envPairs.filter((pair) => !Object.hasOwn(marks, pair.split('=', 1)[0] ?? '')),
    ...Object.entries(marks).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])),
  ];
});

subscribe('tracing:child_process.spawn:end', (message) => {
  const { pid } = (message as { process: ChildProcess }).process;
  if (pid !== undefined) children.set(pid, currentTest());
});

/** The name of the test that runs. */
export function currentTest(): string {
  return expect.getState().currentTestName ?? OUTSIDE;
}

/** The servers of this process that still listen, each with the test that opened it. */
export function openServers(): [Server, string][] {
  return [...servers].filter(([server]) => server.listening);
}

/** The test that started a child of this process. */
export function testOfChild(pid: number): string | undefined {
  return children.get(pid);
}

/** Whether any process was started. */
export function hasStarted(): boolean {
  return started;
}

/** Forgets what was started so far. */
export function forgetStarted(): void {
  servers.clear();
  children.clear();
  started = false;
}
