import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openReader, type Ledger } from '../../../src/ledger/ledger.ts';
import { addPause, endPause, listPauses } from '../../../src/ledger/runs/pauses.ts';
import { collectCells, type Cells } from '../../../src/web/live/cells.ts';
import { createLive, type Follower, type Live } from '../../../src/web/live/live.ts';
import { mirrorGauges } from '../../../src/web/thread/gauges.ts';
import { openAt, type Place } from '../../ledger/conformance/engine.ts';
import { atEnd } from '../../support/at-end.ts';
import { readEvents, type EventReader } from '../../support/event-stream.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { postgresForTests, withoutPostgres } from '../../support/postgres.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const newDatabase = postgresForTests();
const onPostgres = async () => ({ file: '', databaseUrl: await newDatabase() });
const onSqlite = () => Promise.resolve({ file: join(tempFolder(), 'ledger.sqlite') });

describe('open pages over SQLite', () => {
  behaviour(onSqlite);
});
describe.skipIf(withoutPostgres)('open pages over Postgres', () => {
  behaviour(onPostgres);
});

/** A page of two cells: the pauses of feeds, and those of logins. */
async function cellsIn({ db }: Ledger): Promise<Cells> {
  const { cell, cells } = collectCells();
  const pauses = await listPauses(db);
  for (const kind of ['feed', 'login'] as const)
    cell(
      kind,
      pauses.filter((pause) => pause.kind === kind).map(({ reason }) => reason),
    );
  return cells;
}

type Followed = { live: Live; reader: Ledger; page: (over?: Partial<Follower>, at?: string) => EventReader };

async function followed(place: () => Promise<Place>): Promise<Followed & { pause: typeof pauseOf; writer: Ledger }> {
  const where = await place();
  const writer = await openAt(where);
  const reader = await openReader(where);
  const live = createLive(reader, mirrorGauges(), memoryLog().log);
  atEnd(async () => {
    live.close();
    await reader.close();
  });
  const page = (over: Partial<Follower> = {}, at = '') => {
    const follower = { render: () => cellsIn(reader), mayFollow: () => Promise.resolve(true) };
    return readEvents(live.open('pauses', at, { ...follower, ...over }));
  };
  return { live, reader, page, writer, pause: pauseOf };
}

async function pauseOf({ db }: Ledger, kind: 'feed' | 'login', reason: string): Promise<void> {
  await endPause(db, { kind, name: 'north' });
  await addPause(db, { kind, name: 'north', reason, who: 'ops', at: 1 });
}

