import { readFileSync } from 'node:fs';

/** What a process has read and written so far, by its own calls: files and connections alike, in bytes. */
export type Moved = { offerline: number; service: number };

/** A line of the log that marks a moment, with what had been moved by then; `at` in milliseconds. */
export type Mark = { at: number; moved: Moved; line: LogLine };

type LogLine = { msg?: string; stage?: string; to?: string };

/** A stage from its beginning to that of the next one; `gap`: how many of the seconds come after its end was logged. */
export type Stage = { name: string; seconds: number; gap: number; moved: Moved };

/** The only stage that waits for the service to work. */
export const PROCESS = 'process, by the service';

/** What the process that works in a stage has moved: what the service does in the background is not the stage's. */
export function movedBy({ name, moved }: Stage): number {
  return name === PROCESS ? moved.service : moved.offerline;
}

/** What each stage is called in the table, in the order of a run. */
const NAMES: Record<string, string> = {
  pull: 'pull',
  read: 'unpack, detect, read',
  guard: 'compare with what is live',
  compose: 'compose',
  send: 'send',
  trace: 'trace rejections',
  fetch: 'read back',
  prove: 'compare with what was sent',
  search: 'search',
  report: 'report',
};

/** The stage that a line begins; undefined for a line that begins none. */
function begins({ msg, stage = '', to }: LogLine): string | undefined {
  if (msg === 'stage began') return NAMES[stage] ?? stage;
  if (msg !== 'upload moved') return undefined;
  if (to === 'submitted') return PROCESS;
  return to === 'success' ? 'fetch .errors' : undefined;
}

/**
 * The stages of a run from the marks of its process, the first of which is its start and the last its end. Every second belongs to
 * one stage; a stage that comes again is counted with its first time.
 */
export function stagesOf(marks: readonly Mark[]): Stage[] {
  const stages = new Map<string, Stage>();
  let current = open(stages, 'start');
  let ended = false;
  for (const [at, mark] of marks.entries()) {
    const before = marks[at - 1];
    if (before !== undefined) {
      const seconds = (mark.at - before.at) / 1000;
      current.seconds += seconds;
      if (ended) current.gap += seconds;
      current.moved.offerline += mark.moved.offerline - before.moved.offerline;
      current.moved.service += mark.moved.service - before.moved.service;
    }
    const next = begins(mark.line);
    if (next !== undefined) current = open(stages, next);
    ended = next === undefined && (ended || mark.line.msg === 'stage ended');
  }
  return [...stages.values()];
}

function open(stages: Map<string, Stage>, name: string): Stage {
  const known = stages.get(name) ?? { name, seconds: 0, gap: 0, moved: { offerline: 0, service: 0 } };
  stages.set(name, known);
  return known;
}

/** What a process has read and written so far, in bytes, and the most memory it had, in MB; nothing of one that is gone. */
export function readUsage(pid: number): { moved: number; peakMb: number } {
  const numberOf = (name: string, file: string) =>
    Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1] ?? 0);
  try {
    return {
      moved: numberOf('rchar', 'io') + numberOf('wchar', 'io'),
      peakMb: numberOf('VmHWM', 'status') / 1024,
    };
  } catch {
    return { moved: 0, peakMb: 0 };
  }
}
