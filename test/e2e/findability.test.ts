import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as ask } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FindabilityAnswer } from '../../src/jobs/findability/answer.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { recordLook } from '../../src/ledger/uploads/findability.ts';
import { referenceForTests } from '../sandbox/search-world.ts';
import { controlOf } from '../support/control.ts';
import { serve } from '../support/http-server.ts';
import { install, type Installation } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const reference = referenceForTests();
const KNOWN = reference
  .rows('SELECT brand, oem FROM parts WHERE original = 0 ORDER BY id LIMIT 4')
  .map(({ brand, oem }) => [String(brand), String(oem)] as const);

/** North has four parts live that the search knows, the first of them also under a brand that it does not know, and one of its own. */
async function shopWith(findability: unknown = { rate: '10/s' }, front: (service: string) => Promise<object> = direct) {
  const service = await sandboxForTest({ control: true });
  const reached = await front(service.url);
  const shop = install({ service: { ...reached, retries: 0, findability }, feeds: { north: {}, south: {} } });
  const rows = [...KNOWN, ['FILT', KNOWN[0]![1]] as const, ['OWN', 'QQ12345'] as const];
  const lines = rows.map(([brand, oem]) => `${brand};${oem};part\n`);
  shop.deliver('north', 'a.csv', `brand;oem;name\n${lines.join('')}`);
  const { outcome, run } = await shop.ingest('north');
  expect(outcome).toBe('live');
  return { shop, run, control: controlOf(service.url) };
}

async function direct(baseUrl: string): Promise<object> {
  return { baseUrl };
}

const last = async (shop: Installation) =>
  JSON.parse((await shop.offerline('findability', 'north', '--last', '--json')).stdout) as FindabilityAnswer | null;

test('a look is printed, kept, and told wherever the feed or the part is asked about', async () => {
  const { shop, run } = await shopWith();
  expect(await last(shop)).toBeNull();
  const { status, stdout } = await shop.offerline('findability', 'north');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^north: 6 parts of 6 that are live looked for/);
  expect(stdout).toContain(' 4  known to the search: 66.7%');
  expect(stdout).toContain(`1 part of FILT: the search knows its number as ${KNOWN[0]![0]}`);
  expect(await last(shop)).toMatchObject({ known: 4, otherBrand: 1, own: 1, missing: 0, note: null });
  const trace = await shop.offerline('trace', 'FILT', KNOWN[0]![1]);
  expect(trace.stdout).toContain(`its reference database knows the number as ${KNOWN[0]![0]}`);
  const shown = JSON.parse((await shop.offerline('show', run, '--json')).stdout) as { found: object };
  expect(shown.found).toMatchObject({ asked: 6, known: 4 });
  const scores = JSON.parse((await shop.offerline('scorecard', 'north', '--json')).stdout) as { suppliers: object[] };
  expect(scores.suppliers).toMatchObject([{ feed: 'north', known: { share: 4 / 6 } }]);
  const report = await shop.offerline('report', run, '--out', `${shop.folder}/page.html`);
  expect(report.status).toBe(0);
  expect(readFileSync(`${shop.folder}/page.html`, 'utf8')).toMatch(
    /Of 6 parts looked for on .*, 4 are known to the search; 1 under another brand/,
  );
});

test('a service that refuses ends it with what to do, and hides nothing that was answered before', async () => {
  const { shop, control } = await shopWith();
  await shop.offerline('findability', 'north');
  await control.add({ fault: 'refuse', operation: 'search', status: 429, times: 'forever' });
  const { status, stdout } = await shop.offerline('findability', 'north');
  expect(status).toBe(1);
  expect(stdout).toMatch(/stopped early: .* answered 429.*\n +Ask again: offerline findability north/);
  expect(await last(shop)).toMatchObject({ asked: 6, note: null });
});

test('a reply that comes byte by byte ends it as silence does', async () => {
  let drips = false;
  const front = async (service: string) => {
    const { url } = await serve((request, response) => {
      if (drips && request.url!.includes('/search/')) {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":[');
        const timer = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(timer));
        return;
      }
      const { method, headers } = request;
      const forwarded = ask(`${service}${request.url}`, { method, headers }, (reply) => {
        response.writeHead(reply.statusCode!, reply.headers);
        reply.pipe(response);
      });
      request.pipe(forwarded);
    });
    return { baseUrl: url, timeout: '2s' };
  };
  const { shop } = await shopWith({ rate: '10/s' }, front);
  drips = true;
  const { status, stdout } = await shop.offerline('findability', 'north');
  expect(status).toBe(1);
  expect(stdout).toMatch(/stopped early: search: no whole reply within 2000 ms/);
});

test('what the service calls a brand stays on its line', async () => {
  const shop = install({ feeds: { north: {} } });
  const ledger = await openLedger({ file: join(shop.home, 'ledger.sqlite') });
  const answer = {
    brand: 'FILT',
    oem: 'A1',
    isNew: false,
    found: 'other-brand',
    knownAs: 'X\n  0  not found',
  } as const;
  const counts = { at: 1, calls: 1, parts: 1, newParts: 0, namesShown: true, wanted: [], note: null };
  const look = { id: '1', login: 'main', feed: 'north', intent: '1', answers: [answer], ...counts };
  await recordLook(ledger.db, look);
  await ledger.close();
  const { stdout } = await shop.offerline('findability', 'north', '--last');
  expect(stdout).toContain(String.raw`knows its number as X\u{a}  0  not found (A1)`);
});

test('Ctrl-C stops it, and nothing is recorded', async () => {
  const { shop, control } = await shopWith();
  await control.add({ fault: 'hang', operation: 'search', nth: 2, times: 'forever' });
  const asking = shop.start('findability', 'north');
  await until(async () => ((await control.shown())[0]!.acted > 0 ? true : undefined));
  asking.child.kill('SIGINT');
  await once(asking.child, 'exit');
  expect(await asking.ended).toMatchObject({ status: 130 });
  expect(asking.stderr()).toContain('Interrupted. What was answered until then was not recorded.');
  expect(await last(shop)).toBeNull();
});

test('a feed of which nothing is live, and wrong arguments, are said plainly', async () => {
  const { shop } = await shopWith();
  expect((await shop.offerline('findability', 'south')).stdout).toMatch(/^south: nothing of it is live/);
  for (const [args, said] of [
    [['nowhere'], /no feed "nowhere"/],
    [['north', '--sample', '5'], /from 10 to 1000/],
    [['north', '--last', '--sample', '50'], /leave out --sample/],
  ] as const) {
    const { status, stderr } = await shop.offerline('findability', ...args);
    expect([status, stderr]).toEqual([2, expect.stringMatching(said)]);
  }
});

test('where it is off nothing is asked', async () => {
  const { shop } = await shopWith('off');
  const { status, stderr } = await shop.offerline('findability', 'north');
  expect([status, stderr]).toEqual([2, expect.stringContaining('service.findability is off')]);
});
