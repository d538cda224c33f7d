import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectPlain, goodFile, liveShop } from '../support/bad-input.ts';

/** A UTF-8 file with two rows that hold Latin-1 bytes. */
function withUndecodableRows(rows: number): Buffer {
  const good = Array.from({ length: rows }, (_, at) => `ATE;${at}N;Колодки тормозные\n`).join('');
  const bad = Buffer.from('BOSCH;77;Gr\xf6\xdfe\nBOSCH;78;Stra\xdfe\n', 'latin1');
  return Buffer.concat([Buffer.from(`brand;oem;name\n${good}`), bad]);
}

test('undecodable bytes cost their rows, not the file, and the report names line and column', async () => {
  const { shop, service } = await liveShop();
  shop.deliver('north', '2.csv', withUndecodableRows(10));
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({
    outcome: 'partial',
    status: 0,
    dialect: { charset: 'utf-8' },
    rows: { read: 12, accepted: 10, rejectedLocally: 2, live: 10, unexplained: 0 },
    issues: { undecodable: 2 },
  });
  expectPlain(answer);
  const [, first = ''] = readFileSync(answer.reports?.csv ?? '', 'utf8')
    .split('\n')
    .slice(0, 2);
  expect(first).toContain('undecodable');
  expect(first).toContain('12');
  expect(first).toContain('feeds.north.dialect.charset');
  const [newest] = await service.offers();
  expect(await service.source(newest?.id ?? '')).not.toMatch(/�|BOSCH/);
});

test('too many undecodable rows: held by the guard, which names its setting', async () => {
  const { shop, expectUntouched } = await liveShop();
  shop.deliver('north', '2.csv', withUndecodableRows(4));
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'held', status: 3, upload: null, issues: { undecodable: 2 } });
  expect(answer.reason).toContain('maxRejected');
  expectPlain(answer);
  await expectUntouched();

  shop.deliver('north', '3.csv', goodFile('C'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', status: 0 });
});

test('a charset that cannot be told: held with the readings that are possible and the setting that decides', async () => {
  const { shop, service, expectUntouched } = await liveShop();
  const bytes = Buffer.from('brand;oem;name\nATE;1N;\xcf\n', 'latin1');
  shop.deliver('north', '2.csv', bytes);
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'held', status: 3, upload: null });
  expect(answer.reason).toContain('It is not certain how the file is written: as windows-1251');
  expect(answer.reason).toContain('feeds.north.dialect.charset');
  expectPlain(answer);
  await expectUntouched();

  const guard = { minRows: 1, maxRowDrop: '60%' };
  const feeds = { north: { dialect: { charset: 'windows-1251', delimiter: ';' }, guard } };
  shop.configure({ service: { baseUrl: service.url }, feeds });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', status: 0, rows: { live: 1 } });
});

test('headings, blank lines and totals trip no guard and leave the run live; show and the report have them', async () => {
  const { shop } = await liveShop();
  const group = (at: number) => `Колодки и диски;;\n;;\nATE;${at}N;pad\n\n`;
  const groups = Array.from({ length: 9 }, (_, at) => group(at)).join('');
  shop.deliver('north', '2.csv', `brand;oem;name\n${groups}Итого;;9\n`);
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({
    outcome: 'live',
    status: 0,
    rows: { read: 9, accepted: 9, rejectedLocally: 0, skipped: 28, live: 9 },
    skipped: [
      { kind: 'blank', rows: 18 },
      { kind: 'lone-cell', rows: 9, examples: [{ line: 2, value: 'Колодки и диски;;' }, {}, {}, {}, {}] },
      { kind: 'total', rows: 1, examples: [{ line: 38, value: 'Итого;;9' }] },
    ],
    issues: {},
  });
  const { stdout } = await shop.offerline('show', answer.run);
  expect(stdout).toContain('skipped    9 headings and notes, such as line 2 [Колодки и диски;;]');
  expect(readFileSync(answer.reports?.html ?? '', 'utf8')).toContain('9 headings and notes');
});

test('a file in which lone cells outnumber the rows is held by the guard', async () => {
  const { shop, expectUntouched } = await liveShop();
  const rows = Array.from({ length: 12 }, (_, at) => `Колодки и диски;;\nДиски тормозные;;\nATE;${at}N;pad\n`).join('');
  shop.deliver('north', '2.csv', `brand;oem;name\n${rows}`);
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'held', rows: { read: 36, rejectedLocally: 24, skipped: 0 } });
  expect(answer).toMatchObject({ issues: { 'mostly-skipped': 1 } });
  expect(answer.reason).toContain('maxRejected');
  await expectUntouched();
});
