import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { holdFile } from '../ledger/engines/file-lock.ts';

/** A rehearsal that can go; `at`: when it was last at work. */
export type OldRehearsal = { path: string; at: number };

/** Also where locks do not work, none goes that was at work so recently. */
const RUNNING_MS = 3_600_000;

/** Where the rehearsals of a home are. */
export function rehearsalsIn(home: string): string {
  return join(home, 'rehearsals');
}

/** Says that a rehearsal is at work, for as long as this process does not let go of it; it ends with the process. */
export function holdRehearsal(home: string): () => void {
  return holdFile(lockOf(home)) ?? (() => undefined);
}

/** The rehearsals of a home beyond the newest, and those from before a time; none in which a process is at work. */
export async function oldRehearsals(
  home: string,
  { newest, before = -Infinity }: { newest: number; before?: number },
): Promise<OldRehearsal[]> {
  const folder = rehearsalsIn(home);
  const names = (await readdir(folder).catch(() => [])).sort((a, b) => (a < b ? 1 : -1));
  const old: OldRehearsal[] = [];
  for (const [place, name] of names.entries()) {
    const path = join(folder, name);
    const at = await lastAtWork(path);
    const isOld = (place >= newest || at < before) && Date.now() - at > RUNNING_MS;
    if (isOld && !isHeld(path)) old.push({ path, at });
  }
  return old;
}

async function lastAtWork(path: string): Promise<number> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
  return mtimeMs;
}

function isHeld(home: string): boolean {
  // Looking must not make it young again.
  if (!existsSync(lockOf(home))) return false;
  try {
    const release = holdFile(lockOf(home));
    release?.();
    return release === null;
  } catch {
    // What cannot be opened is no lock that somebody holds.
    return false;
  }
}

function lockOf(home: string): string {
  return join(home, 'at-work');
}
