import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { killAll, removeFolder } from './clear-away.ts';
import { describeEntry, describeProcess } from './describe.ts';
import { processesOf } from './processes.ts';

const GUARDIAN = join(import.meta.dirname, 'guardian.ts');

/**
 * Keeps the temporary files of a run of the suite in one folder, and fails the run for what is left there or runs after its last
 * file. A process of its own clears away when the run is killed.
 */
export function setup({ vitest }: TestProject): (() => Promise<void>) | undefined {
  // Each project of the configuration asks.
  if (process.env['SUITE_RUNNER'] === String(process.pid)) return undefined;
  // Processes say by their working folder where they are, and that has no links. The paths of sockets must stay short.
  const root = mkdtempSync(join(temporaryFolder(), 'ofl-'));
  chmodSync(root, 0o711);
  Object.assign(process.env, { SUITE_RUNNER: String(process.pid), SUITE_ROOT: root });
  const guardian = startGuardian(
    root,
    vitest.projects.map(({ tmpDir }) => tmpDir),
  );
  return async () => {
    const left = whatIsLeft(root);
    await killAll(filesOf(root));
    await removeFolder(root);
    const ended = once(guardian, 'exit');
    guardian.ref();
    guardian.kill('SIGKILL');
    await ended;
    if (left.length > 0) throw new Error(`Test files have left:\n${left.join('\n')}`);
  };
}

/** In memory, where there is room: each transaction of a ledger waits for its disk otherwise, a hundred thousand times in all. */
function temporaryFolder(): string {
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return realpathSync(tmpdir());
  const memory = statfsSync(IN_MEMORY, { bigint: true });
  return memory.type === TMPFS && memory.bavail * memory.bsize >= ROOM ? IN_MEMORY : realpathSync(tmpdir());
}

const IN_MEMORY = '/dev/shm';
const TMPFS = 0x01021994n;
/** Bytes: what the tests of large files need, several times. */
const ROOM = 8n * 1024n ** 3n;

/** It has a session of its own: Ctrl-C must not end it together with what it watches. */
function startGuardian(root: string, folders: string[]): ChildProcess {
  const guardian = spawn(process.execPath, [GUARDIAN, root, ...folders], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  guardian.unref();
  (guardian.stdin as unknown as { unref: () => void }).unref();
  return guardian;
}

/** With what the folders of test files begin: the workers of the runner know the root, and are none of their processes. */
function filesOf(root: string): string {
  return join(root, 'f');
}

function whatIsLeft(root: string): string[] {
  const file = namesOfFiles(root);
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const folder = join(root, name);
      const processes = processesOf(folder).map((found) => describeProcess(found, found.test));
      const entries = readdirSync(folder).map((entry) => describeEntry(join(folder, entry), undefined));
      const left = processes.concat(entries);
      return left.length === 0 ? left : [`${file.get(folder) ?? folder}:`].concat(left);
    });
}

function namesOfFiles(root: string): ReadonlyMap<string, string> {
  const lines = readFileSync(join(root, 'files'), { encoding: 'utf8', flag: 'a+' }).trim().split('\n');
  return new Map(lines.map((line) => line.split('\t') as [string, string]));
}
