import type { Context } from '../../context.ts';
import { isAnyLeaseHeld } from '../../ledger/lease.ts';
import { readNote, type SweepNote } from '../../ledger/alerts/notes.ts';
import { PATIENCE } from '../workers/who-reaches.ts';
import { openWork } from '../../ledger/maintenance/open-work.ts';

/** Whether somebody is at work. */
export type Attendance = {
  /** The last sweep of a worker; undefined before the first. */
  last: SweepNote | undefined;
  /** No worker has swept for so long that none runs. */
  late: boolean;
  /** What is open while nobody works on it; null when there is nothing, or somebody does. */
  unattended: { runs: number; uploads: number } | null;
};

/** Without a sweep open work stays open, unless somebody is at work on it; without open work none is needed. */
export async function attendance(ctx: Context): Promise<Attendance> {
  const { db } = ctx.ledger;
  const [last, work] = await Promise.all([readNote(db, 'last-sweep'), openWork(db)]);
  const late = last === undefined || ctx.clock.now() - last.at > PATIENCE * ctx.config.worker.sweep;
  const isUnattended = late && work.runs + work.uploads > 0 && !(await isAnyLeaseHeld(ctx.ledger));
  return { last, late, unattended: isUnattended ? work : null };
}
