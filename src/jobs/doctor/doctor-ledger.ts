import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import { factsOf, listIncidents } from '../../ledger/alerts/incidents.ts';
import { isAnyLeaseHeld } from '../../ledger/lease.ts';
import { laneFaults } from '../../ledger/uploads/lane-faults.ts';
import { failingMails } from '../../ledger/alerts/mails.ts';
import { readNote, type SweepNote } from '../../ledger/alerts/notes.ts';
import { openWork } from '../../ledger/maintenance/open-work.ts';
import { incidentSentence } from '../../incidents.ts';
import { counted } from '../../wording/words.ts';
import { FAULTS_UNTIL_INCIDENT } from '../lane/lane-fault.ts';

/** One thing that was checked. */
export type Finding = { check: string; ok: boolean; detail: string };

const WEEK_MS = 7 * 86_400_000;

/** Sweeps that may be missed before `doctor` says that no worker sweeps. */
const PATIENCE = 10;

/** What the ledger says of work that goes on unwatched: the sweep, incidents, mails that wait. */
export async function examineWork(ctx: Context): Promise<Finding[]> {
  try {
    const lanes = await examineLanes(ctx);
    return [await examineSweep(ctx), ...lanes, ...(await examineIncidents(ctx)), ...(await examineMails(ctx))];
  } catch (error) {
    return [{ check: 'work', ok: false, detail: messageOf(error) }];
  }
}

/** Without a sweep open work stays open, unless somebody is at work on it; without open work none is needed. */
async function examineSweep(ctx: Context): Promise<Finding> {
  const { db } = ctx.ledger;
  const [last, found, work] = await Promise.all([readNote(db, 'last-sweep'), readNote(db, 'last-find'), openWork(db)]);
  const late = last === undefined || ctx.clock.now() - last.at > PATIENCE * ctx.config.worker.sweep;
  const isUnattended = late && work.runs + work.uploads > 0 && !(await isAnyLeaseHeld(ctx.ledger));
  const advice = isUnattended ? '; work is open and nobody works on it: start `offerline up`' : '';
  const ok = !isUnattended;
  if (last === undefined) return { check: 'sweep', ok, detail: `no worker has swept yet${advice}` };
  const what = found === undefined ? 'nothing was found yet' : `found last at ${time(found.at)}: ${foundIn(found)}`;
  return { check: 'sweep', ok, detail: `last at ${time(last.at)}, woke ${wokenBy(last)}; ${what}${advice}` };
}

function wokenBy({ due, runs, lanes }: SweepNote): string {
  const woken = due.length + runs.length + lanes.length;
  return woken === 0 ? 'nothing' : counted(woken, 'job');
}

function foundIn({ due, runs, lanes }: SweepNote): string {
  const parts = [
    due.length > 0 && `${counted(due.length, 'run')} due`,
    runs.length > 0 &&
      `${counted(runs.length, 'open run')} (${runs.slice(0, 3).join(', ')}${runs.length > 3 ? ', …' : ''})`,
    lanes.length > 0 && `uploads of ${lanes.join(', ')}`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

/** A login that offerline cannot go on with. */
async function examineLanes(ctx: Context): Promise<Finding[]> {
  const faults = (await laneFaults(ctx.ledger.db)).filter(({ login }) => Object.hasOwn(ctx.config.logins, login));
  return faults.map(({ login, times, first_at, next_at, text }) => ({
    check: `work on ${login}`,
    ok: times < FAULTS_UNTIL_INCIDENT,
    detail: `failed ${counted(times, 'time')} since ${time(first_at)}, is tried again at ${time(next_at)}: ${text}`,
  }));
}

async function examineIncidents(ctx: Context): Promise<Finding[]> {
  return (await listIncidents(ctx.ledger.db)).map((row) => ({
    check: 'incident',
    // Offerline itself is well: what it depends on is checked above.
    ok: true,
    detail: `since ${time(row.opened_at)}: ${incidentSentence(factsOf(row))} (offerline incidents)`,
  }));
}

async function examineMails(ctx: Context): Promise<Finding[]> {
  const { waiting, givenUp } = await failingMails(ctx.ledger.db, ctx.clock.now() - WEEK_MS);
  const [newest] = waiting;
  const late =
    newest === undefined ? [] : [`${counted(waiting.length, 'mail')} could not be sent yet: ${newest.error}`];
  return [
    ...late.map((detail) => ({ check: 'mail', ok: false, detail })),
    ...givenUp.map(({ recipient, error, given_up_at }) => ({
      check: 'mail',
      ok: true,
      detail: `a mail to ${recipient} was given up at ${time(given_up_at ?? 0)}: ${error}`,
    })),
  ];
}

function time(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
