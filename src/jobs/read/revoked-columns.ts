import { headerFingerprint } from '../../detect/columns/accepted.ts';
import { OfferlineError } from '../../errors.ts';
import type { Db } from '../../ledger/ledger.ts';
import { acceptedColumnsOf, revokedSince } from '../../ledger/runs/accepted-columns.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { AcceptedColumn } from '../../model.ts';
import { columnInWords } from '../../wording/columns/accepted-column.ts';

/** The accepted columns that a run's rows were read with, and that were taken back since. */
export async function revokedColumns(
  db: Db,
  { feed, detection, created_at }: Pick<RunRow, 'feed' | 'detection' | 'created_at'>,
): Promise<AcceptedColumn[]> {
  if (detection === null) return [];
  const { columns, width, mapping } = detection;
  const fingerprint = headerFingerprint({ header: columns, width });
  const revoked = (await revokedSince(db, { feed, fingerprint }, created_at)).flatMap(({ accepted }) => accepted);
  if (revoked.length === 0) return [];
  const inForce = await acceptedColumnsOf(db, feed);
  const again = inForce.filter((one) => one.fingerprint === fingerprint).flatMap(({ accepted }) => accepted);
  const isAmong = (list: AcceptedColumn[], { key, position }: AcceptedColumn) =>
    list.some((one) => one.key === key && one.position === position);
  return mapping.filter((one) => one.sure && isAmong(revoked, one) && !isAmong(again, one));
}

/** Fails with `conflict` when rows of a run that are there must not be uploaded as they are: they were read with such columns. */
export async function assertColumnsStand(
  db: Db,
  run: Parameters<typeof revokedColumns>[1] & { id: string },
): Promise<void> {
  const revoked = await revokedColumns(db, run);
  if (revoked.length === 0) return;
  const list = revoked.map(columnInWords).join(', ');
  const what = `The rows of run ${run.id} were read with columns that were taken back since (${list})`;
  throw new OfferlineError('conflict', `${what}. Read its file again: \`offerline rerun ${run.id} --from validate\`.`);
}
