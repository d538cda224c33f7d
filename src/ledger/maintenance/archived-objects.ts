import type { Indexed, ObjectIndex } from '../../archive/s3/object-index.ts';
import type { Ledger } from '../ledger.ts';

/** What an archive on a store of objects keeps in the ledger: of several machines that write at once, each statement decides alone. */
export function archivedObjects({ db }: Pick<Ledger, 'db'>): ObjectIndex {
  const several = (sha256s: string[]) => db.selectFrom('archived_objects').selectAll().where('sha256', 'in', sha256s);
  return {
    want: async ({ sha256, bytes }, at) => {
      const { generation } = await db
        .insertInto('archived_objects')
        .values({ sha256, generation: 0, bytes, at, given_up_at: null })
        .onConflict((conflict) =>
          conflict.column('sha256').doUpdateSet((eb) => ({
            generation: eb
              .case()
              .when('archived_objects.given_up_at', 'is', null)
              .then(eb.ref('archived_objects.generation'))
              .else(eb('archived_objects.generation', '+', 1))
              .end(),
            at: eb.case().when('archived_objects.at', '>', at).then(eb.ref('archived_objects.at')).else(at).end(),
            bytes,
            given_up_at: null,
          })),
        )
        .returning('generation')
        .executeTakeFirstOrThrow();
      return generation;
    },
    giveUp: async (sha256, notAfter, at) => {
      const given = await db
        .updateTable('archived_objects')
        .set({ given_up_at: at })
        .where('sha256', '=', sha256)
        .where('given_up_at', 'is', null)
        .where('at', '<=', Math.min(notAfter, Number.MAX_SAFE_INTEGER))
        .returning('generation')
        .executeTakeFirst();
      return given?.generation ?? null;
    },
    known: async (sha256s) => {
      const rows = await several(sha256s).where('given_up_at', 'is', null).execute();
      return new Map(
        rows.map(({ sha256, generation, bytes, at }): [string, Indexed] => [sha256, { generation, bytes, at }]),
      );
    },
    givenUp: async (sha256s) => {
      const rows = await several(sha256s).where('given_up_at', 'is not', null).execute();
      return new Map(rows.map(({ sha256, generation }) => [sha256, generation]));
    },
    found: async ({ sha256, bytes }, generation, at) => {
      await db
        .insertInto('archived_objects')
        .values({ sha256, generation, bytes, at, given_up_at: null })
        .onConflict((conflict) =>
          conflict
            .column('sha256')
            .doUpdateSet({ generation, bytes, at, given_up_at: null })
            .where('archived_objects.generation', '<', generation),
        )
        .execute();
    },
    forget: async (before) => {
      await db.deleteFrom('archived_objects').where('given_up_at', '<', before).execute();
    },
  };
}
