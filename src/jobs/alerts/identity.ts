import type { IncidentRow, RunRow } from '../../ledger/schema/schema.ts';

/** What distinguishes the deliveries of runs. */
type Delivered = Pick<RunRow, 'outcome' | 'delivery_sha' | 'reason' | 'reason_code' | 'reason_facts'>;

/** Begins an identity that is made of codes: no outcome and no hash, which begin those of earlier versions. */
const CODED = 'coded';

/** The same bytes that end the same way for the same reason are the same incident, however often they come. */
export function deliveryIdentity(run: Delivered): string {
  return identity([run.outcome, run.delivery_sha], run);
}

/** The same bytes with the same rows rejected are the same incident. */
export function rejectionIdentity(run: Delivered): string {
  return identity([run.delivery_sha], run);
}

/**
 * Whether an open incident is about this delivery. Where an earlier version wrote one of the two, their reasons cannot be compared:
 * the same bytes that ended the same way are then taken for the same, so that nothing known is announced again.
 */
export function isSameDelivery({ cause }: Pick<IncidentRow, 'cause'>, run: Delivered): boolean {
  return isSame(cause, [run.outcome, run.delivery_sha], deliveryIdentity(run));
}

/** Whether an open incident is about these rejected rows; where reasons cannot be compared, their numbers are. */
export function isSameRejection(
  { cause, numbers }: Pick<IncidentRow, 'cause' | 'numbers'>,
  run: Delivered,
  counts: Record<string, number>,
): boolean {
  const own = rejectionIdentity(run);
  if (isCoded(cause) === isCoded(own)) return cause === own;
  return (
    isSame(cause, [run.delivery_sha], own) && Object.entries(counts).every(([name, count]) => numbers[name] === count)
  );
}

/** By the reason's code and facts; a run of an earlier version has its sentence only, and the identity that it had then. */
function identity(of: readonly (string | null)[], { reason, reason_code, reason_facts }: Delivered): string {
  return reason_code === null && reason !== null
    ? [...of, reason].join(' ')
    : [CODED, ...of, reason_code, reason_facts].join(' ');
}

function isSame(cause: string, of: readonly (string | null)[], own: string): boolean {
  if (isCoded(cause) === isCoded(own)) return cause === own;
  return of.every((part, at) => (part ?? '') === partsOf(cause)[at]);
}

/** What stands before the reason: outcomes and hashes have no spaces. */
function partsOf(cause: string): string[] {
  return cause.split(' ').slice(isCoded(cause) ? 1 : 0);
}

function isCoded(cause: string): boolean {
  return cause.startsWith(`${CODED} `);
}
