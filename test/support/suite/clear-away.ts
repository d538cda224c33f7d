import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesOf } from './processes.ts';

/** Scans that find nothing before nothing more is expected: what was about to be started is there by then. */
const QUIET = 2;
/** Kills nothing but what the machine cannot end, such as a process that waits for a disk. */
const MOST_SCANS = 200;

/** Kills the processes of a folder, and those that they start meanwhile. */
export async function killAll(folder: string): Promise<void> {
  for (let [scans, quiet] = [0, 0]; quiet < QUIET && scans < MOST_SCANS; scans++) {
    const running = processesOf(folder);
    for (const { pid } of running) kill(pid);
    quiet = running.length === 0 ? quiet + 1 : 0;
    await sleep(25);
  }
}

/** Removes a folder with everything in it, also where a disk is mounted there. */
export async function removeFolder(folder: string): Promise<void> {
  for (const place of mountsIn(folder)) execFileSync('umount', ['-l', place]);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

function mountsIn(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  const places = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  return places.filter((place) => place.startsWith(`${folder}/`)).reverse();
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
