import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import type { RunAnswer } from '../../src/model.ts';
import { supplierOf } from '../pull/s3/objects.ts';
import { atEnd } from '../support/at-end.ts';
import { addUser, clientOf, PASSWORD, type Client } from '../support/console.ts';
import { goodRows } from '../support/console-work.ts';
import { readEvents } from '../support/event-stream.ts';
import { freePort } from '../support/free-port.ts';
import { install, type Ended, type Installation } from '../support/installation.ts';
import { readBook } from '../support/marked-book.ts';
import { postgresForTests, withoutPostgres } from '../support/postgres.ts';
import { startRedis } from '../support/redis.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { startBucketS3 } from '../support/servers/bucket-s3.ts';
import { until } from '../support/until.ts';

const newDatabase = postgresForTests();

/** Two machines without a shared disk, on one Postgres, one Redis and one bucket. Only the first has the suppliers' folders. */
async function twoMachines() {
  const [databaseUrl, redis, service] = await Promise.all([newDatabase(), startRedis(), sandboxForTest()]);
  const store = await startBucketS3({ page: 100, goesOn: 'token', escapes: 'asked', lacks: [] });
  atEnd(store.stop);
  await supplierOf(store.source).makeBucket();
  const { endpoint, region, bucket, auth } = store.source;
  if (auth.type !== 'basic') throw new Error('the test server has keys');
  const keys = { type: 'basic', user: auth.user, password: auth.password.reveal() };
  const machine = async () => {
    const listen = `127.0.0.1:${await freePort()}`;
    const config = {
      service: { baseUrl: service.url },
      archive: { type: 's3', endpoint, region, bucket, auth: keys, cache: '50MB' },
      logins: { main: { coalesce: '0s', guard: { maxRowDrop: '50%' } } },
      feeds: {
        north: { notify: 'draft', supplier: { name: 'Nordteile', email: 'lists@nordteile.example', language: 'de' } },
      },
      managers: [{ email: 'brakes@example.com', when: ['always'] }],
      // Behind one address, so that cookies and forms of one console are good at the other.
      web: { listen, publicUrl: 'https://offers.example' },
    };
    return { listen, shop: install(config, { DATABASE_URL: databaseUrl, REDIS_URL: redis.url }) };
  };
  const [atA, atB] = [await machine(), await machine()];
  return { a: atA.shop, b: atB.shop, atA, atB, databaseUrl };
}

type Machine = { shop: Installation; listen: string };

const ORIGIN = { origin: 'https://offers.example' };

/** Where the console of a machine can be reached behind their common address. */
async function consoleOf({ shop, listen }: Machine): Promise<{ url: string; client: () => Client }> {
  const up = shop.start('up');
  await until(() => up.stderr().includes('"msg":"console ready"') || undefined);
  const url = `http://${listen}`;
  return { url, client: () => clientOf(url) };
}

function jsonOf({ stdout, stderr }: Ended): unknown {
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as unknown;
}

/** What a report says, without where it is. */
function saidIn(path: string): unknown {
  return { ...(JSON.parse(readFileSync(path, 'utf8')) as RunAnswer), reports: null };
}

/** Consoles check and rehearse at the lowest priority, which takes its time beside other tests. */
const PATIENT = 600_000;

const WITH_MISTAKES = `${goodRows(40, 'N')}BOSCH;\n;N 99\n`;

