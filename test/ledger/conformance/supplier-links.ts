import { describe, expect, test } from 'vitest';
import { secretHash } from '../../../src/access/secret.ts';
import { pruneAccess } from '../../../src/access/sessions.ts';
import {
  countWrongLink,
  endLinks,
  endLinksOfGone,
  forgetMailLinks,
  isGuess,
  letIn,
  linkForMail,
  listLinks,
  makeLink,
  openedLink,
  supplierSince,
} from '../../../src/access/supplier-links.ts';
import type { Config } from '../../../src/config/schema/schema.ts';
import { findLink } from '../../../src/ledger/access/supplier-links.ts';
import { supplierDeliveries, untakenFiles } from '../../../src/ledger/lists/supplier-deliveries.ts';
import { insertPushed } from '../../../src/ledger/pushed.ts';
import { createRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { noteTaken } from '../../../src/ledger/runs/taken-files.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { openAt, type Engine } from './engine.ts';

const BY = { who: 'root', via: 'cli', origin: 'ops-1' } as const;
const MAIL = { mail: '7' };
const DAY = 86_400_000;

/** As much of a configuration as links depend on. */
function configWith(feeds: string[], web: Partial<Config['web']> = {}): Config {
  const supplier = { page: true, pageExpires: 90 * DAY };
  return {
    web: { listen: { host: '127.0.0.1', port: 1 }, ...web },
    feeds: Object.fromEntries(feeds.map((feed) => [feed, { supplier }])),
  } as unknown as Config;
}

async function open(engine: Engine) {
  const ledger = await openAt(await engine.place());
  return { ledger, config: configWith(['north', 'south']), ...memoryLog() };
}

const shown = (secret: string, address: string | null = null, id: string | null = null) => ({ secret, id, address });

/** Links to pages of suppliers. */
export function supplierLinksConformance(engine: Engine): void {
  describe(`links of suppliers on ${engine.name}`, () => {
    test('let in whoever has the secret, of which the ledger keeps a hash', async () => {
      const { ledger, config } = await open(engine);
      const ctx = { ledger, config };
      const { id, secret, expires } = await makeLink({ feed: 'north', rotate: false }, BY, ctx);
      expect(secret).toMatch(/^ofs_[\w-]{43}$/u);
      expect(await letIn(shown(secret), ctx)).toMatchObject({ link: { id, feed: 'north', expires_at: expires } });
      expect(await letIn(shown(secret, null, id), ctx)).not.toBeNull();
      expect(await letIn(shown(secret, null, 'another'), ctx)).toBeNull();
      expect(await letIn(shown(secretHash(secret)), ctx)).toBeNull();
      expect(JSON.stringify(await ledger.db.selectFrom('supplier_links').selectAll().execute())).not.toContain(secret);
      expect(JSON.stringify(await listLinks('north', ctx))).not.toContain(secretHash(secret));
      const audit = await ledger.db.selectFrom('audit').selectAll().execute();
      expect(audit).toMatchObject([{ action: 'make-link', subject: 'feed north', reason: `link ${id}`, who: 'root' }]);
      expect(JSON.stringify(audit)).not.toContain(secret);
    });

    test('end when they are rotated or ended, of their feed alone, when they expire, and without a page', async () => {
      const { ledger, config } = await open(engine);
      const ctx = { ledger, config };
      const make = (feed: string, rotate = false) => makeLink({ feed, rotate }, BY, ctx);
      const [first, south] = [await make('north'), await make('south')];
      const second = await make('north', true);
      expect(await letIn(shown(first.secret), ctx)).toBeNull();
      expect(await letIn(shown(second.secret), ctx)).not.toBeNull();
      expect(await letIn(shown(second.secret), { ledger, config: configWith(['south']) })).toBeNull();
      expect(await endLinks('north', BY, ctx)).toBe(1);
      expect(await endLinks('north', BY, ctx)).toBe(0);
      expect(await letIn(shown(second.secret), ctx)).toBeNull();
      expect(await letIn(shown(south.secret), ctx)).not.toBeNull();
      await ledger.db.updateTable('supplier_links').set({ expires_at: 1 }).where('id', '=', south.id).execute();
      expect(await letIn(shown(south.secret), ctx)).toBeNull();
      await expect(make('nowhere')).rejects.toMatchObject({ code: 'conflict' });
      await expect(endLinks('nowhere', BY, ctx)).rejects.toMatchObject({ code: 'not-found' });
      expect((await listLinks('north', ctx)).map((link) => link.open)).toEqual([false, false]);
    });

    test('for mails need an address that people can open', async () => {
      const { ledger, config } = await open(engine);
      expect(await linkForMail('north', MAIL, { ledger, config })).toBeNull();
      const there = configWith(['north'], { publicUrl: 'https://offers.example.com/' });
      const link = await linkForMail('north', MAIL, { ledger, config: there });
      expect(link).toMatch(/^https:\/\/offers\.example\.com\/supplier\/open\/ofs_[\w-]{43}$/u);
      expect(await linkForMail('south', MAIL, { ledger, config: there })).toBeNull();
      expect(await listLinks('north', { ledger, config: there })).toMatchObject([{ created_by: 'mail 7', open: true }]);
      expect(await ledger.db.selectFrom('audit').selectAll().execute()).toEqual([]);
    });

    test('that a person takes out of a draft are in that person’s name', async () => {
      const { ledger } = await open(engine);
      const ctx = { ledger, config: configWith(['north'], { publicUrl: 'https://offers.example.com/' }) };
      await linkForMail('north', BY, ctx);
      expect(await listLinks('north', ctx)).toMatchObject([{ created_by: 'root' }]);
      const audit = await ledger.db.selectFrom('audit').selectAll().execute();
      expect(audit).toMatchObject([{ action: 'make-link', subject: 'feed north', who: 'root' }]);
    });

    test('of a mail that is written again and again do not pile up, and one that was opened stays', async () => {
      const { ledger } = await open(engine);
      const ctx = { ledger, config: configWith(['north'], { publicUrl: 'https://offers.example.com/' }) };
      const secretOf = async (by: Parameters<typeof linkForMail>[1]) =>
        (await linkForMail('north', by, ctx))?.split('/').at(-1) ?? '';
      const [first, other] = [await secretOf(MAIL), await secretOf({ mail: '8' })];
      const opened = (await findLink(ledger.db, secretHash(first)))!;
      await openedLink(opened, null, { ledger });
      let last = '';
      for (let tries = 0; tries < 10; tries += 1) last = await secretOf(MAIL);
      expect(await listLinks('north', ctx)).toHaveLength(5);
      for (const secret of [first, last, other]) expect(await letIn(shown(secret), ctx)).toHaveProperty('link');
      await forgetMailLinks('7', ledger.db);
      expect(await letIn(shown(last), ctx)).toBeNull();
      expect(await listLinks('north', ctx)).toHaveLength(2);
    });

    test('can be ended one by one', async () => {
      const { ledger, config } = await open(engine);
      const ctx = { ledger, config };
      const make = (feed: string) => makeLink({ feed, rotate: false }, BY, ctx);
      const [leaked, kept, south] = [await make('north'), await make('north'), await make('south')];
      expect(await endLinks('north', BY, ctx, leaked.id)).toBe(1);
      expect(await letIn(shown(leaked.secret), ctx)).toBeNull();
      expect(await letIn(shown(kept.secret), ctx)).toHaveProperty('link');
      await expect(endLinks('north', BY, ctx, south.id)).rejects.toMatchObject({ code: 'not-found' });
      expect(await letIn(shown(south.secret), ctx)).toHaveProperty('link');
    });

    test('of a feed that was removed do not come back to life with the next one of its name', async () => {
      const { ledger, config, log } = await open(engine);
      const north = await makeLink({ feed: 'north', rotate: false }, BY, { ledger, config });
      const south = await makeLink({ feed: 'south', rotate: false }, BY, { ledger, config });
      await endLinksOfGone({ ledger, config: configWith(['south']), log });
      expect(await letIn(shown(north.secret), { ledger, config })).toBeNull();
      expect(await letIn(shown(south.secret), { ledger, config })).toHaveProperty('link');
    });

    test('do not open the page of another supplier who has the name of the feed now', async () => {
      const { ledger } = await open(engine);
      const withSupplier = (supplier: object): Config => {
        const config = configWith(['north']);
        return {
          ...config,
          feeds: { north: { supplier: { ...config.feeds['north']!.supplier, ...supplier } } },
        } as never;
      };
      const old = { ledger, config: withSupplier({ name: 'Nord', email: 'a@nord.example' }) };
      const { secret, id } = await makeLink({ feed: 'north', rotate: false }, BY, old);
      const isLetIn = async (supplier: object) =>
        (await letIn(shown(secret), { ledger, config: withSupplier(supplier) })) !== null;
      expect(await isLetIn({ name: 'Nord', email: 'b@nord.example' })).toBe(true);
      expect(await isLetIn({ name: 'Süd' })).toBe(false);
      expect(await isLetIn({})).toBe(false);
      expect((await listLinks('north', { ledger, config: withSupplier({ name: 'Süd' }) }))[0]).toMatchObject({
        id,
        open: false,
      });
      const nameless = { ledger, config: withSupplier({ email: 'a@nord.example' }) };
      const other = await makeLink({ feed: 'north', rotate: false }, BY, nameless);
      const opensFor = async (supplier: object) =>
        (await letIn(shown(other.secret), { ledger, config: withSupplier(supplier) })) !== null;
      expect(await opensFor({ name: 'Nord', email: 'a@nord.example' })).toBe(true);
      expect(await opensFor({ email: 'c@sued.example' })).toBe(false);
    });

    test('end when the feed has another supplier, who sees nothing of what came before', async () => {
      const { ledger, log } = await open(engine);
      const of = (name: string) => {
        const { feeds, ...config } = configWith(['north']);
        const supplier = { ...feeds['north']!.supplier, name };
        return { ledger, log, config: { ...config, feeds: { north: { supplier } } } as unknown as Config };
      };
      const [nord, sued] = [of('Nord'), of('Süd')];
      const old = await makeLink({ feed: 'north', rotate: false }, BY, nord);
      const older = await makeLink({ feed: 'north', rotate: false }, BY, nord);
      // As links were made before it was kept for whom.
      await ledger.db.updateTable('supplier_links').set({ supplier: null }).where('id', '=', older.id).execute();
      await endLinksOfGone(nord);
      expect(await supplierSince('north', nord)).toBe(0);
      for (const { secret } of [old, older]) expect(await letIn(shown(secret), nord)).toHaveProperty('link');
      const before = await ledger.now();
      // Another worker may not have noticed yet.
      expect(await supplierSince('north', sued)).toBeGreaterThanOrEqual(before);
      await endLinksOfGone(sued);
      for (const { secret } of [old, older]) {
        expect(await letIn(shown(secret), sued)).toBeNull();
        expect(await letIn(shown(secret), nord)).toBeNull();
      }
      await makeLink({ feed: 'north', rotate: false }, BY, sued);
      const since = await supplierSince('north', sued);
      expect(since).toBeGreaterThanOrEqual(before);
      // Neither their spelling, nor the next start, nor that the links are forgotten makes a difference.
      await ledger.db.deleteFrom('supplier_links').execute();
      await endLinksOfGone(of(' SÜD '));
      expect(await supplierSince('north', of('Süd'))).toBe(since);
    });

    test('that have ended, and what is not shaped like one, are no guesses', async () => {
      const { ledger, config } = await open(engine);
      const ctx = { ledger, config };
      const { secret } = await makeLink({ feed: 'north', rotate: false }, BY, ctx);
      await endLinks('north', BY, ctx);
      expect(await isGuess(secret, ctx)).toBe(false);
      expect(await isGuess('favicon.ico', ctx)).toBe(false);
      expect(await isGuess(`ofs_${'x'.repeat(43)}`, ctx)).toBe(true);
    });

    test('that are wrong are counted by network, also when many come at once; feeds whose page was opened there are let in', async () => {
      const { ledger, config, log } = await open(engine);
      const ctx = { ledger, config };
      const opened = await makeLink({ feed: 'north', rotate: false }, BY, ctx);
      await openedLink({ id: opened.id, feed: 'north' }, '10.0.0.7', { ledger });
      expect((await listLinks('north', ctx))[0]?.used_at).toBeGreaterThan(0);
      const waits = await Promise.all(Array.from({ length: 30 }, () => countWrongLink('10.0.0.7', { ledger, log })));
      expect(waits.filter((wait) => wait === null)).toHaveLength(21);
      const south = await makeLink({ feed: 'south', rotate: false }, BY, ctx);
      expect(await letIn(shown(south.secret, '10.0.0.7'), ctx)).toEqual({ again: expect.any(Number) as number });
      expect(await letIn(shown(south.secret, '10.0.0.8'), ctx)).toHaveProperty('link');
      // Each mail brings another link.
      const next = await makeLink({ feed: 'north', rotate: false }, BY, ctx);
      for (const { secret } of [opened, next])
        expect(await letIn(shown(secret, '10.0.0.7'), ctx)).toHaveProperty('link');
      const refused = ledger.db.selectFrom('audit').selectAll().where('action', '=', 'refuse');
      expect((await refused.execute()).map(({ subject }) => subject)).toEqual(['supplier page', 'supplier page']);
    });

    test('are forgotten a while after their end', async () => {
      const { ledger, config } = await open(engine);
      const ctx = { ledger, config };
      const [old, open_] = [
        await makeLink({ feed: 'north', rotate: false }, BY, ctx),
        await makeLink({ feed: 'north', rotate: false }, BY, ctx),
      ];
      const long = (await ledger.now()) - 91 * DAY;
      await ledger.db.updateTable('supplier_links').set({ ended_at: long }).where('id', '=', old.id).execute();
      await pruneAccess({ ledger });
      expect(await findLink(ledger.db, secretHash(old.secret))).toBeUndefined();
      expect(await findLink(ledger.db, secretHash(open_.secret))).toBeDefined();
    });
  });

  test(`a supplier is shown each file once, with its last run, on ${engine.name}`, async () => {
    const { ledger } = await open(engine);
    const run = async (feed: string, now: number, set: Parameters<typeof updateRun>[2]) => {
      const made = { feed, login: 'main', cause: 'manual', options: {}, sandbox: false, now } as const;
      const id = await createRun(ledger.db, made);
      await updateRun(ledger.db, id, set);
      return id;
    };
    const done = { stage: 'done', delivery_sha: 'a', delivery_name: 'a.csv' } as const;
    await run('north', 1000, { ...done, outcome: 'rejected' });
    const again = await run('north', 2000, { ...done, outcome: 'live' });
    const open_ = await run('north', 3000, { delivery_sha: 'b', delivery_name: 'b.csv' });
    await run('north', 4000, { stage: 'done', outcome: 'nothing' });
    await run('north', 5000, { ...done, outcome: 'unchanged' });
    await run('south', 6000, { ...done, outcome: 'live' });
    const late = { stage: 'done', outcome: 'nothing', reason_code: 'superseded' } as const;
    const replaced = await run('north', 7000, { ...late, delivery_sha: 'c', delivery_name: 'c.csv' });
    await run('north', 8000, { ...late, delivery_sha: 'a', delivery_name: 'a.csv', options: { of: again } });
    const found = await supplierDeliveries(ledger.db, { feed: 'north', sandbox: false, since: 0, limit: 10 });
    expect(found.map(({ id, outcome }) => [id, outcome])).toEqual([
      [replaced, 'nothing'],
      [open_, null],
      [again, 'live'],
    ]);
    expect(await supplierDeliveries(ledger.db, { feed: 'north', sandbox: true, since: 0, limit: 10 })).toEqual([]);
    const waiting = await run('north', 9000, { stage: 'pull' });
    const sent = { feed: 'north', login: 'main', sha256: 'd', bytes: 1, who: 'supplier link 1' };
    await insertPushed(ledger.db, { ...sent, id: 'd', name: 'd.csv', at: 9000, run: waiting });
    await insertPushed(ledger.db, { ...sent, id: 'e', name: 'b.csv', at: 3000, run: open_ });
    await insertPushed(ledger.db, { ...sent, id: 'f', name: 'f.csv', at: 3500, run: open_ });
    await insertPushed(ledger.db, { ...sent, id: 'g', name: 'b.csv', at: 2500, run: open_ });
    const listed = (id: string) => ({ identity: id, listed: { name: `${id}.csv`, size: 1, mtimeMs: 1, id } });
    const took = { feed: 'north', origin: 'o', run: open_, at: 9000, sha256: 'b', acknowledge: false };
    await noteTaken(ledger.db, { ...took, taken: [listed('e')], superseded: [listed('f')] });
    // The file that was taken is that of its run; the others of the same run gave way to it.
    const untaken = { feed: 'north', since: 0, isFull: true, limit: 10 };
    expect(await untakenFiles(ledger.db, untaken)).toEqual([
      { name: 'd.csv', at: 9000, became: 'arrived' },
      { name: 'f.csv', at: 3500, became: 'replaced' },
      { name: 'b.csv', at: 2500, became: 'replaced' },
    ]);
    // What came before the feed had this supplier is not theirs.
    expect(
      (await supplierDeliveries(ledger.db, { ...untaken, sandbox: false, since: 3000 })).map(({ id }) => id),
    ).toEqual([replaced, open_]);
    expect((await untakenFiles(ledger.db, { ...untaken, since: 3500 })).map(({ name }) => name)).toEqual([
      'd.csv',
      'f.csv',
    ]);
    // Nor is what was read anew since then, or was sent before it.
    await run('north', 9500, { ...done, outcome: 'live' });
    await run('north', 9600, { ...done, outcome: 'live', delivery_sha: 'd', delivery_name: 'd.csv' });
    const newest = { ...untaken, sandbox: false };
    expect(await supplierDeliveries(ledger.db, { ...newest, since: 9100 })).toEqual([]);
    expect((await supplierDeliveries(ledger.db, newest))[0]).toMatchObject({ delivery_name: 'd.csv' });
    // Changes wait behind those before them, however the run ended that took these, and none takes the place of another.
    await updateRun(ledger.db, open_, { stage: 'done', outcome: 'rejected' });
    await insertPushed(ledger.db, { ...sent, id: 'h', name: 'h.csv', at: 9100, run: open_ });
    expect(await untakenFiles(ledger.db, { ...untaken, isFull: false })).toEqual([
      { name: 'h.csv', at: 9100, became: 'arrived' },
      { name: 'd.csv', at: 9000, became: 'arrived' },
      { name: 'f.csv', at: 3500, became: 'replaced' },
      { name: 'b.csv', at: 2500, became: 'arrived' },
    ]);
    await updateRun(ledger.db, waiting, { stage: 'done', outcome: 'rejected' });
    expect((await untakenFiles(ledger.db, untaken))[1]).toMatchObject({ name: 'd.csv', became: 'rejected' });
  });
}
