import { nextDue } from '../../calendar/next-due.ts';
import type { Context, ScheduledBackups } from '../../context.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { dueClock } from '../../ledger/due-clock.ts';
import { leaveNote, readNote, type BackupTriesNote } from '../../ledger/alerts/notes.ts';
import { raise, recover } from '../../ledger/alerts/incidents.ts';
import { INSTALLATION } from '../../incidents.ts';

const MINUTE_MS = 60_000;

/** The longest pause before a backup that failed is tried again, milliseconds. */
const LONGEST_PAUSE = 60 * MINUTE_MS;

/** A time so far ahead was written by a clock that was wrong, milliseconds. */
const AHEAD = 60 * MINUTE_MS;

/** Whether a backup lies in the future. */
export function isAhead(at: number, now: number): boolean {
  return at > now + AHEAD;
}

const SUBJECT = { kind: 'missing-backup', login: INSTALLATION } as const;

/**
 * Makes the backup that is due, if one is: at once where there is none yet, and once for all times that were missed. One that fails is tried again,
 * after pauses that grow to an hour. Several processes may call it; one of them makes the backup.
 */
export async function backUpWhenDue(ctx: Context, signal: AbortSignal): Promise<void> {
  const { backups, ledger } = ctx;
  if (backups === null) return;
  const now = await dueClock(ctx);
  const tries = await triesOf(backups, now, ctx);
  const { due } = await standing(backups, tries, now, ctx);
  if (due > now || (tries.failed !== null && now < tries.failed.at + pauseAfter(tries.failed.times))) return;
  try {
    const made = await ctx.gauges.during('backup', { stage: 'copy', unit: null, total: null }, (meter) =>
      backups.make({ now, meter, signal }),
    );
    ctx.log.info({ place: backups.where, ...made }, 'backed up');
    if (made.lost > 0) ctx.log.warn(made, 'backup lacks files that the archive has lost');
    await leaveNote(ledger.db, 'backup-tries', { ...tries, failed: null });
  } catch (error) {
    if (signal.aborted || isOfAnother(error)) return;
    const said = messageOf(error);
    ctx.log.warn({ place: backups.where, reason: said }, 'backup failed');
    const failed = { at: await dueClock(ctx), times: (tries.failed?.times ?? 0) + 1, said };
    await leaveNote(ledger.db, 'backup-tries', { ...tries, failed });
  }
}

/** Another process makes a backup now: it is for this one to wait, not to fail. */
function isOfAnother(error: unknown): boolean {
  return error instanceof OfferlineError && error.code === 'conflict' && error.retryable;
}

function pauseAfter(times: number): number {
  return Math.min(MINUTE_MS * 2 ** (times - 1), LONGEST_PAUSE);
}

/** Says that the newest backup is late, or lacks files, as long as that is so. */
export async function checkBackups(ctx: Context): Promise<void> {
  const { backups, ledger } = ctx;
  const now = ctx.clock.now();
  const end = (text: string) => recover(ledger.db, { ...SUBJECT, text }, now);
  if (backups === null) {
    await end('no backups are scheduled any more');
    return;
  }
  const at = await dueClock(ctx);
  const tries = await triesOf(backups, at, ctx);
  const { newest, due } = await standing(backups, tries, at, ctx);
  const { ahead = null } = tries;
  const { where: place, address } = backups;
  if (at - due > backups.settings.tolerance) {
    const reason = {
      code: 'backup-late',
      place,
      address,
      due,
      last: newest?.at ?? null,
      ahead: newest === undefined ? ahead : null,
      said: tries.failed?.said ?? null,
      timeZone: backups.settings.timezone,
    } as const;
    await raise(ledger.db, { ...SUBJECT, reason, numbers: { due, last: reason.last } }, now);
    return;
  }
  if (newest !== undefined && newest.lost > 0) {
    const reason = { code: 'backup-lacks', place, address, backup: newest.backup, files: newest.lost } as const;
    await raise(ledger.db, { ...SUBJECT, reason, cause: 'lacks', numbers: { files: newest.lost } }, now);
    return;
  }
  await end(
    newest === undefined ? 'the first backup to this place is not late yet' : `backup ${newest.backup} was made`,
  );
}

/** The newest backup of the place, and when the next one is, or was, due. */
async function standing({ settings, where }: ScheduledBackups, { since }: BackupTriesNote, now: number, ctx: Context) {
  const known = await newestKnown(where, ctx);
  const newest = known === undefined || isAhead(known.at, now) ? undefined : known;
  return { newest, due: newest === undefined ? since : nextDue(settings, newest.at) };
}

async function newestKnown(where: string, { ledger }: Context) {
  const all = (await readNote(ledger.db, 'backups')) ?? {};
  return Object.hasOwn(all, where) ? all[where] : undefined;
}

/** How the backups of the place go; of another place, or as yet of none, nothing is known. After one that lies in the future everything begins anew. */
async function triesOf({ where }: ScheduledBackups, now: number, ctx: Context): Promise<BackupTriesNote> {
  const { ledger } = ctx;
  const known = await readNote(ledger.db, 'backup-tries');
  const newest = await newestKnown(where, ctx);
  const ahead = newest !== undefined && isAhead(newest.at, now) ? newest.at : null;
  const isKnown = known !== undefined && known.place === where && !isAhead(known.since, now);
  if (isKnown && (ahead === null || known.ahead === ahead)) return known;
  const begun: BackupTriesNote = { place: where, since: now, failed: null, ahead };
  await leaveNote(ledger.db, 'backup-tries', begun);
  return begun;
}