describe.skipIf(withoutPostgres)('a machine that never worked', () => {
  let a: Installation;
  let b: Installation;
  let done: RunAnswer;

  beforeAll(async () => {
    ({ a, b } = await twoMachines());
    a.deliver('north', 'monday.csv', WITH_MISTAKES);
    done = await a.ingest('north');
    if (existsSync(b.home)) throw new Error('The other machine has a home before it was asked for anything.');
  });

  const reportOf = async (shop: Installation, format: string) => {
    const { status, stdout, stderr } = await shop.offerline('report', done.run, '--format', format);
    expect([format, status, stderr]).toEqual([format, 0, expect.anything()]);
    return stdout.trim();
  };

  test('answers for a run as the one that did the work does', async () => {
    const { run, reports } = done;
    const [here, there] = await Promise.all(
      [a, b].map(async (shop) => jsonOf(await shop.offerline('show', run, '--json')) as RunAnswer),
    );
    expect(here).toMatchObject({ outcome: 'partial', reports });
    expect({ ...there, reports }).toEqual(here);
    for (const [format, path] of Object.entries(there!.reports!)) {
      expect(path).toBe(join(b.home, 'reports', run, `report.${format}`));
      expect(existsSync(path)).toBe(true);
    }
  });

  test.each(['html', 'csv', 'json'])('gives the same report as %s', async (format) => {
    const [mine, other] = await Promise.all([a, b].map((shop) => reportOf(shop, format)));
    const pathsOut = (text: string, { home }: Installation) => text.replaceAll(home, 'home');
    expect(pathsOut(readFileSync(other!, 'utf8'), b)).toBe(pathsOut(readFileSync(mine!, 'utf8'), a));
  });

  test('makes the same workbook and draft', async () => {
    const [mine, other] = await Promise.all([a, b].map((shop) => reportOf(shop, 'xlsx')));
    expect(await readBook(other!)).toEqual(await readBook(mine!));
    const draft = await b.offerline('supplier-mail', done.run);
    expect(readFileSync(draft.stdout.trim(), 'utf8')).toContain('lists@nordteile.example');
  });

  test('shows the mails that another one wrote', async () => {
    const { run } = done;
    const [name = ''] = readdirSync(join(a.home, 'outbox'));
    const where = join(a.home, 'outbox', name);
    const listed = await b.offerline('mails', '--run', run, '--json');
    const [mail] = jsonOf(listed) as { id: string }[];
    expect(mail).toMatchObject({ recipient: 'brakes@example.com', run, state: 'sent', where, file: true });

    const path = (await b.offerline('mails', mail!.id)).stdout.trim();
    expect(path).toBe(join(b.home, 'outbox', name));
    expect(readFileSync(path)).toEqual(readFileSync(where));
    const [part, none] = await Promise.all([
      b.offerline('mails', 'brakes@', '--out', '-'),
      b.offerline('mails', 'nobody@'),
    ]);
    expect(part.stdout).toBe(readFileSync(where, 'utf8'));
    expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining('There is no single mail') as string });
  });

  test('that lost its home has all of it again', async () => {
    await Promise.all([a, b].map(({ home }) => rm(home, { recursive: true })));
    const [mine, other] = await Promise.all([a, b].map((shop) => reportOf(shop, 'csv')));
    expect(readFileSync(other!, 'utf8')).toBe(readFileSync(mine!, 'utf8'));
    expect(await a.offerline('verify')).toMatchObject({ status: 0 });
  });
});

