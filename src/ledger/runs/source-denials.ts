import type { Db } from '../ledger.ts';
import type { SourceDenialRow } from '../schema/schema.ts';

/** The refusal that a feed's source stands under, if there is one. */
export async function sourceDenialOf(db: Db, feed: string): Promise<SourceDenialRow | undefined> {
  return db.selectFrom('source_denials').selectAll().where('feed', '=', feed).executeTakeFirst();
}

/** The refusals that all sources stand under. */
export async function listSourceDenials(db: Db): Promise<SourceDenialRow[]> {
  return db.selectFrom('source_denials').selectAll().orderBy('feed').execute();
}

/** Records that a source refused credentials: one more time, or for the first time when they are others now. */
export async function noteSourceDenial(db: Db, feed: string, fingerprint: string, now: number): Promise<void> {
  await db
    .insertInto('source_denials')
    .values({ feed, fingerprint, since: now, at: now, tries: 1 })
    .onConflict((conflict) =>
      conflict.column('feed').doUpdateSet((eb) => {
        const isSame = eb('source_denials.fingerprint', '=', fingerprint);
        return {
          fingerprint,
          at: now,
          since: eb.case().when(isSame).then(eb.ref('source_denials.since')).else(now).end(),
          tries: eb
            .case()
            .when(isSame)
            .then(eb('source_denials.tries', '+', 1))
            .else(1)
            .end(),
        };
      }),
    )
    .execute();
}

/** The source let us in; nothing to do where it never refused. */
export async function endSourceDenial(db: Db, feed: string): Promise<void> {
  await db.deleteFrom('source_denials').where('feed', '=', feed).execute();
}
