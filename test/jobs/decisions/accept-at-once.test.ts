import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openContext } from '../../../src/app/open-context.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Context } from '../../../src/context.ts';
import { acceptRunColumns, revokeRunColumns } from '../../../src/jobs/decisions/accept-columns.ts';
import { rejectRun } from '../../../src/jobs/decisions/review.ts';
import { advanceRun } from '../../../src/jobs/run/flow.ts';
import { acceptedColumnsOf } from '../../../src/ledger/runs/accepted-columns.ts';
import { createRun, getRun } from '../../../src/ledger/runs/runs.ts';
import { atEnd } from '../../support/at-end.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { postgresForTests, withoutPostgres } from '../../support/postgres.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const newDatabase = postgresForTests();
const ANA = { who: 'ana', reason: 'asked them', via: 'cli', origin: null } as const;
const BO = { who: 'bo', reason: 'looked at it', via: 'cli', origin: null } as const;
const columns = (oem: string) => [
  { key: 'brand', column: 'Xa' },
  { key: 'oem', column: oem },
];

/** Two processes of one installation on Postgres, each with connections of its own. */
async function twoProcesses(): Promise<[Context, Context]> {
  const DATABASE_URL = await newDatabase();
  const folder = tempFolder();
  const file = join(folder, 'offerline.yaml');
  const feeds = { north: { login: 'main', source: { type: 'directory', path: '.' } } };
  writeFileSync(file, JSON.stringify({ service: { baseUrl: 'http://127.0.0.1:1' }, logins: { main: {} }, feeds }));
  const open = async () => {
    const loaded = await loadConfig({ file, home: join(folder, 'home'), env: { DATABASE_URL } });
    const { ctx, close } = await openContext(loaded, memoryLog().log);
    atEnd(close);
    return ctx;
  };
  return [await open(), await open()];
}

async function deliver(ctx: Context): Promise<string> {
  const path = join(tempFolder(), 'list.csv');
  writeFileSync(path, 'Xa;Xb;Xc\nQorvax;QX 100;1,50\nZelmat;ZM-200;2,50\nQorvax;QX 300;3,50\n');
  const run = { feed: 'north', login: 'main', cause: 'manual' as const, options: { file: path }, sandbox: false };
  const id = await createRun(ctx.ledger.db, { ...run, now: ctx.clock.now() });
  await advanceRun(id, { pulling: false }, ctx, new AbortController().signal);
  return id;
}

describe.skipIf(withoutPostgres)('two people at once on Postgres', () => {
  test('of two who accept columns of one run the second is told that it is not held any more', async () => {
    const [one, other] = await twoProcesses();
    const id = await deliver(one);
    const both = await Promise.allSettled([
      acceptRunColumns(id, columns('Xb'), ANA, one),
      acceptRunColumns(id, columns('Xc'), BO, other),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = both.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('is not held') as string,
    });
    const inForce = await acceptedColumnsOf(one.ledger.db, 'north');
    expect(inForce.map(({ who }) => who)).toEqual([both[0].status === 'fulfilled' ? 'ana' : 'bo']);
    expect(await one.ledger.db.selectFrom('audit').selectAll().execute()).toHaveLength(1);
    expect(await getRun(other.ledger.db, id)).toMatchObject({ outcome: null, stage: 'read' });
  });

  test.each([1, 2, 3])(
    'of one who rejects and one who accepts columns one is told, or rejects later, try %i',
    async () => {
      const [one, other] = await twoProcesses();
      const id = await deliver(one);
      const both = await Promise.allSettled([rejectRun(id, ANA, one), acceptRunColumns(id, columns('Xb'), BO, other)]);
      const [isRejected, isAccepted] = both.map(({ status }) => status === 'fulfilled');
      expect([isRejected, isAccepted]).toContain(true);
      expect((await getRun(one.ledger.db, id)).outcome).toBe(isRejected ? 'rejected' : null);
      const audit = await one.ledger.db.selectFrom('audit').select('who').orderBy('at').orderBy('id').execute();
      // Whoever comes when the columns are accepted already rejects the run that is open again.
      expect(audit.map(({ who }) => who)).toEqual([...(isAccepted ? ['bo'] : []), ...(isRejected ? ['ana'] : [])]);
    },
  );

  test('of two who accept columns of two runs with one header the later counts', async () => {
    const [one, other] = await twoProcesses();
    const ids = [await deliver(one), await deliver(one)] as const;
    await Promise.all([
      acceptRunColumns(ids[0], columns('Xb'), ANA, one),
      acceptRunColumns(ids[1], columns('Xc'), BO, other),
    ]);
    const rows = await one.ledger.db.selectFrom('accepted_columns').selectAll().execute();
    expect(rows).toHaveLength(2);
    const [inForce, ...more] = await acceptedColumnsOf(one.ledger.db, 'north');
    expect(more).toEqual([]);
    const replaced = rows.find(({ id }) => id !== inForce?.id);
    expect(replaced).toMatchObject({ revoked_by: inForce?.who, revoked_reason: 'other columns were accepted' });
  });

  test('of two who take columns back one is told that nothing is accepted', async () => {
    const [one, other] = await twoProcesses();
    const id = await deliver(one);
    await acceptRunColumns(id, columns('Xb'), ANA, one);
    const both = await Promise.allSettled([revokeRunColumns(id, ANA, one), revokeRunColumns(id, BO, other)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await acceptedColumnsOf(one.ledger.db, 'north')).toEqual([]);
  });
});
