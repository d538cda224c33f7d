import type { Context } from '../../context.ts';
import { wasDecided } from '../../ledger/alerts/audit.ts';
import { listIncidents, openIncident, raise, recover, reword } from '../../ledger/alerts/incidents.ts';
import { getIntent } from '../../ledger/uploads/intents.ts';
import type { Db } from '../../ledger/ledger.ts';
import { cameAgain, hasNewerOutcome } from '../../ledger/runs/runs.ts';
import type { AuditRow, IncidentRow, RunRow } from '../../ledger/schema/schema.ts';
import type { IncidentKind } from '../../incidents.ts';
import type { IncidentReason } from '../../wording/reasons/incident-reasons.ts';
import type { RowCounts, RunAnswer } from '../../model.ts';
import { reasonOfRun, runSentence, type RunReason } from '../../wording/reasons/run-reasons.ts';
import { happened, headlineOf, offersRead } from '../../wording/words.ts';
import { changesTaken } from '../feeds/changes-taken.ts';
import { deliveryIdentity, isSameDelivery, isSameRejection, rejectionIdentity } from './identity.ts';
import { answerOf } from '../queries/answer.ts';

/** What concerns a whole login is announced once, not again by each run that it stops. */
const OF_LOGINS: readonly IncidentKind[] = [
  'credentials',
  'unreachable',
  'receipt',
  'stuck-upload',
  'foreign-upload',
  'late-arrival',
];

/** What a person says who turns a delivery down. */
type Rejected = Extract<RunReason, { code: 'rejected' }>;

/**
 * Records what a decided run means for its feed's incidents. The newest outcome of a feed counts: a report that is written
 * again, or an old run that is amended, neither opens nor ends what a newer run said.
 */
export async function recordIncidents(run: RunRow, ctx: Context): Promise<void> {
  if (run.outcome === null || run.outcome === 'nothing') return;
  const answer = await answerOf(run.id, ctx);
  const now = ctx.clock.now();
  const stands = await standsBehind(run, ctx);
  await ctx.ledger.transaction(async (trx) => {
    if (await hasNewerOutcome(trx, run)) {
      // A newer run may have been held with the same bytes: the approval ends that, too.
      if (isApproved(await openIncident(trx, deliveryOf(run)), run)) await delivery(trx, run, answer, now);
      return;
    }
    if (!stands) await delivery(trx, run, answer, now);
    if (run.outcome !== 'live' && run.outcome !== 'partial') return;
    const account: Partial<RowCounts> = run.account ?? {};
    await rejectedRows(trx, run, answer, now);
    const { unexplained: count = 0, contributed = 0 } = account;
    await noteUnexplained(trx, run, { count, contributed }, now);
  });
}

/** True for a run that went well while changes after its own are held, or could not be used: what their runs said still counts. */
async function standsBehind({ feed, login, outcome }: RunRow, ctx: Context): Promise<boolean> {
  if (outcome === 'held' || outcome === 'rejected' || outcome === 'failed') return false;
  const taken = await changesTaken(feed, login, ctx);
  return taken?.stopped.some(({ state }) => state !== 'open' && state !== 'replaced') === true;
}

/**
 * A held delivery that has been approved stays an incident until its rows are live, but needs no decision any more. Call it in
 * the transaction that records the approval, with the run as it was held.
 */
export async function noteApproved(
  trx: Db,
  run: RunRow,
  { who, reason }: Pick<AuditRow, 'who' | 'reason'>,
  now: number,
): Promise<void> {
  const open = await openIncident(trx, deliveryOf(run));
  if (open === undefined || !isSameDelivery(open, run)) return;
  const change = {
    run: run.id,
    reason: { code: 'delivery-approved', who, reason } as const,
    numbers: { outcome: null, cause: 'approved', delivery: run.delivery_sha, approved: run.id },
  };
  await reword(trx, open.id, change, now);
}

/**
 * The incident of a delivery that a person turns down is over with that decision, unless a newer delivery has brought its own, or the same once
 * more. Call it in the transaction that records the rejection, with the run as it was.
 */
export async function noteRejected(trx: Db, run: RunRow, reason: Rejected, now: number): Promise<void> {
  if (await hasNewerOutcome(trx, run)) {
    const open = await openIncident(trx, deliveryOf(run));
    if (open === undefined || !isSameDelivery(open, run) || (await cameAgain(trx, run))) return;
  }
  await recover(trx, { ...deliveryOf(run), text: headlineOf(runSentence(reason)) ?? reason.reason }, now);
}

/**
 * A held delivery whose columns have been accepted is read again, and needs no decision until then. Call it in the transaction
 * that records the acceptance, with the run as it was held.
 */
export async function noteColumnsAccepted(
  trx: Db,
  run: RunRow,
  { who, reason }: Pick<AuditRow, 'who' | 'reason'>,
  now: number,
): Promise<void> {
  await noteReadAgain(trx, run, { code: 'columns-accepted', who, reason }, now);
}