describe.skipIf(withoutPostgres)('two machines', () => {
  test('report an outcome alike that only one of them decided', async () => {
    const { a, b } = await twoMachines();
    a.deliver('north', 'monday.csv', goodRows(40, 'N'));
    await a.ingest('north');
    a.deliver('north', 'tuesday.csv', goodRows(2, 'N'));
    const { run, outcome } = await a.ingest('north');
    expect(outcome).toBe('held');
    const shown = jsonOf(await b.offerline('show', run, '--json')) as RunAnswer;
    expect(saidIn(shown.reports!.json)).toMatchObject({ outcome: 'held' });

    await a.offerline('reject', run, '--reason', 'half of it is missing');
    // The report of a decision is written by whoever works next.
    expect(await a.offerline('rerun', run, '--from', 'report', '--wait')).toMatchObject({ status: 3 });
    await b.offerline('show', run, '--json');
    expect(saidIn(shown.reports!.json)).toMatchObject({ outcome: 'rejected' });
  });

  test(
    'have consoles that know the same sessions and guesses, and show, decide and check the same',
    async () => {
      const { a, databaseUrl, ...machines } = await twoMachines();
      a.deliver('north', 'monday.csv', WITH_MISTAKES);
      const first = await a.ingest('north');
      a.deliver('north', 'tuesday.csv', goodRows(2, 'N'));
      const held = await a.ingest('north');
      expect(held.outcome).toBe('held');
      await addUser(a, 'anna', ['--role', 'admin']);
      const [atA, atB] = await Promise.all([consoleOf(machines.atA), consoleOf(machines.atB)]);

      const signedIn = atA.client();
      expect((await signedIn.post('/sign-in', { name: 'anna', password: PASSWORD }, ORIGIN)).status).toBe(303);
      const session = { cookie: signedIn.cookie() };
      const get = async (path: string) => {
        const reply = await fetch(atB.url + path, { headers: session, redirect: 'manual' });
        expect([path, reply.status]).toEqual([path, 200]);
        return reply;
      };
      const textOf = async (path: string) => (await get(path)).text();

      const page = await textOf(`/runs/${first.run}`);
      expect(page).toContain('supplier-mail.eml');
      expect(await textOf(`/runs/${first.run}/report.html`)).toContain('<html lang="en"');
      const csv = Buffer.from(await (await get(`/runs/${first.run}/report.csv`)).arrayBuffer());
      expect(csv).toEqual(readFileSync(first.reports!.csv));
      expect(JSON.parse(await textOf(`/runs/${first.run}/report.json`))).toMatchObject({
        run: first.run,
        rows: first.rows,
      });
      expect((await (await get(`/runs/${first.run}/report.xlsx`)).arrayBuffer()).byteLength).toBeGreaterThan(1000);
      expect(await textOf(`/runs/${first.run}/supplier-mail.eml`)).toContain('lists@nordteile.example');
      expect(await textOf(`/runs/${first.run}/delivery`)).toBe(WITH_MISTAKES);

      const mails = await textOf(`/mails?run=${first.run}`);
      const [, link = ''] = /href="(\/mails\/[^"]+)" download/u.exec(mails) ?? [];
      const message = Buffer.from(await (await get(link)).arrayBuffer());
      const written = readdirSync(join(a.home, 'outbox')).find((name) => name.includes(first.run)) ?? '';
      expect(message).toEqual(readFileSync(join(a.home, 'outbox', basename(written))));

      const post = (path: string, body: URLSearchParams | FormData) =>
        fetch(atB.url + path, { method: 'POST', headers: { ...session, ...ORIGIN }, body, redirect: 'manual' });
      const file = new FormData();
      file.set('feed', 'north');
      file.set('file', new Blob(['brand;oem\n;1\nBOSCH;2\n']), 'prices.csv');
      expect(await (await post('/check', file)).text()).toContain('brand-empty');
      const rehearsed = await (await post(`/runs/${held.run}/rehearse`, new URLSearchParams())).text();
      expect(rehearsed).toContain('REHEARSAL: nothing real was changed');
      expect(rehearsed).toContain('It was held because:');

      const { body } = await fetch(`${atB.url}/live?of=${encodeURIComponent(`/runs/${held.run}`)}&at=`, {
        headers: session,
      });
      const followed = readEvents(body!);
      atEnd(followed.close);
      const decided = await signedIn.post(`/runs/${held.run}/approve`, { reason: 'they gave up the range' }, ORIGIN);
      expect(decided.status).toBe(303);
      for (let cells = ''; !cells.includes('badge live');) cells += JSON.stringify((await followed.next())?.cells);

      const ledger = await openLedger({ file: '', databaseUrl });
      atEnd(ledger.close);
      const guess = async ({ client }: typeof atA) =>
        (await client().post('/sign-in', { name: 'bert', password: 'not this one' }, ORIGIN)).text();
      for (const where of [atA, atB, atA]) expect(await guess(where)).toContain('The name or the password is wrong');
      const failures = await ledger.db
        .selectFrom('sign_ins')
        .select('failures')
        .where('subject', 'like', 'pair %')
        .execute();
      expect(failures).toEqual([{ failures: 3 }]);
      await ledger.db.updateTable('sign_ins').set({ failures: 60 }).where('failures', '=', 3).execute();
      for (const where of [atA, atB]) expect(await guess(where)).toContain('Too many attempts');

      await post('/sign-out', new URLSearchParams());
      expect((await signedIn.get('/')).headers.get('location')).toContain('/sign-in');
    },
    PATIENT,
  );
});
