import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isRunning } from '../../io/temporary-folder.ts';

/** Who made a file, as its name says: `place` is a machine since its start, or a container on it; `start` is 0 where it is not known. */
export type Maker = { place: string; pid: number; start: string };

/** The mark of this process for the names of its files, `PLACE-PID-START`: no other process has it, not even one that gets the same number. */
export function processMark(): string {
  return `${here()}-${process.pid}-${startOf(process.pid)}`;
}

/** Reads a mark as `processMark` makes it; null when it is none. */
export function makerOf(mark: string): Maker | null {
  const { place, pid, start } = /^(?<place>[0-9a-f]{8})-(?<pid>\d+)-(?<start>\d+)$/u.exec(mark)?.groups ?? {};
  return place === undefined || pid === undefined || start === undefined ? null : { place, pid: Number(pid), start };
}

/** True when a process is known to have ended, false when it may run; null for one of another place, of which nothing is known here. */
export function hasEnded({ place, pid, start }: Maker): boolean | null {
  if (place !== here()) return null;
  if (!isRunning(pid)) return true;
  const found = startOf(pid);
  return start !== UNKNOWN && found !== UNKNOWN && found !== start;
}

const UNKNOWN = '0';

/** Processes of one place see each other's numbers. */
function here(): string {
  const facts = [
    hostname(),
    readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    readOr(() => readlinkSync('/proc/self/ns/pid')),
  ];
  return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 8);
}

/** When a process began, in ticks since the machine's start, where Linux says it; a `/proc` of other processes says nothing. */
function startOf(pid: number): string {
  const isOurs = readOr(() => readlinkSync('/proc/self')) === String(process.pid);
  // The name of the program, in brackets, may hold anything.
  const fields = isOurs ? readOr(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\)/su, '') : '';
  return fields.trim().split(' ')[FIELD_OF_START] ?? UNKNOWN;
}

/** Counted from the one behind the name. */
const FIELD_OF_START = 19;

function readOr(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
