import type { Db } from './ledger.ts';

/** Claims a mail before it is sent: false when it was sent already. A claim that was never completed is claimed again. */
export async function claimMail(
  db: Db,
  mail: { id: string; run: string; recipient: string; now: number },
): Promise<boolean> {
  await db
    .insertInto('mails')
    .values({ id: mail.id, run: mail.run, recipient: mail.recipient, at: mail.now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const row = await db.selectFrom('mails').select('sent_to').where('id', '=', mail.id).executeTakeFirstOrThrow();
  return row.sent_to === null;
}

/** Records where a mail went. */
export async function mailSent(db: Db, id: string, where: string): Promise<void> {
  await db.updateTable('mails').set({ sent_to: where }).where('id', '=', id).execute();
}

/** The mails of some runs, with where they went. */
export async function mailsOf(
  db: Db,
  runs: string[],
): Promise<{ run: string; recipient: string; sent_to: string | null }[]> {
  if (runs.length === 0) return [];
  return db
    .selectFrom('mails')
    .select(['run', 'recipient', 'sent_to'])
    .where('run', 'in', runs)
    .orderBy('id')
    .execute();
}
