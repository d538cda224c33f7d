import { runInThread } from '../../thread.ts';
import type { Duty, Plan } from './plan.ts';
import type { LargeWork } from './read-large.ts';
import { takeStretches, type Totals } from './take-stretches.ts';
import { createTurns, openTurns, type StopReason } from './turns.ts';

/** What the threads came to, and why they did not come to the end of the file. */
export type Outcome = { totals: Totals[]; stopped: StopReason | null };

/** Has all threads take stretches of a file until its end; the signal stops them. */
export async function runThreads(plan: Plan, signal: AbortSignal | undefined): Promise<Outcome> {
  const turns = openTurns(plan.turns);
  const interrupt = () => turns.stop('interrupted');
  signal?.addEventListener('abort', interrupt, { once: true });
  if (signal?.aborted === true) interrupt();
  try {
    const totals = await inThreads(plan.layout.threads.length, (thread) =>
      thread === 0
        ? takeStretches({ plan, thread })
        : runInThread<Totals>(
            { module: new URL('./take-stretches.ts', import.meta.url), name: 'takeStretches' },
            { plan, thread },
          ),
    );
    return { totals, stopped: turns.stopped() };
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}

/** Starts the shares of several threads; the first one is this thread's own. */
export function inThreads<T>(threads: number, start: (thread: number) => Promise<T>): Promise<T[]> {
  const shares = Array.from({ length: threads }, (_, at) => threads - 1 - at).map(start);
  return Promise.all(shares.toReversed());
}

/** The plan of one reading of a file; `parts`: the table of parts and how many are in it. */
export function planFor(
  { file, reading, layout, module }: LargeWork,
  duty: Duty,
  parts: { table: number; slots: number; used: number },
): Plan {
  const { source, size, start, line, rows, issues, issuesLayout, dialect, charset, scan, numbered, onlyUtf8 } = file;
  const [rowBytes, issueBytes] = [rows?.bytes ?? 0, issues?.bytes ?? 0];
  const isWritten = duty.kind !== 'collect';
  return {
    module,
    layout,
    duty,
    turns: createTurns({ end: start, line, rowBytes, issueBytes, ...parts, reread: 0 }),
    settings: reading.settings,
    map: reading.map!,
    dialect,
    charset,
    scan,
    source,
    rows: isWritten ? rows : null,
    issues: isWritten ? issues : null,
    issuesLayout: isWritten ? issuesLayout : null,
    numbered,
    onlyUtf8,
    sizes: file.sizes,
    start,
    size,
    stretches: Math.ceil((size - start) / file.sizes.stretch),
  };
}