function behaviour(place: () => Promise<Place>): void {
  test('are told everything at first, then only the cells that change', async () => {
    const { page, writer, pause } = await followed(place);
    await pause(writer, 'login', 'holidays');
    const open = page();
    expect(await open.next()).toMatchObject({ event: 'cells', cells: { feed: '', login: 'holidays' } });
    await pause(writer, 'feed', 'prices are wrong');
    expect((await open.next())?.cells).toEqual({ feed: 'prices are wrong' });
    await pause(writer, 'login', 'back again');
    expect((await open.next())?.cells).toEqual({ login: 'back again' });
  });

  test('catch up after a break by the mark of what they were told last, and hear nothing twice', async () => {
    const { page, writer, pause, reader } = await followed(place);
    const before = page();
    const told = await before.next();
    await before.close();
    const isMade = Promise.withResolvers<void>();
    const render = () => cellsIn(reader).finally(isMade.resolve);
    const same = page({ render }, told?.mark);
    await isMade.promise;
    await pause(writer, 'feed', 'meanwhile');
    expect((await same.next())?.cells).toEqual({ feed: 'meanwhile' });
    const late = page({}, told?.mark);
    expect((await late.next())?.cells).toEqual({ feed: 'meanwhile', login: '' });
  });

  test('that look alike are made once for all', async () => {
    const { page, writer, pause, reader } = await followed(place);
    let made = 0;
    const render = async () => {
      const cells = await cellsIn(reader);
      if (cells.get('feed')?.markup === 'for all') made += 1;
      return cells;
    };
    const pages = [page({ render }), page({ render }), page({ render })];
    for (const one of pages) await one.next();
    await pause(writer, 'feed', 'for all');
    for (const one of pages) expect((await one.next())?.cells).toEqual({ feed: 'for all' });
    expect(made).toBeLessThan(pages.length);
  });

  test('miss nothing that changes while one of them is made', async () => {
    const { page, writer, pause, reader } = await followed(place);
    const first = page();
    await first.next();
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isFirst = true;
    const render = async () => {
      const cells = await cellsIn(reader);
      if (isFirst) {
        isFirst = false;
        begun.resolve();
        await go.promise;
      }
      return cells;
    };
    const second = page({ render });
    await begun.promise;
    await pause(writer, 'feed', 'just now');
    expect((await first.next())?.cells).toEqual({ feed: 'just now' });
    go.resolve();
    expect((await second.next())?.cells).toEqual({ feed: '', login: '' });
    expect((await second.next())?.cells).toEqual({ feed: 'just now' });
  });

  test('of those who may not see them any more are told so, and nothing else', async () => {
    const { page, writer, pause, live } = await followed(place);
    let may = true;
    const [stays, goes] = [page(), page({ mayFollow: () => Promise.resolve(may) })];
    await stays.next();
    await goes.next();
    may = false;
    await pause(writer, 'feed', 'a secret');
    expect(await goes.next()).toMatchObject({ event: 'ended', cells: {} });
    expect(await goes.next()).toBeNull();
    expect((await stays.next())?.cells).toEqual({ feed: 'a secret' });
    expect(live.streams()).toBe(1);
  });

  test('are closed without a word when whoever follows them has to ask anew', async () => {
    const { page, writer, pause, live } = await followed(place);
    const open = page({ mayFollow: () => Promise.resolve('again') });
    await open.next();
    await pause(writer, 'feed', 'nothing for them');
    expect(await open.next()).toBeNull();
    expect(live.streams()).toBe(0);
    expect(await page({ render: () => Promise.resolve('again') }).next()).toBeNull();
  });

  test('are told later when it cannot be asked just now whether they may be', async () => {
    const { page, writer, pause } = await followed(place);
    let refusals = 2;
    const mayFollow = async () => {
      if ((refusals -= 1) >= 0) throw new Error('the ledger is locked');
      return true;
    };
    const open = page({ mayFollow });
    await open.next();
    await pause(writer, 'feed', 'in the end');
    expect((await open.next())?.cells).toEqual({ feed: 'in the end' });
  });

  test('that take nothing have one message wait for them, and then see how it is now', async () => {
    const { page, writer, pause } = await followed(place);
    const [quick, slow] = [page(), page()];
    await quick.next();
    for (let at = 1; at <= 5; at += 1) {
      await pause(writer, 'feed', `change ${at}`);
      expect((await quick.next())?.cells).toEqual({ feed: `change ${at}` });
    }
    const seen: unknown[] = [];
    while (seen.at(-1) !== 'change 5') seen.push((await slow.next())?.cells['feed']);
    // The quick page may be told a little earlier.
    expect(seen.length).toBeLessThanOrEqual(2);
  });

  test('leave nothing behind when they are closed, also before they were made', async () => {
    const { page, writer, pause, live, reader } = await followed(place);
    const go = Promise.withResolvers<void>();
    const unmade = page({ render: () => go.promise.then(() => cellsIn(reader)) });
    const [one, two] = [page(), page()];
    await one.next();
    await unmade.close();
    await one.close();
    await two.close();
    go.resolve();
    expect(live.streams()).toBe(0);
    const again = page();
    await again.next();
    await pause(writer, 'feed', 'still followed');
    expect((await again.next())?.cells).toEqual({ feed: 'still followed' });
    expect(live.streams()).toBe(1);
  });

  test('are closed with the console, so that they try again', async () => {
    const { page, live } = await followed(place);
    const open = page();
    await open.next();
    live.close();
    expect(await open.next()).toBeNull();
    await until(() => (live.streams() === 0 ? true : undefined));
  });
}
