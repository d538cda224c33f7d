import type { Context } from '../../../context.ts';
import { OfferlineError } from '../../../errors.ts';
import { recordDecision } from '../../../ledger/alerts/audit.ts';
import { raise, recover } from '../../../ledger/alerts/incidents.ts';
import {
  endRequest,
  endText,
  type Ended,
  findRequest,
  insertRequest,
  waitingRequest,
  type Ending,
} from '../../../ledger/alerts/requests.ts';
import { timeId } from '../../../ledger/ids.ts';
import type { Db } from '../../../ledger/ledger.ts';
import { addEvent } from '../../../ledger/runs/runs.ts';
import type { RequestRow } from '../../../ledger/schema/schema.ts';
import { areSameAskers, askerOf, signed, type DecisionOf } from './person.ts';

/** How long a second person has to agree, in milliseconds. */
const WAITS = 86_400_000;

/** What is asked for. */
type Wanted = Pick<RequestRow, 'action' | 'scope' | 'login' | 'feed' | 'run' | 'upload' | 'live' | 'rows_sha'>;

/**
 * Records that somebody asks for something to which a second person has to agree, and that people are to be told. Fails with `conflict`
 * when something else waits for the same feed or login. `at`: the time of the ledger, since the clocks of machines differ.
 */
export async function ask(trx: Db, wanted: Wanted, decision: DecisionOf, at: number): Promise<RequestRow> {
  const { who, via, origin, reason } = decision;
  const row: RequestRow = {
    id: timeId(at),
    ...wanted,
    ...askerOf(decision),
    who,
    via,
    origin,
    reason,
    at,
    ends_at: at + WAITS,
    ended_at: null,
    ended_how: null,
    ended_by: null,
    ended_reason: null,
  };
  if (!(await insertRequest(trx, row))) throw waits(await waitingRequest(trx, wanted.scope));
  const { action, known_as: by } = row;
  await recordDecision(trx, { at, action: `ask-${action}`, subject: subjectOf(row), ...signed(decision) });
  await note(trx, row, `approval asked for by ${by}: ${reason}`, at);
  await raise(trx, incidentOf(row), at);
  return row;
}

/** Fails with `conflict` when the one who decides is the one who asked. */
export async function assertSecond(row: RequestRow, decision: DecisionOf, ctx: Context): Promise<void> {
  if (!(await isAsker(row, decision, ctx))) return;
  throw new OfferlineError(
    'conflict',
    `${row.known_as} asked for this, so a second person has to agree; \`offerline requests decline ${row.id} --reason TEXT\` withdraws it.`,
  );
}

/** Whether the one who decides is the one who asked. */
export function isAsker(row: RequestRow, decision: DecisionOf, ctx: Context): Promise<boolean> {
  return areSameAskers(row, askerOf(decision), ctx);
}

/** The decision to which somebody agrees, with the names of both. */
export function agreed({ known_as, reason }: RequestRow, decision: DecisionOf): DecisionOf {
  return { ...decision, reason: `${decision.reason} (asked for by ${known_as}: ${reason})` };
}

/**
 * Ends a request that waits, and says so where it was asked for. Fails with `conflict` when it has ended otherwise meanwhile, so that of
 * two who agree at once one carries it out.
 */
export async function end(trx: Db, row: RequestRow, ending: Ending): Promise<void> {
  if (!(await endOnce(trx, row, ending))) throw isOver((await findRequest(trx, row.id)) ?? row);
}

/** Ends a request as `end` does; false when it has ended otherwise meanwhile. */
export async function endOnce(trx: Db, row: RequestRow, ending: Ending): Promise<boolean> {
  if (!(await endRequest(trx, row.id, ending))) return false;
  const text = endText({ ended_how: ending.how, ended_by: ending.by, ended_reason: ending.reason });
  if (ending.how !== 'agreed') await note(trx, row, `approval not given: ${text}`, ending.at);
  const { kind, login, feed } = incidentOf(row);
  await recover(trx, { kind, login, feed, text }, ending.at);
  return true;
}

/** What a request is about, as the audit names it. */
export function subjectOf({ run, login }: Pick<RequestRow, 'run' | 'login'>): string {
  return run ?? `login ${login}`;
}

/** What is said where somebody decides about a request that has ended. */
export function isOver(row: Pick<RequestRow, 'id'> & Ended): OfferlineError {
  return new OfferlineError('conflict', `Request ${row.id} is over: ${endText(row).replace(/\.$/u, '')}.`);
}

/** What is said where something else waits for the same feed or login. */
export function waits(row: RequestRow | undefined): OfferlineError {
  const what = row === undefined ? 'Another request' : `Request ${row.id} of ${row.known_as}`;
  const advice = '`offerline requests` shows what it is about; agree to it, or decline it first';
  return new OfferlineError('conflict', `${what} waits for a second person already; ${advice}.`);
}

async function note(trx: Db, { run }: RequestRow, message: string, at: number): Promise<void> {
  if (run !== null) await addEvent(trx, run, { at, stage: 'compose', message });
}

function incidentOf({ id, action, login, feed, run, known_as, reason, ends_at }: RequestRow) {
  return {
    kind: action === 'approve' ? 'approval-asked' : 'rollback-asked',
    login,
    feed,
    run,
    cause: id,
    reason: { code: 'second-asked', request: id, who: known_as, reason, ends: ends_at },
    numbers: { request: id, by: known_as, until: ends_at },
  } as const;
}
