import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import { factsOf, listIncidents } from '../../ledger/alerts/incidents.ts';
import { assertMayWork } from '../../ledger/maintenance/restored.ts';
import { laneFaults } from '../../ledger/uploads/lane-faults.ts';
import { failingMails } from '../../ledger/alerts/mails.ts';
import type { MailRow } from '../../ledger/schema/schema.ts';
import { readNote, type SweepNote } from '../../ledger/alerts/notes.ts';
import { incidentSentence } from '../../incidents.ts';
import { counted } from '../../wording/words.ts';
import { FAULTS_UNTIL_INCIDENT } from '../lane/lane-fault.ts';
import { attendance } from './attendance.ts';

/** One thing that was checked. */
export type Finding = { check: string; ok: boolean; detail: string };

const WEEK_MS = 7 * 86_400_000;

/** What the ledger says of work that goes on unwatched: the sweep, incidents, mails that wait. */
export async function examineWork(ctx: Context): Promise<Finding[]> {
  try {
    const lanes = await examineLanes(ctx);
    return [
      ...(await examineRestore(ctx)),
      await examineSweep(ctx),
      ...lanes,
      ...(await examineIncidents(ctx)),
      ...(await examineMails(ctx)),
    ];
  } catch (error) {
    return [{ check: 'work', ok: false, detail: messageOf(error) }];
  }
}

/** Why nothing works after a restore, where that is so. */
async function examineRestore({ ledger }: Context): Promise<Finding[]> {
  try {
    await assertMayWork(ledger);
    return [];
  } catch (error) {
    return [{ check: 'restore', ok: false, detail: messageOf(error) }];
  }
}

async function examineSweep(ctx: Context): Promise<Finding> {
  const [{ last, unattended }, found] = await Promise.all([attendance(ctx), readNote(ctx.ledger.db, 'last-find')]);
  const ok = unattended === null;
  const advice = ok ? '' : '; work is open and nobody works on it: start `offerline up`';
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
    newest === undefined
      ? []
      : [
          `${counted(waiting.length, 'mail')} could not be sent yet: ${newest.error} (the newest of them: ${nameOf(newest)})`,
        ];
  return [
    ...late.map((detail) => ({ check: 'mail', ok: false, detail })),
    ...givenUp.map((row) => ({
      check: 'mail',
      ok: true,
      detail: `${nameOf(row)} was given up at ${time(row.given_up_at ?? 0)}: ${row.error}`,
    })),
  ];
}

const ABOUT = { incidents: 'incidents', day: 'the day', week: 'the week', month: 'the month' };

/** A mail by whom it goes to and what it is about. */
function nameOf({ recipient, about }: MailRow): string {
  return `the mail to ${recipient} about ${about.of === 'run' ? `run ${about.run}` : ABOUT[about.of]}`;
}

function time(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
