import type { Db } from '../ledger.ts';
import type { SignInRow } from '../schema/schema.ts';

/** What is counted about these subjects. */
export async function signInsOf(db: Db, subjects: readonly string[]): Promise<SignInRow[]> {
  return db.selectFrom('sign_ins').selectAll().where('subject', 'in', subjects).execute();
}

/** Counts one more failure of each subject, beginning anew where the last one is older than `since`. */
export async function countFailures(
  db: Db,
  subjects: readonly string[],
  { at, since }: { at: number; since: number },
): Promise<void> {
  for (const subject of subjects) {
    await db
      .insertInto('sign_ins')
      .values({ subject, failures: 1, at })
      .onConflict((conflict) =>
        conflict.column('subject').doUpdateSet((eb) => ({
          at,
          failures: eb
            .case()
            .when('sign_ins.at', '<', since)
            .then(1)
            .else(eb('sign_ins.failures', '+', 1))
            .end(),
        })),
      )
      .execute();
  }
}

/** Takes one failure back that was counted in advance. */
export async function takeFailureBack(db: Db, subject: string): Promise<void> {
  await db
    .updateTable('sign_ins')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('subject', '=', subject)
    .where('failures', '>', 0)
    .execute();
}

/** Remembers a subject with so many failures; 0 where it is known to be good. */
export async function setFailures(db: Db, subject: string, failures: number, at: number): Promise<void> {
  await db
    .insertInto('sign_ins')
    .values({ subject, failures, at })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ failures, at }))
    .execute();
}

/** Removes what is older. */
export async function deleteOldSignIns(db: Db, before: { failed: number; known: number }): Promise<void> {
  await db
    .deleteFrom('sign_ins')
    .where((eb) => eb.or([eb.and([eb('failures', '>', 0), eb('at', '<', before.failed)]), eb('at', '<', before.known)]))
    .execute();
}
