import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { acceptRunColumns } from '../../../src/jobs/decisions/accept-columns.ts';
import { rerun } from '../../../src/jobs/decisions/rerun.ts';
import { usable } from '../../../src/jobs/archive/usable.ts';
import { approveRun } from '../../../src/jobs/decisions/review.ts';
import { takeReading } from '../../../src/jobs/decisions/take-reading.ts';
import { advanceRun } from '../../../src/jobs/run/flow.ts';
import { listIncidents } from '../../../src/ledger/alerts/incidents.ts';
import { createRun, eventsOf, getRun } from '../../../src/ledger/runs/runs.ts';
import { feedState } from '../../../src/ledger/runs/feeds.ts';
import type { RunRow } from '../../../src/ledger/schema/schema.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contextFor } from '../../upload/upload-world.ts';

const NEVER = new AbortController().signal;
const ANA = { who: 'ana', reason: 'the name reads Ф', via: 'cli', origin: null } as const;
/** One letter that several charsets have. */
const LETTER = iconv.encode('brand;oem;name\nATE;1;Ф\n', 'windows-1251');

async function world(settings: Parameters<typeof contextFor>[1] = {}) {
  const ctx = await contextFor('http://127.0.0.1:1', settings);
  const { db } = ctx.ledger;
  const read = async (id: string) => {
    await advanceRun(id, { pulling: false }, ctx, NEVER);
    return getRun(db, id);
  };
  const deliver = async (bytes: Buffer | string, name = 'list.csv') => {
    const path = join(tempFolder(), name);
    writeFileSync(path, bytes);
    const run = { feed: 'north', login: 'main', cause: 'manual' as const, options: { file: path }, sandbox: false };
    return read(await createRun(db, { ...run, now: ctx.clock.now() }));
  };
  return { ctx, db, read, deliver };
}

/** The number of the reading in a charset. */
function numberOf({ detection }: RunRow, charset: string): number {
  return (detection?.readings ?? []).findIndex((reading) => reading.charset === charset) + 1;
}

test('a held file is read again in the reading that a person takes, under guards', async () => {
  const { ctx, db, read, deliver } = await world();
  const held = await deliver(LETTER);
  expect(held).toMatchObject({ outcome: 'held', options: { cause: 'unsure' } });
  const reading = numberOf(held, 'windows-1251');
  expect(await takeReading(held.id, reading, ANA, ctx)).toMatchObject({ charset: 'windows-1251', delimiter: ';' });
  const taken = await getRun(db, held.id);
  expect(taken).toMatchObject({ outcome: null, amended: 'held', stage: 'read', reason: null });
  expect(taken.options).not.toHaveProperty('approved');
  expect((await listIncidents(db))[0]?.text).toBe(
    'it is read as windows-1251, delimiter ";" because ana said so: the name reads Ф; the file is being read again',
  );
  expect(await db.selectFrom('audit').selectAll().execute()).toMatchObject([
    { action: 'take-reading', subject: held.id, ...ANA },
  ]);
  expect(await read(held.id)).toMatchObject({
    stage: 'compose',
    counts: { accepted: 1 },
    detection: { charset: 'windows-1251', sure: true },
  });
  expect((await feedState(db, 'north', 'main')).candidate).toBe(held.id);
  expect((await eventsOf(db, held.id)).map(({ message }) => message).join('\n')).toContain(
    'reading taken by ana: windows-1251, delimiter ";": the name reads Ф; the file is read again',
  );
});

test('the other reading gives the other letter, and columns that are unsure in it are asked for then', async () => {
  const { ctx, db, read, deliver } = await world();
  const held = await deliver(
    iconv.encode('Xa;Xb;Xc\nQorvax;QX 100;Ф\nQorvax;ZM-200;a\nQorvax;QX 300;b\n', 'windows-1251'),
  );
  expect(held).toMatchObject({ outcome: 'held', options: { cause: 'unsure' } });
  await expect(acceptRunColumns(held.id, null, ANA, ctx)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`offerline show ${held.id}`) as string,
  });
  const other = held.detection!.readings.findIndex(({ charset }) => charset !== 'windows-1251') + 1;
  const { charset } = await takeReading(held.id, other, ANA, ctx);
  expect(await read(held.id)).toMatchObject({ outcome: 'held', options: { cause: 'columns' }, detection: { charset } });
  await acceptRunColumns(
    held.id,
    [
      { key: 'brand', column: 'Xa' },
      { key: 'oem', column: 'Xb' },
    ],
    ANA,
    ctx,
  );
  expect(await read(held.id)).toMatchObject({ stage: 'compose', counts: { accepted: 3 }, detection: { charset } });
  expect((await getRun(db, held.id)).options).toMatchObject({ reading: { charset } });
});

test('it counts for that file only: the next one, and the same one run again, are asked about anew', async () => {
  const { ctx, deliver, read } = await world();
  const held = await deliver(LETTER);
  await takeReading(held.id, numberOf(held, 'windows-1251'), ANA, ctx);
  await read(held.id);
  expect(await deliver(iconv.encode('brand;oem;name\nATE;2;Ф\n', 'windows-1251'))).toMatchObject({ outcome: 'held' });
});

