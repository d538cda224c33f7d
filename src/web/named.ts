import { OfferlineError } from '../errors.ts';
import { findIncident } from '../ledger/alerts/incidents.ts';
import { findRequest } from '../ledger/alerts/requests.ts';
import { findRun, getRun } from '../ledger/runs/runs.ts';
import type { IncidentRow, RequestRow, RunRow } from '../ledger/schema/schema.ts';
import { MAY } from './route.ts';
import { assertSees, mayDo, sees, type Visit } from './visit.ts';

/** A run by its id, when the visitor sees its feed; without one the run of the address. */
export async function namedRun(visit: Visit, id = visit.params['run'] ?? ''): Promise<RunRow> {
  const { db } = visit.ctx.ledger;
  const run = await findRun(db, id);
  assertSees(run?.feed ?? null, visit, `run ${id}`);
  return run ?? getRun(db, id);
}

/** The feed of the address, when the visitor sees it; it need not be in the configuration. */
export function namedFeed(visit: Visit): string {
  const feed = visit.params['feed'] ?? '';
  assertSees(feed, visit, `feed ${feed}`);
  return feed;
}

/** The incident of the address, when the visitor sees its feed. */
export async function namedIncident(visit: Visit): Promise<IncidentRow> {
  const id = visit.params['incident'] ?? '';
  const row = await findIncident(visit.ctx.ledger.db, id);
  if (row === undefined)
    throw new OfferlineError('not-found', `There is no incident ${id}, or it is of no feed that you see.`);
  assertSees(row.feed, visit, `incident ${id}`);
  return row;
}

/** The request of the address, when the visitor may decide about it: those about logins as a whole are for those who may roll back. */
export async function namedRequest(visit: Visit): Promise<RequestRow> {
  const id = visit.params['request'] ?? '';
  const row = await findRequest(visit.ctx.ledger.db, id);
  if (row === undefined || !sees(row.feed, visit) || (row.feed === null && !mayDo(MAY.operate, visit)))
    throw new OfferlineError('not-found', `There is no request ${id}, or none that you may decide about.`);
  return row;
}
