import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { openIncident, raise, recover } from '../../ledger/alerts/incidents.ts';
import { addEvent, runsAt, updateRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { waitsFor } from '../../pull/choose/changes.ts';
import type { Pulled } from '../../pull/source.ts';
import { patienceOf } from '../../pull/several/wanted.ts';
import { isFolder, takesSeveral } from '../feeds/place-of-feed.ts';

/** About so many looks are taken at a delivery before its rest is given up; they are counted, because clocks may jump. */
const LOOKS = 24;
/** Milliseconds between two looks. */
const [SOONEST, LATEST] = [100, 5 * 60_000];
/** Names that a reason shows. */
const SHOWN = 5;
/** Waiting for changes that are missing, in milliseconds, where nothing else is written. */
const WITHIN = 2 * 60 * 60_000;

/** Until when a run waits for the rest of its delivery (epoch milliseconds); null when it does not, or has waited. */
export function waitingUntil({ options: { waiting } }: RunRow, { clock }: Pick<Context, 'clock'>): number | null {
  const left = (waiting?.until ?? 0) - clock.now();
  // More is left only where a clock was set back.
  return waiting !== undefined && left > 0 && left <= LATEST ? waiting.until : null;
}

/**
 * What becomes of a delivery that is not complete: when it is looked at again (epoch milliseconds), `take` for what is there, `nothing` for a
 * run that ends; null for one that is complete, or is none. Changes wait for those before them in the same way, for `change.within`. A person
 * who asks for a run does not wait; after `completeWithin` an incident names what is missing.
 */
export async function restOf(run: RunRow, pulled: Pulled, ctx: Context): Promise<number | 'take' | 'nothing' | null> {
  const settings = ctx.config.feeds[run.feed];
  if (pulled.kind !== 'nothing' || pulled.incomplete === undefined || settings === undefined) return null;
  if (!isFolder(settings.source)) return null;
  const isOfChanges = settings.delivery !== 'full';
  // What is taken without those before it is held, and that is said.
  if (run.cause !== 'schedule' && run.cause !== 'push') return isOfChanges ? 'take' : 'nothing';
  const { there, missing } = pulled.incomplete;
  const { completeWithin, takesPart } = isOfChanges
    ? { completeWithin: settings.change?.within ?? WITHIN, takesPart: true }
    : patienceOf(settings.source);
  const pause = Math.min(LATEST, Math.max(SOONEST, Math.ceil(completeWithin / LOOKS)));
  const { waiting } = run.options;
  const looks = (waiting?.looks ?? 0) + 1;
  const now = ctx.clock.now();
  if (looks * pause <= completeWithin) {
    const until = now + pause;
    await updateRun(ctx.ledger.db, run.id, { options: { ...run.options, waiting: { looks, until, missing } } });
    if (!isDeepStrictEqual(waiting?.missing, missing)) {
      const message = isOfChanges
        ? `${there[0]} ${waitsFor(missing)}`
        : `waits for the rest of the delivery: ${missing.join(', ')} missing`;
      await addEvent(ctx.ledger.db, run.id, { at: now, stage: 'pull', message });
    }
    return until;
  }
  if (isOfChanges) return 'take';
  const { feed, login } = run;
  const reason = {
    code: 'incomplete',
    there: there.slice(0, SHOWN),
    more: Math.max(0, there.length - SHOWN),
    missing: missing.slice(0, SHOWN),
    within: completeWithin,
    isTaken: takesPart,
  } as const;
  await raise(ctx.ledger.db, { kind: 'incomplete-delivery', login, feed, reason }, now);
  return takesPart ? 'take' : 'nothing';
}

/** Whether a run of a feed waits for the rest of its delivery: a second one would wait for the same. */
export async function waitsForRest(feed: string, { config, ledger }: Context): Promise<boolean> {
  const settings = config.feeds[feed];
  if (settings === undefined || (settings.delivery === 'full' && !takesSeveral(settings.source))) return false;
  const open = await runsAt(ledger.db, ['pull'], config.feeds[feed]?.login);
  return open.some((run) => run.feed === feed && run.options.waiting !== undefined);
}

const ENDS = { taken: 'a complete delivery was taken', nothing: 'no file waits for others of its delivery any more' };

/** Ends the incident of a delivery that was not complete, once one is, or nothing is left of it. */
export async function endIncomplete(
  { login, feed, options }: RunRow,
  why: keyof typeof ENDS,
  { ledger, clock }: Context,
): Promise<void> {
  // What a person gives says nothing of the place.
  if (options.file !== undefined) return;
  const what = { kind: 'incomplete-delivery', login, feed } as const;
  // Hardly ever is there one.
  if ((await openIncident(ledger.db, what)) === undefined) return;
  await recover(ledger.db, { ...what, text: ENDS[why] }, clock.now());
}

/**
 * Opens an incident while changes wait behind a file that nobody looks after: it was rejected, failed, or is no longer live, or while some came
 * late by their numbers; and ends it once changes are taken again. Of one that is held, its own run tells.
 */
export async function noteStopped({ login, feed }: RunRow, pulled: Pulled, ctx: Context): Promise<void> {
  const { waiting } = pulled;
  if (waiting === undefined) return;
  const { db } = ctx.ledger;
  const what = { kind: 'stopped-changes', login, feed } as const;
  const now = ctx.clock.now();
  const { by, count, late = [] } = waiting;
  const [file] = late;
  if (by !== null && by.state !== 'open' && by.state !== 'held' && count > 0) {
    const { name, run, state } = by;
    await raise(db, { ...what, reason: { code: 'changes-stopped', file: name, run, state, count } }, now);
  } else if (by === null && file !== undefined) {
    await raise(db, { ...what, reason: { code: 'changes-late', file, more: late.length - 1 } }, now);
  } else if (by === null && (await openIncident(db, what)) !== undefined) {
    await recover(db, { ...what, text: 'changes are taken in their order again' }, now);
  }
}
