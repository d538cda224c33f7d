import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SettingsDiff } from '../../src/jobs/standing/settings-diff.ts';
import type { LoginTrace } from '../../src/jobs/queries/trace-part.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const NORTH = ['VAG;1K0615301AA;Disc', 'VW;1K0 615 301 AA;Disc', 'ATE;13.0460-2782.2;Pads', 'BOSCH;0986424797;Pads'];
const SOUTH = ['Volkswagen AG;1K0615301AA;Disc', 'MB;A0009051000;Sensor', 'VAG;;Hose'];
const list = (rows: string[]) => `brand;oem;name\n${rows.join('\n')}\n`;

async function shopWith(brands: object | undefined) {
  const service = await sandboxForTest();
  const config = (table: object | undefined) => ({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s', guard: { maxPartsGone: '100%', maxRejected: '100%' } } },
    feeds: { north: {}, south: { priority: 200, brands: { aliases: { 'MERCEDES-BENZ': ['MB'] } } } },
    managers: [{ email: 'vw@example.com', brands: ['vw'] }],
    ...(table === undefined ? {} : { brands: table }),
  });
  const shop = install(config(brands));
  const live = async () => {
    const [newest] = await service.offers();
    const rows = (await service.source(newest?.id ?? '')).trim().split('\n').slice(1);
    return rows.map((row) => row.split('\t').slice(0, 2).join(' ')).sort();
  };
  const trace = async (brand: string, number: string) => {
    const { stdout } = await shop.offerline('trace', brand, number, '--json');
    return (JSON.parse(stdout) as { logins: LoginTrace[] }).logins[0]!;
  };
  return { shop, live, trace, configure: (table: object | undefined) => shop.configure(config(table)) };
}

test('rows are uploaded under their brands; duplicates meet, and what the supplier wrote is shown', async () => {
  const { shop, live, trace } = await shopWith({ aliases: { VW: ['VAG', 'Volkswagen AG'] } });
  shop.deliver('north', 'a.csv', list(NORTH));
  const run = await shop.ingest('north');
  expect(run).toMatchObject({ outcome: 'live', rows: { read: 4, duplicates: 1, live: 3 } });
  expect(run.issues).toEqual({ duplicate: 1, 'brand-spelled': 1 });
  shop.deliver('south', 'a.csv', list(SOUTH));
  expect(await shop.ingest('south')).toMatchObject({ rows: { read: 3, outranked: 1, rejectedLocally: 1, live: 1 } });
  expect(await live()).toEqual([
    'ATE 13.0460-2782.2',
    'BOSCH 0986424797',
    'MERCEDES-BENZ A0009051000',
    'VW 1K0615301AA',
  ]);
  for (const brand of ['VW', 'VAG', 'volkswagen-ag'])
    expect(await trace(brand, '1K0 615 301AA')).toMatchObject({
      live: true,
      winner: 'north',
      feeds: [
        { feed: 'north', verdict: 'live', line: 2, messages: [expect.stringContaining('line 3')] },
        { feed: 'south', verdict: 'outranked', line: 2 },
      ],
    });
  expect(await trace('MB', 'A0009051000')).toMatchObject({ live: true, winner: 'south' });
  const { stdout } = await shop.offerline('show', run.run, '--rows', 'live', '--search', 'vag 1k0', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ matches: 1, rows: [{ key: { brand: 'VW' } }] });
  const repeated = await shop.offerline('show', run.run, '--rows', 'duplicates', '--search', 'Volkswagen AG', '--json');
  expect(JSON.parse(repeated.stdout)).toMatchObject({ matches: 1, rows: [{ line: 3, winner: { line: 2 } }] });
  const csv = readFileSync(run.reports!.csv, 'utf8');
  expect(csv).toContain('VW 1K0 615 301 AA');
  const mails = await shop.offerline('mails', '--json');
  expect(mails.stdout).toContain('vw@example.com');
});

test('a change of the table is said before the same delivery is read again', async () => {
  const { shop, live, configure } = await shopWith(undefined);
  shop.deliver('north', 'a.csv', list(NORTH));
  await shop.ingest('north');
  const diffOf = async () => {
    const { stdout, status } = await shop.offerline('config', 'diff', '--json');
    expect(status).toBe(0);
    return (JSON.parse(stdout) as { feeds: SettingsDiff[] }).feeds;
  };
  expect(await diffOf()).toMatchObject([
    { feed: 'north', state: 'same' },
    { feed: 'south', state: 'nothing' },
  ]);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  writeFileSync(join(shop.folder, 'brands.csv'), 'VAG;VW\n');
  configure({ file: 'brands.csv' });
  expect((await diffOf())[0]).toMatchObject({
    state: 'changed',
    why: null,
    diff: { before: 4, after: 3, removed: 1, added: 0 },
  });
  const said = await shop.offerline('config', 'diff', 'north');
  expect(said.stdout).toContain('the same delivery will be read again');
  expect(said.stdout).toContain('VAG: 1 → 0 rows (1 removed)');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 3, duplicates: 1 } });
  expect(await live()).toEqual(['ATE 13.0460-2782.2', 'BOSCH 0986424797', 'VW 1K0615301AA']);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  writeFileSync(join(shop.folder, 'brands.csv'), 'VAG;VW\nATE;\n');
  const { status, stderr } = await shop.offerline('ingest', 'north', '--wait');
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/brands\.csv:2:1 {2}brands\.file {2}"ATE;"/),
  });
});