/** The same, of a held delivery of which a reading was taken. */
export async function noteReadingTaken(
  trx: Db,
  run: RunRow,
  { charset, delimiter, who, reason }: Pick<AuditRow, 'who' | 'reason'> & { charset: string; delimiter: string },
  now: number,
): Promise<void> {
  await noteReadAgain(trx, run, { code: 'reading-taken', charset, delimiter, who, reason }, now);
}

async function noteReadAgain(trx: Db, run: RunRow, reason: IncidentReason, now: number): Promise<void> {
  const open = await openIncident(trx, deliveryOf(run));
  if (open === undefined || !isSameDelivery(open, run)) return;
  const numbers = { outcome: null, cause: 'at-work', delivery: run.delivery_sha };
  await reword(trx, open.id, { run: run.id, reason, numbers }, now);
}

function deliveryOf({ login, feed }: RunRow) {
  return { kind: 'delivery', login, feed } as const;
}

/** Whether what an incident is about was approved: by that run, where one is given. */
function isApproved(incident: IncidentRow | undefined, run?: RunRow): boolean {
  const approved = incident?.numbers['approved'];
  return approved !== undefined && (run === undefined || approved === run.id);
}

async function delivery(trx: Db, run: RunRow, answer: RunAnswer, now: number): Promise<void> {
  const text = happened(answer);
  const what = { ...deliveryOf(run), run: run.id };
  const { outcome, delivery_sha } = run;
  if (outcome !== 'held' && outcome !== 'rejected' && outcome !== 'failed') {
    await recover(trx, { ...what, text }, now);
  } else if (await wasDecided(trx, 'reject', run.id)) {
    // The person who rejected it knows; what the supplier sends next is another delivery.
    await recover(trx, { ...what, text, run: null }, now);
  } else if (!(await isAnnouncedOtherwise(trx, run))) {
    const open = await openIncident(trx, deliveryOf(run));
    // Held once more while the approved rows are on their way.
    if (open !== undefined && isSameDelivery(open, run) && isApproved(open)) return;
    const { cause } = answer;
    const reason = { code: 'run-ended', outcome, cause, reason: reasonOfRun(run) } as const;
    const isSame = (known: IncidentRow) => isSameDelivery(known, run);
    const numbers = { outcome, cause, delivery: delivery_sha };
    await raise(trx, { ...what, reason, cause: deliveryIdentity(run), isSame, numbers }, now);
  }
}

/** What a freeze holds, and what another incident stops, is announced as that and not again by each run. */
async function isAnnouncedOtherwise(trx: Db, { outcome, rows_sha, feed, login, intent }: RunRow): Promise<boolean> {
  if (outcome === 'held') return (await openIncident(trx, { kind: 'frozen-feed', login, feed })) !== undefined;
  if (outcome === 'failed' && (await openIncident(trx, { kind: 'damaged-archive', login, feed })) !== undefined)
    return true;
  if (outcome !== 'failed' || rows_sha === null) return false;
  const result = intent === null ? null : (await getIntent(trx, intent)).result;
  // A refusal of these very rows is announced even when something else is wrong with the login.
  if (result === 'failed' || result === 'refused') return false;
  return (await listIncidents(trx, { login })).some((open) => open.feed === null && OF_LOGINS.includes(open.kind));
}

async function rejectedRows(trx: Db, run: RunRow, answer: RunAnswer, now: number): Promise<void> {
  const { rows, receipt } = answer;
  const { rejectedLocally, rejectedRemotely } = rows;
  const read = offersRead(rows);
  const what = { kind: 'rejected-rows', login: run.login, feed: run.feed, run: run.id } as const;
  if (rejectedLocally + rejectedRemotely === 0) {
    await recover(trx, { ...what, text: happened(answer) }, now);
    return;
  }
  const numbers = { read, rejectedLocally, rejectedRemotely };
  const reason = { code: 'rows-rejected', ...rows, verified: receipt?.verified ?? null } as const;
  const isSame = (known: IncidentRow) => isSameRejection(known, run, numbers);
  await raise(trx, { ...what, reason, cause: rejectionIdentity(run), isSame, numbers }, now);
}

/** Rows of a run that an upload does not account for, whether or not the run was part of that upload. */
export async function noteUnexplained(
  trx: Db,
  { id, feed, login }: Pick<RunRow, 'id' | 'feed' | 'login'>,
  { count, contributed }: { count: number; contributed: number },
  now: number,
): Promise<void> {
  const what = { kind: 'unbalanced', login, feed, run: id } as const;
  if (count === 0) {
    await recover(trx, { ...what, text: 'every row is explained' }, now);
    return;
  }
  const reason = { code: 'rows-unexplained', count, contributed } as const;
  await raise(trx, { ...what, reason, numbers: { unexplained: count, contributed } }, now);
}
