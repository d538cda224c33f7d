import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { acceptRunColumns, revokeRunColumns } from '../../../src/jobs/decisions/accept-columns.ts';
import { rerun } from '../../../src/jobs/decisions/rerun.ts';
import { approveRun } from '../../../src/jobs/decisions/review.ts';
import { advanceLane } from '../../../src/jobs/lane/lane.ts';
import { advanceRun } from '../../../src/jobs/run/flow.ts';
import { listIncidents } from '../../../src/ledger/alerts/incidents.ts';
import { acceptedColumnsOf } from '../../../src/ledger/runs/accepted-columns.ts';
import { feedState, updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { freezeFeed } from '../../../src/ledger/runs/freezes.ts';
import { addPause, pauseOver } from '../../../src/ledger/runs/pauses.ts';
import { createRun, eventsOf, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contextFor } from '../../upload/upload-world.ts';

const NEVER = new AbortController().signal;
const ANA = { who: 'ana', reason: 'asked them', via: 'cli', origin: null } as const;
const ASKED = [
  { key: 'brand', column: 'Xa' },
  { key: 'oem', column: 'Xb' },
];
const file = (...parts: string[]) => `Xa;Xb;Xc\n${parts.map((part) => `Qorvax;${part};1,50\n`).join('')}`;

/** A feed whose files have a header that nobody knows. */
async function world() {
  const ctx = await contextFor('http://127.0.0.1:1');
  const { db } = ctx.ledger;
  const read = async (id: string, on: Context = ctx) => {
    await advanceRun(id, { pulling: false }, on, NEVER);
    return getRun(db, id);
  };
  const deliver = async (text: string) => {
    const path = join(tempFolder(), 'list.csv');
    writeFileSync(path, text);
    const run = { feed: 'north', login: 'main', cause: 'manual' as const, options: { file: path }, sandbox: false };
    return read(await createRun(db, { ...run, now: ctx.clock.now() }));
  };
  return { ctx, db, read, deliver };
}

test.each([
  { outcome: 'held', rows: ['QX 100', 'ZM-200', 'QX 300'] },
  { outcome: 'rejected', rows: ['a', 'b', 'c'] },
])('a run whose columns are accepted after it was $outcome is open work again, under guards', async (given) => {
  const { ctx, db, read, deliver } = await world();
  const { id } = await deliver(file(...given.rows));
  expect(await getRun(db, id)).toMatchObject({ outcome: given.outcome });
  const [open] = await listIncidents(db);
  expect(open?.text).toMatch(new RegExp(`^${given.outcome}: `));
  expect(await acceptRunColumns(id, ASKED, ANA, ctx)).toMatchObject({
    accepted: [{ key: 'brand' }, { key: 'oem' }],
    warnings: given.rows[0] === 'a' ? ['oem ← "Xb", but 0 % of its cells have digits'] : [],
  });
  const accepted = await getRun(db, id);
  expect(accepted).toMatchObject({ outcome: null, amended: given.outcome, stage: 'read', reason: null });
  expect(accepted.options).not.toHaveProperty('approved');
  expect((await listIncidents(db))[0]?.text).toBe(
    'its columns were accepted by ana: asked them; the file is being read again',
  );
  const audit = await db.selectFrom('audit').selectAll().execute();
  expect(audit).toMatchObject([{ action: 'accept-columns', subject: id, ...ANA }]);
  expect(await read(id)).toMatchObject({ stage: 'compose', counts: { accepted: 3 } });
  expect((await feedState(db, 'north', 'main')).candidate).toBe(id);
});

test('a run that is read again gives way to a newer one that came first', async () => {
  const { ctx, db, read, deliver } = await world();
  const older = await deliver(file('1', '2'));
  await acceptRunColumns(older.id, ASKED, ANA, ctx);
  const newer = await deliver(file('1', '2', '3'));
  expect(newer).toMatchObject({ stage: 'compose' });
  expect(await read(older.id)).toMatchObject({ outcome: 'nothing', options: { cause: 'superseded' } });
  expect((await feedState(db, 'north', 'main')).candidate).toBe(newer.id);
});

test('columns that are taken back while a file is read with them do not count', async () => {
  const { ctx, db, read, deliver } = await world();
  const { id } = await deliver(file('1', '2'));
  await acceptRunColumns(id, ASKED, ANA, ctx);
  let isRevoked = false;
  const adopt: Context['archive']['adopt'] = async (path) => {
    if (!isRevoked) await revokeRunColumns(id, { who: 'bo', reason: 'wrong', via: 'cli', origin: null }, ctx);
    isRevoked = true;
    return ctx.archive.adopt(path);
  };
  const archive = new Proxy(ctx.archive, {
    get: (target, name) => (name === 'adopt' ? adopt : (Reflect.get(target, name) as unknown)),
  });
  expect(await read(id, { ...ctx, archive })).toMatchObject({ outcome: 'rejected' });
  expect((await feedState(db, 'north', 'main')).candidate).toBeNull();
  const told = (await eventsOf(db, id)).map(({ message }) => message);
  expect(told).toContain('its accepted columns were changed while it was read, so it is read again');
});

test('columns may be accepted anew for a run that is held again, and only of what is there', async () => {
  const { ctx, db, deliver } = await world();
  const { id } = await deliver(file('1', '2'));
  await expect(acceptRunColumns('nope', null, ANA, ctx)).rejects.toMatchObject({ code: 'not-found' });
  await acceptRunColumns(id, ASKED, ANA, ctx);
  await expect(acceptRunColumns(id, ASKED, ANA, ctx)).rejects.toThrow(`Run ${id} is not held: it has no outcome yet`);
  await updateRun(db, id, { outcome: 'held', stage: 'done' });
  await acceptRunColumns(id, [{ key: 'oem', column: 'Xc' }], ANA, ctx);
  const [row, ...more] = await acceptedColumnsOf(db, 'north');
  expect(more).toEqual([]);
  expect(row?.accepted.map(({ key, position }) => [key, position])).toEqual([
    ['brand', 1],
    ['oem', 3],
  ]);

  await updateRun(db, id, { outcome: 'held', stage: 'done', delivery_sha: null });
  await expect(acceptRunColumns(id, ASKED, ANA, ctx)).rejects.toThrow('has no archived delivery');
});

test('columns that their cells contradict are accepted with a warning', async () => {
  const { ctx, db, deliver } = await world();
  const { id } = await deliver(
    `Xa;Xb;Xc\n${['A 1001', 'B 2002', 'C 3003'].map((part) => `${part};BOSCH;1,50\n`).join('')}`,
  );
  const { accepted, warnings } = await acceptRunColumns(id, ASKED, ANA, ctx);
  expect(accepted).toHaveLength(2);
  expect(warnings).toEqual([
    'brand ← "Xa", but 100 % of its cells look like part numbers',
    'oem ← "Xb", but 100 % of its cells are known makers',
  ]);
  expect((await eventsOf(db, id)).map(({ message }) => message)).toEqual(expect.arrayContaining(warnings));
});

test('what is live stays live when its columns are taken back', async () => {
  const { ctx, db, read, deliver } = await world();
  const { id } = await deliver(file('1', '2'));
  await acceptRunColumns(id, ASKED, ANA, ctx);
  await read(id);
  await updateFeed(db, 'north', { candidate: null, contribution: id });
  await updateRun(db, id, { outcome: 'live', stage: 'done' });
  expect(await revokeRunColumns(id, ANA, ctx)).toEqual({ feed: 'north', readAgain: null });
  expect(await getRun(db, id)).toMatchObject({ outcome: 'live', stage: 'done' });
  expect((await feedState(db, 'north', 'main')).contribution).toBe(id);
  await expect(revokeRunColumns(id, ANA, ctx)).rejects.toThrow('No columns are accepted for the header');
});

test('accepting columns ends no freeze: the run is held again, and its rows wait for nothing', async () => {
  const { ctx, db, read, deliver } = await world();
  const { id } = await deliver(file('1', '2'));
  await freezeFeed(db, { feed: 'north', login: 'main', at: ctx.clock.now(), who: ANA.who, reason: ANA.reason });
  await acceptRunColumns(id, ASKED, ANA, ctx);
  expect(await read(id)).toMatchObject({ outcome: 'held', options: { cause: 'frozen' }, counts: { accepted: 2 } });
  expect((await feedState(db, 'north', 'main')).candidate).toBeNull();
  expect(await acceptedColumnsOf(db, 'north')).toHaveLength(1);
});

test.each(['feed', 'login'] as const)('accepting columns ends no pause of the %s: the rows wait', async (kind) => {
  const { ctx, db, read, deliver } = await world();
  const { id } = await deliver(file('1', '2'));
  const name = kind === 'feed' ? 'north' : 'main';
  await addPause(db, { kind, name, at: ctx.clock.now(), who: ANA.who, reason: ANA.reason });
  await acceptRunColumns(id, ASKED, ANA, ctx);
  expect(await read(id)).toMatchObject({ outcome: null, stage: 'compose', intent: null });
  expect(await pauseOver(db, 'north', 'main')).toMatchObject({ kind, name });
  await advanceLane('main', ctx, NEVER);
  expect(await getRun(db, id)).toMatchObject({ outcome: null, stage: 'compose', intent: null });
  expect(await db.selectFrom('uploads').selectAll().execute()).toEqual([]);
});

test('rows that were read with columns that were taken back since are uploaded by no way', async () => {
  const { ctx, db, read, deliver } = await world();
  const { id } = await deliver(file('1', '2'));
  await acceptRunColumns(id, ASKED, ANA, ctx);
  await read(id);
  await updateFeed(db, 'north', { candidate: null, contribution: id });
  await updateRun(db, id, { outcome: 'live', stage: 'done' });
  const begun = await rerun(id, { from: 'upload', wait: false, by: null }, ctx);
  await revokeRunColumns(id, ANA, ctx);
  const advice = `taken back since (brand ← "Xa", oem ← "Xb"). Read its file again: \`offerline rerun ${id} --from validate\``;
  await expect(rerun(id, { from: 'upload', wait: false, by: null }, ctx)).rejects.toThrow(advice);
  expect(await read(begun)).toMatchObject({ outcome: 'rejected', options: { from: 'validate' } });
  expect((await feedState(db, 'north', 'main')).candidate).toBeNull();
  await updateRun(db, id, { outcome: 'held' });
  await expect(approveRun(id, ANA, ctx)).rejects.toThrow(advice);
  await rerun(id, { from: 'validate', wait: false, by: null }, ctx);
});

test('columns are taken back of a feed that has moved to another login since, and nothing else of it changes', async () => {
  const { ctx, db, deliver } = await world();
  const { id } = await deliver(file('1', '2'));
  await acceptRunColumns(id, ASKED, ANA, ctx);
  await feedState(db, 'north', 'west');
  await updateFeed(db, 'north', { contribution: id });
  expect(await revokeRunColumns(id, ANA, ctx)).toEqual({ feed: 'north', readAgain: null });
  expect(await feedState(db, 'north', 'west')).toMatchObject({ login: 'west', contribution: id });
});
