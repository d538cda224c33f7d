import { expect, test } from 'vitest';
import type { Config } from '../../../../src/config/schema/schema.ts';
import { approvalNeedsSecond, rollbackNeedsSecond } from '../../../../src/jobs/decisions/second/needs.ts';
import { feedState, updateFeed } from '../../../../src/ledger/runs/feeds.ts';
import { getRun, updateRun } from '../../../../src/ledger/runs/runs.ts';
import { secondWorld } from './second-world.ts';

type Second = boolean | string[];

/** Whether an approval needs a second person, by what the feed, its login and the installation say. `live`: rows that are live. */
async function needs(asked: { feed?: Second; login?: Second; all?: Second }, live?: number): Promise<boolean> {
  const { ctx, db, held } = await secondWorld({});
  const id = await held();
  if (live !== undefined) {
    const contribution = await held();
    const { counts } = await getRun(db, contribution);
    await updateRun(db, contribution, { counts: { ...counts!, accepted: live } });
    await feedState(db, 'north', 'main');
    await updateFeed(db, 'north', { contribution });
  }
  const of = (second: Second | undefined) => (second === undefined ? {} : { decisions: { approve: { second } } });
  const { north } = ctx.config.feeds;
  const { main } = ctx.config.logins;
  const config = {
    ...ctx.config,
    ...of(asked.all),
    feeds: { north: { ...north, ...of(asked.feed) } },
    logins: { main: { ...main, ...of(asked.login) } },
  } as Config;
  return approvalNeedsSecond(await getRun(db, id), { ...ctx, config });
}

test.each([
  [{}, false],
  [{ all: true }, true],
  [{ all: true, login: false }, false],
  [{ all: false, login: true }, true],
  [{ all: true, login: true, feed: false }, false],
  [{ feed: true }, true],
])(
  'the settings of the feed go before those of the login, and these before the installation’s: %j',
  async (asked, is) => {
    expect(await needs(asked)).toBe(is);
  },
);

test('a guard that held the run asks for a second person, another one does not', async () => {
  expect(await needs({ all: ['minRows'] })).toBe(true);
  expect(await needs({ all: ['maxPartsGone', 'maxRowGrowth'] })).toBe(false);
});

test('so does one that another guard came before', async () => {
  expect(await needs({ all: ['maxRowDrop'] }, 100)).toBe(true);
  expect(await needs({ all: ['maxRowDrop'] }, 1)).toBe(false);
});

test('and one that nobody asked because something else held the file before, where rows are live to compare with', async () => {
  expect(await needs({ all: ['maxPartsGone'] }, 1)).toBe(true);
  expect(await needs({ all: ['maxPartsGone'] })).toBe(false);
  expect(await needs({ all: ['maxBrandDrop'] }, 1)).toBe(false);
});

test('a rollback needs a second person where the login or the installation says so', () => {
  const config = (all: object | undefined, login: object | undefined) =>
    ({ logins: { main: { decisions: login } }, decisions: all }) as unknown as Config;
  const two = { rollback: { second: true } };
  const one = { rollback: { second: false } };
  expect(rollbackNeedsSecond('main', config(undefined, undefined))).toBe(false);
  expect(rollbackNeedsSecond('main', config(two, undefined))).toBe(true);
  expect(rollbackNeedsSecond('main', config(two, one))).toBe(false);
  expect(rollbackNeedsSecond('main', config(one, two))).toBe(true);
  expect(rollbackNeedsSecond('other', config(two, one))).toBe(true);
});
