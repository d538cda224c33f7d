import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gateTo } from '../support/gate.ts';
import { install, type Installation } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { flipBit, keptBy } from './kept-files.ts';

const list = (...oems: string[]) => `brand;oem\n${oems.map((oem) => `BOSCH;${oem}\n`).join('')}`;

/** Two suppliers at one login; both offer 3, which south wins. */
async function shopOfTwo(gated = false) {
  const service = await sandboxForTest();
  const gate = await gateTo(service.url);
  const feeds = { north: { priority: 200 }, south: { priority: 100 } };
  const shop = install({ service: { baseUrl: gated ? gate.url : service.url }, feeds });
  shop.deliver('south', 'a.csv', list('3', '4'));
  expect(await shop.ingest('south')).toMatchObject({ outcome: 'live' });
  shop.deliver('north', 'a.csv', list('1', '2', '3'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  /** The article numbers that the service serves. */
  const live = async () => {
    const [newest] = await service.offers();
    const text = await service.source(newest?.id ?? '');
    const numbers = text.trim().split('\n').slice(1);
    return numbers.map((row) => String(row.split('\t')[1])).sort();
  };
  return { service, gate, shop, live, kept: keptBy(shop) };
}

async function answer(shop: Installation, ...args: string[]) {
  const { status, stdout } = await shop.offerline(...args, '--json');
  return { status, ...(JSON.parse(stdout) as Record<string, unknown>) };
}

async function openIncidents(shop: Installation) {
  const { stdout } = await shop.offerline('incidents', '--json');
  return JSON.parse(stdout) as { kind: string; feed: string; text: string }[];
}

test('a bit that flips in what a supplier contributes never goes live: it is read again from the delivery', async () => {
  const { shop, kept, live } = await shopOfTwo();
  const rows = kept.pathOf(kept.run('north').rows_sha);
  const whole = readFileSync(rows);
  flipBit(rows);
  expect((await shop.offerline('doctor')).status).toBe(1);
  shop.deliver('south', 'b.csv', list('3', '4', '5'));
  expect(await shop.ingest('south')).toMatchObject({ outcome: 'live' });
  expect(await live()).toEqual(['1', '2', '3', '4', '5']);
  expect(readFileSync(rows).equals(whole)).toBe(true);
  expect(await openIncidents(shop)).toEqual([]);
  expect((await shop.offerline('doctor')).status).toBe(0);
});

test('a bit that flips in the composed dataset before it is sent is never sent', async () => {
  const { shop, gate, kept, live } = await shopOfTwo(true);
  const before = kept.dataset()?.sha256;
  const held = gate.hold({ operation: 'list', at: 'head', when: () => kept.dataset()?.sha256 !== before });
  shop.deliver('south', 'b.csv', list('3', '4', '6'));
  const ingest = shop.ingest('south');
  const { decide } = await held;
  const path = kept.pathOf(kept.dataset()?.sha256 ?? '');
  const whole = readFileSync(path);
  flipBit(path);
  decide('pass');
  expect(await ingest).toMatchObject({ outcome: 'live', receipt: { verified: true } });
  expect(await live()).toEqual(['1', '2', '3', '4', '6']);
  expect(readFileSync(path).equals(whole)).toBe(true);
});

test('a supplier whose files are lost keeps what is live and is named once; the others go on, and the same file mends it', async () => {
  const { shop, kept, live } = await shopOfTwo();
  const { rows_sha, delivery_sha } = kept.run('north');
  for (const sha of [rows_sha, delivery_sha]) rmSync(kept.pathOf(sha));
  shop.deliver('south', 'b.csv', list('3', '4', '7'));
  expect(await shop.ingest('south')).toMatchObject({ outcome: 'live' });
  expect(await live()).toEqual(['1', '2', '3', '4', '7']);
  const incidents = await openIncidents(shop);
  expect(incidents).toMatchObject([{ kind: 'damaged-archive', feed: 'north' }]);
  expect(incidents[0]?.text).toContain(kept.pathOf(rows_sha));
  expect(await shop.offerline('doctor')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('north') as string,
  });
  const verified = await answer(shop, 'verify');
  expect(verified).toMatchObject({ status: 1, ok: false, faults: [{ damage: 'missing' }, { damage: 'missing' }] });
  expect(await answer(shop, 'verify', '--repair')).toMatchObject({ status: 1, ok: false });
  // The source says that nothing has changed, and still the file is read.
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  expect(await answer(shop, 'verify')).toMatchObject({ status: 0, ok: true });
  expect(await openIncidents(shop)).toEqual([]);
  expect(await live()).toEqual(['1', '2', '3', '4', '7']);
});

test('verify --repair makes again what can be made again, and says the rest', async () => {
  const { shop, kept } = await shopOfTwo();
  const { rows_sha, issues_sha, rejections_sha, delivery_sha } = kept.run('south');
  const dataset = kept.dataset()!;
  const made = new Set([rows_sha, issues_sha, rejections_sha, dataset.sha256, dataset.index_sha]);
  // An empty file has no bit to flip.
  for (const sha of made) writeFileSync(kept.pathOf(sha), 'damaged');
  const before = await answer(shop, 'verify');
  expect(before).toMatchObject({ status: 1, ok: false });
  expect((before as unknown as { faults: unknown[] }).faults).toHaveLength(made.size);
  const repaired = await shop.offerline('verify', '--repair');
  expect(repaired).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Everything is intact again.') as string,
  });
  flipBit(kept.pathOf(delivery_sha));
  const rest = await shop.offerline('verify', '--repair');
  expect(rest).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('ingest south --file PATH --force') as string,
  });
});

test('a ledger that vanished is not made anew without a word', async () => {
  const shop = install();
  expect((await shop.offerline('prune')).status).toBe(0);
  for (const end of ['', '-wal', '-shm']) rmSync(join(shop.home, `ledger.sqlite${end}`), { force: true });
  const refused = await shop.offerline('feeds');
  expect(refused).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/ledger .* is missing.*backup.*id\.json/s) as string,
  });
  expect(refused.stderr).not.toContain('    at ');
  // What the message names lets one begin anew.
  rmSync(join(shop.home, 'archive', 'id.json'));
  expect((await shop.offerline('prune')).status).toBe(0);
});

test('an archive that was lost or exchanged is refused, and the way out that is named works', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url } });
  shop.deliver('north', 'a.csv', list('1', '2'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  renameSync(join(shop.home, 'archive'), join(shop.home, 'lost'));
  const refused = await shop.offerline('feeds');
  expect(refused).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('keeps its files in the archive') as string,
  });
  const [, text = '', file = ''] = /write (\{.*\}) into (\S+) and/.exec(refused.stderr) ?? [];
  writeFileSync(file, text);
  const repaired = await answer(shop, 'verify', '--repair');
  expect(repaired).toMatchObject({ status: 1, ok: false });
  // The service still has what was uploaded.
  const { sha256: sent } = keptBy(shop).dataset()!;
  const { faults } = repaired as unknown as { faults: { sha256: string; repaired: boolean }[] };
  expect(faults.find(({ sha256 }) => sha256 === sent)).toMatchObject({ repaired: true });
});
