import { appendFileSync, chmodSync, mkdtempSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, aroundAll, beforeEach, expect, vi } from 'vitest';
import { forgetCredentials } from '../../../src/wording/redact.ts';
import { endFile } from '../at-end.ts';
import { killAll, removeFolder } from './clear-away.ts';
import { closeServer, describeEntry, describeProcess, describeServer } from './describe.ts';
import { processesOf } from './processes.ts';
import { currentTest, forgetStarted, hasStarted, openServers, testOfChild } from './started.ts';

/** What is ending when the last test is over may take so long, in milliseconds: only what stays makes a file wait. */
const PATIENCE_MS = Number(process.env['SUITE_PATIENCE'] ?? 20_000);

// Test files share a process: each begins outside a test, and what it has made for all of its tests ends with it.
delete (expect.getState() as { currentTestName?: string }).currentTestName;
const mask = process.umask(0o022);
process.umask(mask);
afterAll(async () => {
  await endFile();
  // A pull that was given up may still be loading its module, which would fail for the next file as well.
  await vi.dynamicImportSettled();
  forgetCredentials();
  // An installation that a test opens makes everything private from then on.
  process.umask(mask);
});

const root = process.env['SUITE_ROOT'];
if (root !== undefined) watch(root);

/** Gives a test file a temporary folder of its own, and fails it for what it leaves in there, running or listening. */
function watch(suite: string): void {
  const name = relative(process.cwd(), expect.getState().testPath ?? '');
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync(join(suite, 'f'));
  // Servers that refuse to run as root keep their files in there.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = process.env['SUITE_FOLDER'] = folder;
  appendFileSync(join(suite, 'files'), `${folder}\t${name}\n`);
  const firstSeen = new Map<string, string>();
  const note = (test: string) => {
    for (const name of readdirSync(folder)) if (!firstSeen.has(name)) firstSeen.set(name, test);
  };
  let last = currentTest();
  beforeEach(() => {
    note(last);
    last = currentTest();
  });
  afterEach(() => note(last));
  forgetStarted();
  aroundAll(async (runTests) => {
    await runTests();
    const left = await whatIsLeft(folder, firstSeen);
    for (const [server] of openServers()) closeServer(server);
    if (hasStarted()) await killAll(folder);
    await removeFolder(folder);
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    delete process.env['SUITE_FOLDER'];
    if (left.length > 0) throw new Error(`${name} has left:\n${left.join('\n')}`);
  });
}

async function whatIsLeft(folder: string, firstSeen: ReadonlyMap<string, string>): Promise<string[]> {
  const look = () => {
    const processes = (hasStarted() ? processesOf(folder) : []).map((found) => {
      const inside = `${found.command} ${found.cwd}`.split(`${folder}/`)[1]?.split(/[\s/]/u, 1)[0] ?? '';
      return describeProcess(found, testOfChild(found.pid) ?? found.test ?? firstSeen.get(inside));
    });
    const entries = readdirSync(folder).map((name) => describeEntry(join(folder, name), firstSeen.get(name)));
    return [...processes, ...entries, ...openServers().map(([server, test]) => describeServer(server, test))];
  };
  const end = performance.now() + PATIENCE_MS;
  let left = look();
  while (left.length > 0 && performance.now() < end) {
    await sleep(50);
    left = look();
  }
  return left;
}