test('bytes that were pulled again, because the first were damaged, are asked about anew', async () => {
  const { ctx, deliver, read } = await world();
  const held = await deliver(LETTER);
  await takeReading(held.id, numberOf(held, 'windows-1251'), ANA, ctx);
  truncateSync(ctx.archive.file(held.delivery_sha!).unverifiedPath, 3);
  const pulled = await read(held.id);
  expect(pulled).toMatchObject({ outcome: 'held', options: { cause: 'unsure', pulledAgain: true } });
  expect(pulled.options).not.toHaveProperty('reading');
});

test('rows that were damaged are made again in the reading that was taken', async () => {
  const { ctx, deliver, read } = await world();
  const held = await deliver(LETTER);
  const other = held.detection!.readings.findIndex(({ charset }) => charset !== 'windows-1251') + 1;
  await takeReading(held.id, other, ANA, ctx);
  const rows = (await read(held.id)).rows_sha!;
  const path = ctx.archive.file(rows).unverifiedPath;
  const before = readFileSync(path, 'utf8');
  expect(before).not.toContain('Ф');
  truncateSync(path, 3);
  expect(await usable(rows, ctx)).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe(before);
});

test('a run that was rejected after its reading can be read in another', async () => {
  const { ctx, db, deliver, read } = await world();
  const held = await deliver(LETTER);
  await takeReading(held.id, 1, ANA, ctx);
  await read(held.id);
  await db.updateTable('runs').set({ outcome: 'rejected', stage: 'done' }).where('id', '=', held.id).execute();
  const again = await rerun(held.id, { from: 'validate', wait: true, by: ANA }, ctx);
  const asked = await read(again);
  expect(asked).toMatchObject({ outcome: 'held', options: { cause: 'unsure' } });
  await takeReading(again, 2, ANA, ctx);
  expect(await read(again)).toMatchObject({ stage: 'compose', options: { from: 'validate' } });
});

test.each([
  [
    'a reading that is not there',
    LETTER,
    7,
    'usage',
    /has no reading 7. Choose one of 1 \(\S+, delimiter ";"\), 2 \(/u,
  ],
  ['a file that is certain', 'brand;oem\nATE;1\n', 1, 'conflict', /is not held: it has no outcome yet/u],
  [
    'a file whose columns are in question',
    'Xa;Xb;Xc\nQorvax;QX 100;1\nQorvax;ZM-200;2\n',
    1,
    'conflict',
    /has no readings to choose from; it is held for another reason/u,
  ],
] as const)('%s is refused, and nothing changes', async (_, bytes, reading, code, message) => {
  const { ctx, db, deliver } = await world();
  const run = await deliver(bytes);
  await expect(takeReading(run.id, reading, ANA, ctx)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message) as string,
  });
  expect(await getRun(db, run.id)).toEqual(run);
  expect(await db.selectFrom('audit').selectAll().execute()).toEqual([]);
});

test('a reading of a feed that has moved to another login is refused, and what is live there stays', async () => {
  const { ctx, db, deliver } = await world();
  const held = await deliver(LETTER);
  await db.updateTable('runs').set({ login: 'former' }).where('id', '=', held.id).execute();
  const before = await feedState(db, 'north', 'main');
  await expect(takeReading(held.id, 1, ANA, ctx)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('has moved from the login former to main') as string,
  });
  expect(await db.selectFrom('feeds').selectAll().where('feed', '=', 'north').executeTakeFirst()).toEqual(before);
});

test('of two who take a reading at once the second is told', async () => {
  const { ctx, db, deliver } = await world();
  const held = await deliver(LETTER);
  const both = await Promise.allSettled([1, 2].map((reading) => takeReading(held.id, reading, ANA, ctx)));
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await db.selectFrom('audit').selectAll().execute()).toHaveLength(1);
});

test('a reading of a file that is joined counts for that file, not for the list', async () => {
  const feed = {
    login: 'main',
    source: { type: 'directory', path: tempFolder() },
    entries: { list: 'list*', stock: 'stock*' },
    join: { on: ['oem'] },
  };
  const { ctx, db, read, deliver } = await world({ feeds: { north: feed } });
  const list = iconv.encode('brand;oem;text\nATE;1;Тормозные колодки передние\nATE;2;Тормозной диск\n', 'windows-1251');
  const stock = iconv.encode('oem;name\n1;Ф\n2;x\n', 'windows-1251');
  const held = await deliver(
    rawZip([
      { name: 'list.csv', data: list },
      { name: 'stock.csv', data: stock },
    ]),
    'north.zip',
  );
  expect(held).toMatchObject({ outcome: 'held', options: { cause: 'unsure' }, detection: { partner: 'stock' } });
  await expect(approveRun(held.id, ANA, ctx)).rejects.toThrow('Set feeds.north.join.partners.stock.dialect, then');
  await takeReading(held.id, numberOf(held, 'windows-1251'), ANA, ctx);
  const taken = await getRun(db, held.id);
  expect(taken.options).toMatchObject({
    partnerReadings: [{ partner: 'stock', charset: 'windows-1251', delimiter: ';' }],
  });
  expect(taken.options).not.toHaveProperty('reading');
  expect(await read(held.id)).toMatchObject({ stage: 'compose', counts: { accepted: 2 } });
});
