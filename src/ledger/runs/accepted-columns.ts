import type { AcceptedColumns } from '../../model.ts';
import { timeId } from '../ids.ts';
import type { Db } from '../ledger.ts';
import type { AcceptedColumnsRow } from '../schema/schema.ts';

/** A header of a feed's files. */
type Header = Pick<AcceptedColumnsRow, 'feed' | 'fingerprint'>;

type Revocation = { who: string; reason: string; at: number };

/**
 * Records columns that a person accepted; what was accepted for the same header before counts no longer. Call it in a transaction
 * that has locked the feed.
 */
export async function acceptColumns(
  trx: Db,
  accepted: Omit<AcceptedColumnsRow, 'id' | 'revoked_at' | 'revoked_by' | 'revoked_reason'>,
): Promise<void> {
  const { who, at } = accepted;
  await revokeColumns(trx, accepted, { who, at, reason: 'other columns were accepted' });
  await trx
    .insertInto('accepted_columns')
    .values({ id: timeId(at), ...accepted, revoked_at: null, revoked_by: null, revoked_reason: null })
    .execute();
}

/** Takes back what was accepted for a header; false when nothing was. */
export async function revokeColumns(trx: Db, header: Header, { who, reason, at }: Revocation): Promise<boolean> {
  const revoked = await trx
    .updateTable('accepted_columns')
    .set({ revoked_at: at, revoked_by: who, revoked_reason: reason })
    .where('feed', '=', header.feed)
    .where('fingerprint', '=', header.fingerprint)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return revoked.numUpdatedRows > 0n;
}

/** What is accepted for a feed now, by header, oldest first. */
export async function acceptedColumnsOf(db: Db, feed: string): Promise<AcceptedColumnsRow[]> {
  return db
    .selectFrom('accepted_columns')
    .selectAll()
    .where('feed', '=', feed)
    .where('revoked_at', 'is', null)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

/** What is accepted for all feeds now, by feed, oldest first. */
export async function acceptedByFeed(db: Db): Promise<Map<string, AcceptedColumnsRow[]>> {
  const rows = await db
    .selectFrom('accepted_columns')
    .selectAll()
    .where('revoked_at', 'is', null)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return Map.groupBy(rows, ({ feed }) => feed);
}

/** What was accepted with a run, in force or not, newest first. */
export async function acceptedWith(db: Db, run: string): Promise<AcceptedColumnsRow[]> {
  return db
    .selectFrom('accepted_columns')
    .selectAll()
    .where('run', '=', run)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** What was accepted for a header and taken back at a time or later. */
export async function revokedSince(db: Db, header: Header, at: number): Promise<AcceptedColumnsRow[]> {
  return db
    .selectFrom('accepted_columns')
    .selectAll()
    .where('feed', '=', header.feed)
    .where('fingerprint', '=', header.fingerprint)
    .where('revoked_at', '>=', at)
    .execute();
}

/** As reading uses it. */
export function asAccepted({ fingerprint, accepted, run, who, reason, at }: AcceptedColumnsRow): AcceptedColumns {
  return { fingerprint, columns: accepted, run, who, reason, at };
}
