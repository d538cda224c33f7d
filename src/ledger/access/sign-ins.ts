import type { Db } from '../ledger.ts';
import type { SignInRow } from '../schema/schema.ts';

/** What is counted about these subjects. */
export async function signInsOf(db: Db, subjects: readonly string[]): Promise<SignInRow[]> {
  // Postgres knows no empty list.
  if (subjects.length === 0) return [];
  return db.selectFrom('sign_ins').selectAll().where('subject', 'in', subjects).execute();
}

/**
 * Keeps everybody else from counting these subjects until the transaction ends, also where nothing is counted of them yet. All
 * name them in the same order, so that no two wait for each other.
 */
export async function holdSubjects(trx: Db, subjects: readonly string[], now: number): Promise<void> {
  for (const subject of subjects) {
    await trx
      .insertInto('sign_ins')
      .values({ subject, failures: 0, at: now })
      .onConflict((conflict) =>
        conflict.column('subject').doUpdateSet((eb) => ({ failures: eb.ref('sign_ins.failures') })),
      )
      .execute();
  }
}

/** Counts one more failure of each of the subjects that are held, beginning anew where the last one is older than `since`. */
export async function countFailures(
  trx: Db,
  subjects: readonly string[],
  { at, since }: { at: number; since: number },
): Promise<void> {
  await trx
    .updateTable('sign_ins')
    .set((eb) => ({
      at,
      failures: eb
        .case()
        .when('at', '<', since)
        .then(1)
        .else(eb('failures', '+', 1))
        .end(),
    }))
    .where('subject', 'in', subjects)
    .execute();
}

/** Takes one failure of each subject back that was counted in advance. */
export async function takeFailuresBack(db: Db, subjects: readonly string[]): Promise<void> {
  for (const subject of subjects) {
    await db
      .updateTable('sign_ins')
      .set((eb) => ({ failures: eb('failures', '-', 1) }))
      .where('subject', '=', subject)
      .where('failures', '>', 0)
      .execute();
  }
  await forgetUncounted(db, subjects);
}

/** Removes subjects of which no failure is counted. */
export async function forgetUncounted(db: Db, subjects: readonly string[]): Promise<void> {
  await db.deleteFrom('sign_ins').where('subject', 'in', subjects).where('failures', '=', 0).execute();
}

/** Forgets the failures of a subject. */
export async function forgetFailures(db: Db, subject: string): Promise<void> {
  await db.deleteFrom('sign_ins').where('subject', '=', subject).execute();
}

/** Remembers that a subject is known to be good. */
export async function rememberKnown(db: Db, subject: string, at: number): Promise<void> {
  await db
    .insertInto('sign_ins')
    .values({ subject, failures: 0, at })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ at }))
    .execute();
}

/** Removes what is older. */
export async function deleteOldSignIns(db: Db, before: { failed: number; known: number }): Promise<void> {
  await db
    .deleteFrom('sign_ins')
    .where((eb) => eb.or([eb.and([eb('failures', '>', 0), eb('at', '<', before.failed)]), eb('at', '<', before.known)]))
    .execute();
}
