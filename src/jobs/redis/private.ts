import { spawn } from 'node:child_process';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OfferlineError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Binary } from './binary.ts';
import { probe } from './probe.ts';

/** Loading a large append-only file takes its time. */
const START_LIMIT_MS = 60_000;

/**
 * Starts a server program on a Unix socket, with its data in `folder`, and waits until it answers; gives its process id.
 * Data that it cannot load is moved aside once: the queue only wakes workers, the ledger holds the work.
 */
export async function startPrivate(binary: Binary, folder: string, path: string, log: Log): Promise<number> {
  const data = join(folder, 'data');
  try {
    return await start(binary, folder, path);
  } catch (error) {
    await mkdir(data, { recursive: true });
    if ((await readdir(data)).length === 0) throw error;
    await rm(`${data}.unreadable`, { recursive: true, force: true });
    await rename(data, `${data}.unreadable`);
    log.warn(
      { err: error, movedTo: `${data}.unreadable` },
      'the private redis could not load its data, starting empty',
    );
    return start(binary, folder, path);
  }
}

async function start(binary: Binary, folder: string, path: string): Promise<number> {
  await mkdir(join(folder, 'data'), { recursive: true, mode: 0o700 });
  const logFile = join(folder, 'server.log');
  const output = await open(logFile, 'w', 0o600);
  // A session of its own: Ctrl-C in a terminal must not end the queue before the worker has handed back its jobs.
  const child = spawn(binary.file, serverArguments(folder, path), {
    cwd: folder,
    env: {},
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
  });
  const fate: { ended: string | null } = { ended: null };
  child.on('error', (error) => (fate.ended = error.message));
  child.on('exit', (code, signal) => (fate.ended = `it ended with ${signal ?? `status ${code}`}`));
  child.unref();
  await output.close();
  const end = performance.now() + START_LIMIT_MS;
  while (fate.ended === null && performance.now() < end) {
    if ((await probe(path)).state === 'answers') return child.pid ?? -1;
    await sleep(10);
  }
  if (fate.ended === null) child.kill('SIGKILL');
  throw new OfferlineError(
    'redis',
    `${binary.file} did not start: ${fate.ended ?? `it did not answer for ${START_LIMIT_MS / 1000} s`}. ${await lastLine(logFile)}`,
    { details: { logFile } },
  );
}

function serverArguments(folder: string, path: string): string[] {
  const settings = {
    port: '0',
    unixsocket: path,
    unixsocketperm: '700',
    dir: join(folder, 'data'),
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'maxmemory-policy': 'noeviction',
    loglevel: 'warning',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

async function lastLine(file: string): Promise<string> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return `${file} ends with: ${lines.at(-1) ?? ''}`;
}
