import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process that runs. `test`: the name of the test that started it, where its environment has that. */
export type Process = { pid: number; command: string; cwd: string; test: string | undefined };

/** The variable that tells by which test of the suite a process was started. */
export const TEST_VARIABLE = 'SUITE_TEST';

/**
 * The processes that belong to a folder: its path is in their environment, or they have no usual environment and work in the
 * folder or name it, or one of these started them. None where there is no /proc.
 */
export function processesOf(folder: string): Process[] {
  const running = listProcesses();
  const found = new Map<number, Process>();
  for (const { pid } of running) {
    const { environment, command, cwd } = look(pid);
    // Somebody who only looks into the folder has a PATH. What the program starts may have nothing but the folder.
    const isBare = !/(?:^|\0)PATH=/u.test(environment) && [command, cwd].some((text) => text.includes(folder));
    if (!isBare && !environment.includes(folder)) continue;
    const test = new RegExp(`(?:^|\0)${TEST_VARIABLE}=([^\0]*)`, 'u').exec(environment)?.[1];
    found.set(pid, { pid, command, cwd, test });
  }
  for (const [pid, test] of descendants(running, found)) found.set(pid, { pid, ...look(pid), test });
  found.delete(process.pid);
  return [...found.values()];
}

/** The ports at which a process listens. */
export function portsOf(pid: number): string[] {
  const sockets = new Set(
    entriesOf(`/proc/${pid}/fd`).map((fd) => /^socket:\[(\d+)\]$/u.exec(target(`/proc/${pid}/fd/${fd}`))?.[1]),
  );
  const LISTENS = '0A';
  return ['tcp', 'tcp6'].flatMap((table) =>
    content(`/proc/${pid}/net/${table}`)
      .split('\n')
      .map((line) => line.trim().split(/\s+/u))
      .filter(([, , , state, , , , , , inode]) => state === LISTENS && sockets.has(inode))
      .map(([, local = '']) => String(Number.parseInt(local.split(':')[1] ?? '', 16))),
  );
}

type Listed = { pid: number; parent: number };

/** All processes but those of the kernel, and those that have ended and are still listed. */
function listProcesses(): Listed[] {
  const KERNEL = 2;
  return entriesOf('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map((name) => {
      // The name between the brackets may hold anything.
      const [state, parent] = content(`/proc/${name}/stat`)
        .replace(/^.*\) /su, '')
        .split(' ');
      return { pid: Number(name), parent: Number(parent), hasEnded: state === undefined || 'ZX'.includes(state) };
    })
    .filter(({ parent, hasEnded }) => !hasEnded && parent !== KERNEL);
}

/** Those that were started by the ones that were found and are not found themselves, with the test of the one above. */
function descendants(running: Listed[], found: ReadonlyMap<number, Process>): Map<number, string | undefined> {
  const below = new Map<number, string | undefined>();
  const follow = (top: number, test: string | undefined): void => {
    for (const { pid } of running.filter(({ pid: child, parent }) => parent === top && !found.has(child))) {
      below.set(pid, test);
      follow(pid, test);
    }
  };
  for (const { pid, test } of found.values()) follow(pid, test);
  return below;
}

function look(pid: number): { environment: string; command: string; cwd: string } {
  return {
    environment: content(`/proc/${pid}/environ`),
    command: content(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
    cwd: target(`/proc/${pid}/cwd`),
  };
}

// Processes end while they are looked at, and those of others cannot be looked at.

function content(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function target(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
