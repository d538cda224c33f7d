import { describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { readLive, writeLive } from '../../../src/ledger/maintenance/copy-live.ts';
import { acceptColumns, acceptedColumnsOf } from '../../../src/ledger/runs/accepted-columns.ts';
import { feedState, listFeeds, updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { listIncidents, raise, recover } from '../../../src/ledger/alerts/incidents.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { IntentRow } from '../../../src/ledger/schema/schema.ts';
import { createRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { lastVerified, latestAccepted } from '../../../src/ledger/uploads/accepted-uploads.ts';
import { createIntent, updateIntent } from '../../../src/ledger/uploads/intents.ts';
import { createAttempt, updateUpload } from '../../../src/ledger/uploads/uploads.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openAt, type Engine } from './engine.ts';
import { DATASET } from './intend.ts';
import { saying } from '../../support/reasons.ts';

const NOW = Date.UTC(2026, 4, 4, 6);

/** A feed of the login with rows that are live, and newer ones that are not. */
async function liveFeed({ db }: Ledger, feed: string, login: string) {
  const run = { feed, login, cause: 'manual' as const, options: {}, sandbox: false };
  const live = await createRun(db, { ...run, now: NOW });
  const candidate = await createRun(db, { ...run, now: NOW + 1 });
  const waiting = await createRun(db, { ...run, now: NOW + 2 });
  const intent = await accepted({ db }, { login, at: NOW, result: 'met' });
  await updateRun(db, live, { stage: 'report', intent, rows_sha: 'c' });
  await feedState(db, feed, login);
  await updateFeed(db, feed, { contribution: live, candidate, candidate_at: NOW + 1, live_sha: 'd' });
  return { live, candidate, waiting };
}

/** A dataset that the service accepted; answers with the intent. */
async function accepted(
  { db }: Pick<Ledger, 'db'>,
  { login = 'main', at, result }: { login?: string; at: number; result: IntentRow['result'] },
) {
  const intent = await createIntent(db, { login, ...DATASET }, at);
  const upload = await createAttempt(db, intent, 1, at);
  await updateUpload(db, upload.id, { state: 'success', offer_id: '7', closed_at: at });
  if (result !== null) await updateIntent(db, intent.id, { result, closed_at: at });
  return intent.id;
}

async function contentOf({ db }: Ledger): Promise<string> {
  const tables = ['runs', 'feeds', 'intents', 'uploads', 'datasets', 'incidents', 'leases', 'events', 'meta'] as const;
  return JSON.stringify(await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute())));
}

/** What is live is read without a trace, and a new ledger knows it as the old one does. */
export function copyLiveConformance(engine: Engine): void {
  describe(`copying what is live from ${engine.name}`, () => {
    test('a new ledger knows what is live for the login, and the old one has not changed', async () => {
      const place = await engine.place();
      const ledger = await openAt(place);
      const { live, candidate, waiting } = await liveFeed(ledger, 'north', 'main');
      await liveFeed(ledger, 'other', 'second');
      const open = { kind: 'delivery', login: 'main', feed: 'north', reason: saying('held'), run: candidate } as const;
      await raise(ledger.db, open, NOW);
      await raise(ledger.db, { ...open, kind: 'unbalanced' }, NOW);
      await recover(ledger.db, { kind: 'unbalanced', login: 'main', feed: 'north', text: 'explained' }, NOW + 1);
      await raise(ledger.db, { ...open, login: 'second', feed: 'other' }, NOW);
      const accepted = {
        fingerprint: 'f',
        accepted: [{ key: 'oem', column: 'Nr', position: 1 }],
        header_cells: ['Nr'],
      };
      const by = { width: 1, run: live, who: 'ana', reason: 'asked', at: NOW };
      for (const feed of ['north', 'other']) await acceptColumns(ledger.db, { feed, ...accepted, ...by });
      const before = await contentOf(ledger);
      const known = await readLive(place, 'main');
      expect(await contentOf(ledger)).toBe(before);

      const copy = await openAt({ file: join(tempFolder(), 'copy.sqlite') });
      await writeLive(copy, known!);
      expect(await listFeeds(copy.db)).toMatchObject([{ feed: 'north', contribution: live, candidate: null }]);
      expect(await getRun(copy.db, live)).toMatchObject({ rows_sha: 'c', stage: 'done' });
      expect(await listIncidents(copy.db, { all: true })).toEqual(await listIncidents(ledger.db, { login: 'main' }));
      expect(await acceptedColumnsOf(copy.db, 'north')).toEqual(await acceptedColumnsOf(ledger.db, 'north'));
      expect(await acceptedColumnsOf(copy.db, 'other')).toEqual([]);
      // The run that brought an incident is known, and is nobody's work.
      expect(await getRun(copy.db, candidate)).toMatchObject({ stage: 'done' });
      await expect(getRun(copy.db, waiting)).rejects.toMatchObject({ code: 'not-found' });
      expect(await latestAccepted(copy.db, 'main')).toEqual(await latestAccepted(ledger.db, 'main'));
      expect(await latestAccepted(copy.db, 'second')).toBeUndefined();
    });

    test('of what was accepted but could not be confirmed as live the new ledger knows as much, and what was proved before it', async () => {
      const place = await engine.place();
      const ledger = await openAt(place);
      const { live } = await liveFeed(ledger, 'north', 'main');
      await accepted(ledger, { at: NOW + 3, result: 'unproved' });
      const copy = await openAt({ file: join(tempFolder(), 'copy.sqlite') });
      await writeLive(copy, (await readLive(place, 'main'))!);
      expect(await lastVerified(copy.db, 'main')).toEqual(await lastVerified(ledger.db, 'main'));
      expect(await latestAccepted(copy.db, 'main')).toEqual(await latestAccepted(ledger.db, 'main'));
      expect((await latestAccepted(copy.db, 'main'))?.intent.result).toBe('unproved');
      expect(await getRun(copy.db, live)).toMatchObject({ rows_sha: 'c' });
    });

    test('an upload whose account is not drawn yet is left behind', async () => {
      const place = await engine.place();
      const ledger = await openAt(place);
      await liveFeed(ledger, 'north', 'main');
      await accepted(ledger, { at: NOW + 3, result: null });
      const copy = await openAt({ file: join(tempFolder(), 'copy.sqlite') });
      await writeLive(copy, (await readLive(place, 'main'))!);
      expect(await latestAccepted(copy.db, 'main')).toEqual(await lastVerified(ledger.db, 'main'));
    });

    test('a ledger without anything live gives nothing', async () => {
      const place = await engine.place();
      await openAt(place);
      expect(await readLive(place, 'main')).toMatchObject({ feeds: [], runs: [], uploads: [], intents: [] });
    });
  });
}
