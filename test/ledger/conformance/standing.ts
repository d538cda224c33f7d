import { expect, test } from 'vitest';
import { loginNames } from '../../../bench/web/fill-ledger.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { deliveryStrip } from '../../../src/ledger/lists/delivery-strip.ts';
import { livePoints } from '../../../src/ledger/lists/live-points.ts';
import { newestRuns } from '../../../src/ledger/runs/newest-runs.ts';
import { listRuns } from '../../../src/ledger/runs/runs.ts';
import { standstills } from '../../../src/ledger/runs/standstills.ts';
import { lastVerified, latestAccepted, verifiedUploads } from '../../../src/ledger/uploads/accepted-uploads.ts';
import { openIntent } from '../../../src/ledger/uploads/intents.ts';
import { newestUploads } from '../../../src/ledger/uploads/newest-uploads.ts';
import { openAttempts, openUploads } from '../../../src/ledger/uploads/open-uploads.ts';
import { newestAttempt, openUpload } from '../../../src/ledger/uploads/uploads.ts';
import { FEEDS, fillSmall, SMALL } from '../../support/filled-ledger.ts';
import { openAt, type Engine } from './engine.ts';

const LOGINS = loginNames(SMALL);
const GOOD = ['live', 'partial', 'unchanged'];
const BAD = ['held', 'rejected', 'failed'];

async function filled({ place }: Engine): Promise<Ledger> {
  const ledger = await openAt(await place());
  await fillSmall(ledger);
  return ledger;
}

/** What every ledger promises of questions about all feeds or logins at once: the same as asked one by one. */
export function standingConformance(engine: Engine): void {
  const { name } = engine;

  test(`${name}: the newest run of each feed, and nothing of one without runs`, async () => {
    const { db } = await filled(engine);
    const found = await newestRuns(db, [...FEEDS, 'never']);
    for (const feed of FEEDS) {
      const [newest] = await listRuns(db, { feed, limit: 1 });
      expect(found.get(feed)?.id).toBe(newest?.id);
    }
    expect([...found.keys()].sort()).toEqual([...FEEDS].sort());
    expect(await newestRuns(db, [])).toEqual(new Map());
  });

  test(`${name}: deliveries that did not get through since the last good one`, async () => {
    const { db } = await filled(engine);
    const found = await standstills(db, FEEDS);
    for (const feed of FEEDS) {
      const runs = (await listRuns(db, { feed })).reverse();
      const good = runs.findLastIndex(({ outcome }) => GOOD.includes(outcome ?? ''));
      const bad = runs.slice(good + 1).filter(({ outcome }) => BAD.includes(outcome ?? ''));
      const standstill = found.get(feed)?.standstill;
      expect(standstill?.deliveries ?? 0).toBe(bad.length);
      expect(standstill?.last.id).toBe(bad.at(-1)?.id);
      expect(standstill?.since).toBe(bad[0]?.finished_at);
    }
  });

  test(`${name}: a feed none of whose deliveries ever got through stands still since its first one`, async () => {
    const { db } = await filled(engine);
    await db.updateTable('runs').set({ outcome: 'rejected' }).where('feed', '=', FEEDS[0]!).execute();
    const runs = await listRuns(db, { feed: FEEDS[0]! });
    const found = (await standstills(db, FEEDS)).get(FEEDS[0]!)?.standstill;
    expect(found).toMatchObject({ deliveries: runs.length, since: runs.at(-1)!.finished_at });
  });

  test(`${name}: the newest uploads of each login, and those that are open`, async () => {
    const { db } = await filled(engine);
    const newest = await newestUploads(db, [...LOGINS, 'never']);
    expect(newest.get('never')).toEqual({ verified: null, success: null });
    const open = await openUploads(db);
    const attempts = await openAttempts(db, LOGINS);
    for (const login of LOGINS) {
      expect(newest.get(login)?.verified ?? undefined).toEqual(await lastVerified(db, login));
      expect(newest.get(login)?.success ?? undefined).toEqual(await latestAccepted(db, login));
      expect(open.get(login)?.upload).toEqual(await openUpload(db, login));
      const intent = await openIntent(db, login);
      const attempt = intent === undefined ? undefined : await newestAttempt(db, intent.id);
      expect(attempts.get(login)?.token).toBe(attempt?.token);
    }
    expect(open.size).toBeGreaterThan(0);
  });

  test(`${name}: the live rows of a feed over time, and fewer points where there are very many`, async () => {
    const ledger = await filled(engine);
    const [login = ''] = LOGINS;
    const feed = FEEDS[0]!;
    const proved = (await verifiedUploads(ledger.db, login)).reverse();
    const all = await livePoints(ledger, { feed, login, since: 0, limit: 10_000 });
    expect(all).toEqual(
      proved.map(({ upload, intent }) => ({
        at: upload.closed_at,
        live: intent.accounts?.[feed]?.live ?? 0,
        upload: upload.id,
        offerId: upload.offer_id,
      })),
    );
    const some = await livePoints(ledger, { feed, login, since: 0, limit: 10 });
    expect(some.length).toBeLessThanOrEqual(10);
    expect(some.at(-1)).toEqual(all.at(-1));
    expect(all).toEqual(expect.arrayContaining(some));
    const later = await livePoints(ledger, { feed, login, since: all[5]!.at, limit: 10_000 });
    expect(later).toEqual(all.slice(5));
  });

  test(`${name}: the newest deliveries of a feed, without the same file met again`, async () => {
    const { db } = await filled(engine);
    const strip = await deliveryStrip(db, FEEDS[1]!, 5);
    const ended = ['live', 'partial', 'held', 'rejected', 'failed'];
    const runs = (await listRuns(db, { feed: FEEDS[1]! })).filter(({ outcome }) => ended.includes(outcome ?? ''));
    expect(strip.map(({ id }) => id)).toEqual(
      runs
        .slice(0, 5)
        .map(({ id }) => id)
        .reverse(),
    );
  });
}
