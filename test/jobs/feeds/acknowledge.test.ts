import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { pullDelivery } from '../../../src/jobs/run/pull-stage.ts';
import { createRun, getRun } from '../../../src/ledger/runs/runs.ts';
import { lookAt } from '../../../src/pull/look-at.ts';
import { lacks } from '../../support/programs.ts';
import { startDovecot } from '../../support/servers/dovecot.ts';
import { trustTestTls } from '../../support/servers/vsftpd.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { attached, mailWith } from '../../pull/mail/write-mail.ts';
import { contextFor } from '../../upload/upload-world.ts';

const SIGNAL = new AbortController().signal;

/** Pulls for a feed as a run does; answers with what the run says of the supplier's files. */
async function pullFor(feed: string, ctx: Context): Promise<string[]> {
  const asked = { feed, login: 'main', cause: 'manual', options: {}, sandbox: false } as const;
  const id = await createRun(ctx.ledger.db, { ...asked, now: ctx.clock.now() });
  await pullDelivery(await getRun(ctx.ledger.db, id), ctx, SIGNAL);
  const events = await ctx.ledger.db.selectFrom('events').select('message').where('run', '=', id).execute();
  return events.map(({ message }) => message).filter((message) => message.includes("at the supplier's"));
}

test('a file that stays for one feed is not deleted by another that takes it, too', async () => {
  const inbox = tempFolder();
  const place = { type: 'directory', path: inbox, settle: '0s' };
  const files = { list: { pattern: 'prices*', stays: true }, stock: { pattern: 'stock*' } };
  const north = { login: 'main', source: { ...place, files } };
  const south = { login: 'main', source: { ...place, pattern: 'prices*', after: 'delete' } };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds: { north, south } });
  writeFileSync(join(inbox, 'prices.csv'), 'brand;oem\nATE;1\n');
  writeFileSync(join(inbox, 'stock.csv'), 'oem;stock\n1;4\n');

  await pullFor('north', ctx);
  expect(await pullFor('south', ctx)).toEqual([
    "prices.csv stays at the supplier's as long as prices.csv stays for feed north",
  ]);
  expect(existsSync(join(inbox, 'prices.csv'))).toBe(true);
});

test('a file that two feeds take is deleted once both have it', async () => {
  const inbox = tempFolder();
  const source = { type: 'directory', path: inbox, settle: '0s', after: 'delete' };
  const feeds = { north: { login: 'main', source }, south: { login: 'main', source } };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds });
  const file = join(inbox, 'prices.csv');
  writeFileSync(file, 'brand;oem\nATE;1\n');

  expect(await pullFor('north', ctx)).toEqual([
    "prices.csv stays at the supplier's until feed south has taken prices.csv",
  ]);
  expect(existsSync(file)).toBe(true);
  expect(await pullFor('south', ctx)).toEqual(["prices.csv was deleted at the supplier's"]);
  expect(existsSync(file)).toBe(false);
  expect(await pullFor('north', ctx)).toEqual(["prices.csv is no longer at the supplier's"]);
});

test.each([
  { date: '2062-11-29', says: "was deleted at the supplier's" },
  { date: soon(), says: "stays at the supplier's until feed south has taken" },
])('a file of $date is kept for another feed only where its day is near', async ({ date, says }) => {
  const inbox = tempFolder();
  const place = { type: 'directory', path: inbox, settle: '0s', pattern: 'prices_{yyyy-MM-dd}.csv' };
  const north = { login: 'main', source: { ...place, after: 'delete' } };
  const south = { login: 'main', source: place };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds: { north, south } });
  const publish = (name: string, at: number) => {
    writeFileSync(join(inbox, name), `brand;oem\nATE;${at}\n`);
    utimesSync(join(inbox, name), at, at);
  };
  publish(`prices_${date}.csv`, 1000);
  publish('prices_2026-01-02.csv', 2000);
  await pullFor('south', ctx);
  rmSync(join(inbox, 'prices_2026-01-02.csv'));
  expect((await pullFor('north', ctx)).join()).toContain(`prices_${date}.csv ${says}`);
});

/** A day that is three weeks ahead. */
function soon(): string {
  return new Date(Date.now() + 21 * 24 * 60 * 60_000).toISOString().slice(0, 10);
}

describe.skipIf(lacks('dovecot'))('a mail with the lists of two feeds', () => {
  beforeAll(trustTestTls);

  async function mailbox(after: 'delete' | 'move', patterns: { north: string; south: string }) {
    const { source, deliver } = await startDovecot({ after, moveTo: 'taken' });
    deliver(mailWith([attached('prices.csv', 'brand;oem\nATE;1\n'), attached('stock.csv', 'brand;oem\nATE;2\n')]));
    const ctx = await contextFor('http://127.0.0.1:1', {});
    const feed = Object.values(ctx.config.feeds)[0]!;
    const feeds = Object.fromEntries(
      Object.entries(patterns).map(([name, pattern]) => [name, { ...feed, source: { ...source, pattern } }]),
    );
    const left = async () => (await lookAt({ ...source, pattern: '*' }))!.files.map(({ name }) => name).toSorted();
    return { ctx: { ...ctx, config: { ...ctx.config, feeds } }, left };
  }

  test.each(['delete', 'move'] as const)('stays until both have theirs (%s)', async (after) => {
    const { ctx, left } = await mailbox(after, { north: 'prices*', south: 'stock*' });

    expect(await pullFor('north', ctx)).toEqual([
      "prices.csv stays at the supplier's until feed south has taken stock.csv",
    ]);
    expect(await left()).toEqual(['prices.csv', 'stock.csv']);
    await pullFor('south', ctx);

    expect(await left()).toEqual([]);
  });

  test('is not deleted with a list that was superseded, which nobody has', async () => {
    const { ctx, left } = await mailbox('delete', { north: '*.csv', south: 'other*' });

    expect(await pullFor('north', ctx)).toEqual([
      "stock.csv stays at the supplier's: prices.csv would be deleted with it, and was not taken",
    ]);

    expect(await left()).toEqual(['prices.csv', 'stock.csv']);
  });
});
