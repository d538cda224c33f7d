import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sql } from 'kysely';
import type { RunOptions } from '../../../src/ledger/schema/json-values.ts';
import { createRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { feedState, updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { createIntent, getDataset } from '../../../src/ledger/uploads/intents.ts';
import { openAt, type Engine } from './engine.ts';
import { DATASET } from './intend.ts';
import { repetitions } from '../../support/repetitions.ts';

const ASKED = { feed: 'north', login: 'main', cause: 'manual', sandbox: false, now: 1 } as const;
const COUNTS = { read: 3, expanded: 0, accepted: 2, rejectedLocally: 1, duplicates: 0, leftOut: 0, skipped: 0 };

/** Values go in and come out as they are; text that does not hold what belongs there is named. */
export function jsonColumnsConformance({ name, place }: Engine): void {
  test(`${name}: JSON columns give back the values that they were given`, async () => {
    const { db } = await openAt(await place());
    const options = fc.record<RunOptions>(
      { force: fc.boolean(), file: fc.string({ unit: 'grapheme' }), approvedAt: fc.nat(), of: fc.string() },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(options, fc.array(fc.string()), async (asked, columns) => {
        const run = await createRun(db, { ...ASKED, options: asked });
        await updateRun(db, run, { columns, counts: COUNTS });
        expect(await getRun(db, run)).toMatchObject({
          options: { ...asked },
          columns,
          counts: COUNTS,
          detection: null,
        });
      }),
      { numRuns: repetitions(20) },
    );
  });

  test(`${name}: a value that cannot be read is named by table, column and row, and costs only what needs it`, async () => {
    const { db } = await openAt(await place());
    const id = await createRun(db, { ...ASKED, options: {} });
    const write = (text: string) => sql`update runs set counts = ${text}`.execute(db);
    await write('{"read":');
    const run = await getRun(db, id);
    expect(run.options).toEqual({});
    const told = `runs.counts of row ${id} does not hold what belongs there`;
    expect(() => run.counts).toThrow(told);
    await write('{"read":"many"}');
    const again = await getRun(db, id);
    expect(() => again.counts).toThrow(told);
  });

  test(`${name}: columns may have the names of what objects inherit`, async () => {
    const { db } = await openAt(await place());
    const columns = JSON.parse(
      '{"brand":{"label":"B"},"__proto__":{"label":"P"},"constructor":{"label":"C"}}',
    ) as object;
    const offer = { ...DATASET.offer, columns: columns as typeof DATASET.offer.columns };
    const { dataset } = await createIntent(db, { ...DATASET, offer, login: 'main' }, 1);
    const read = (await getDataset(db, dataset)).offer.columns;
    expect(Object.keys(read)).toEqual(['brand', '__proto__', 'constructor']);
  });

  test(`${name}: what an earlier version wrote is read, and keys that this one does not know are kept`, async () => {
    const { db } = await openAt(await place());
    const id = await createRun(db, { ...ASKED, options: {} });
    const detection = {
      charset: 'UTF-8',
      bom: false,
      delimiter: null,
      quote: null,
      newline: '\n',
      header: true,
      sure: true,
      confidence: 1,
      escape: null,
      columns: [],
      headerLine: 1,
      evidence: [],
      later: 1,
    };
    await sql`update runs set detection = ${JSON.stringify(detection)}, checkpoint = 'null'`.execute(db);
    expect(await getRun(db, id)).toMatchObject({ detection: { ...detection, readings: [] }, checkpoint: null });
  });

  test(`${name}: the checkpoint of a feed is told apart from that of a run`, async () => {
    const { db } = await openAt(await place());
    await feedState(db, 'north', 'main');
    await updateFeed(db, 'north', { checkpoint: { origin: 'o', name: 'n', size: 1, sha256: 'x', mtimeMs: null } });
    expect((await feedState(db, 'north', 'main')).checkpoint).toMatchObject({ origin: 'o' });
    await sql`update feeds set checkpoint = '[]'`.execute(db);
    const state = await feedState(db, 'north', 'main');
    expect(() => state.checkpoint).toThrow('feeds.checkpoint of row north');
  });
}
