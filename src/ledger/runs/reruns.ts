import type { Db } from '../ledger.ts';

/** The open run that does an earlier one's work again, if there is one. */
export async function openRerunOf(db: Db, run: string): Promise<string | undefined> {
  const feed = db.selectFrom('runs').select('feed').where('id', '=', run);
  const open = await db
    .selectFrom('runs')
    .select(['id', 'options'])
    .where('feed', '=', feed)
    .where('outcome', 'is', null)
    .execute();
  return open.find(({ options }) => options.of === run)?.id;
}

/** The newest open run of a feed, if there is one. */
export async function openRunOf(db: Db, feed: string): Promise<string | undefined> {
  const query = db.selectFrom('runs').select('id').where('feed', '=', feed).where('outcome', 'is', null);
  return (await query.orderBy('created_at', 'desc').limit(1).executeTakeFirst())?.id;
}
