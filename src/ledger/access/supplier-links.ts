import type { Db } from '../ledger.ts';
import type { SupplierLinkRow } from '../schema/schema.ts';

/** Records a link. */
export async function insertLink(db: Db, link: SupplierLinkRow): Promise<void> {
  await db.insertInto('supplier_links').values(link).execute();
}

/** A link by the hash of its secret, whether or not it still opens a page. */
export async function findLink(db: Db, hash: string): Promise<SupplierLinkRow | undefined> {
  return db.selectFrom('supplier_links').selectAll().where('secret_hash', '=', hash).executeTakeFirst();
}

/** All links to the page of a feed's supplier, the newest first. */
export async function linksOf(db: Db, feed: string): Promise<SupplierLinkRow[]> {
  const query = db.selectFrom('supplier_links').selectAll().where('feed', '=', feed);
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
}

/** Says that a link was opened. */
export async function usedLink(db: Db, id: string, at: number): Promise<void> {
  await db.updateTable('supplier_links').set({ used_at: at }).where('id', '=', id).execute();
}

/** Ends the links to the page of a feed's supplier that still open it, or the one with an id; answers how many there were. */
export async function endLinksOf(db: Db, feed: string, at: number, link: string | null = null): Promise<number> {
  let query = db.updateTable('supplier_links').set({ ended_at: at }).where('feed', '=', feed);
  if (link !== null) query = query.where('id', '=', link);
  const done = await query.where('ended_at', 'is', null).where('expires_at', '>', at).executeTakeFirst();
  return Number(done.numUpdatedRows);
}

/** Of which feeds and suppliers there are links that have not ended. */
export async function ownersOfOpenLinks(db: Db, at: number): Promise<Pick<SupplierLinkRow, 'feed' | 'supplier'>[]> {
  const query = db.selectFrom('supplier_links').select(['feed', 'supplier']).distinct();
  return query.where('ended_at', 'is', null).where('expires_at', '>', at).execute();
}

/** Ends the links of one supplier to the page of a feed that still open it; answers how many there were. */
export async function endLinksOfSupplier(
  db: Db,
  { feed, supplier }: { feed: string; supplier: string },
  at: number,
): Promise<number> {
  const query = db.updateTable('supplier_links').set({ ended_at: at }).where('feed', '=', feed);
  const open = query.where('supplier', '=', supplier).where('ended_at', 'is', null).where('expires_at', '>', at);
  return Number((await open.executeTakeFirst()).numUpdatedRows);
}

/** Says of the links to the page of a feed for whom they were made, where nothing is known of it. */
export async function claimLinks(db: Db, { feed, supplier }: { feed: string; supplier: string }): Promise<void> {
  await db
    .updateTable('supplier_links')
    .set({ supplier })
    .where('feed', '=', feed)
    .where('supplier', 'is', null)
    .execute();
}

/** Removes the links of a mail that were never opened, but for `link` and the newest of the others. */
export async function deleteMailLinks(
  db: Db,
  by: string,
  { link, others }: { link: string | null; others: number },
): Promise<void> {
  const query = db.selectFrom('supplier_links').select('id').where('created_by', '=', by).where('used_at', 'is', null);
  const found = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
  const ids = found
    .map(({ id }) => id)
    .filter((id) => id !== link)
    .slice(others);
  if (ids.length > 0) await db.deleteFrom('supplier_links').where('id', 'in', ids).execute();
}

/** Removes links that ended or expired before a time. */
export async function deleteOldLinks(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom('supplier_links')
    .where((eb) => eb.or([eb('ended_at', '<', before), eb('expires_at', '<', before)]))
    .execute();
}
