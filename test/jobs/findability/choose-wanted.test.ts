import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseWanted, type WantedInput } from '../../../src/jobs/findability/choose-wanted.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Row = [feed: string, brand: string, oem: string];

function table(rows: readonly Row[], rejected: readonly string[] = []): WantedInput['live'] {
  const folder = tempFolder();
  const indexPath = join(folder, 'index');
  writeFileSync(indexPath, rows.map(([feed, ...cells], at) => `${feed}\t${at + 2}\t${cells.join('\t')}\n`).join(''));
  if (rejected.length === 0) return { indexPath, errorsPath: null, columns: ['brand', 'oem'] };
  const errorsPath = join(folder, 'errors');
  const lines = rows.filter(([, , oem]) => rejected.includes(oem)).map(([, brand, oem]) => `1\tno\t${brand}\t${oem}\n`);
  writeFileSync(errorsPath, `line\terror\tbrand\toem\n${lines.join('')}`);
  return { indexPath, errorsPath, columns: ['brand', 'oem'] };
}

type Found = [code: string, severity: string, brand: string, oem: string];

/** What was found in a delivery. */
function issues(...found: Found[]): WantedInput['issues'] {
  const path = join(tempFolder(), 'issues');
  const lines = found.map(([code, severity, brand, oem]) =>
    JSON.stringify({ code, severity, message: code, cells: ['x', oem, brand] }),
  );
  const content = lines
    .map(
      (line) => `${line}
`,
    )
    .join('');
  writeFileSync(path, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { run: 'r1', file: { sha256, unverifiedPath: path }, columns: ['name', 'oem', 'brand'] };
}

const choose = (input: Partial<WantedInput>) =>
  chooseWanted({
    seed: 'seed',
    feed: 'north',
    size: 10,
    live: table([['north', 'BOSCH', 'A1000']]),
    before: null,
    issues: null,
    asked: [],
    ...input,
  });

test('parts that went, that were rejected there and here, and that rules left out are chosen, live ones are not', async () => {
  const rows: Row[] = [
    ['north', 'BOSCH', 'A1000'],
    ['north', 'ATE', 'R1000'],
    ['south', 'ATE', 'S1000'],
  ];
  const chosen = await choose({
    live: table(rows, ['R1000']),
    before: table([...rows.slice(0, 1), ['north', 'TRW', 'G1000'], ['south', 'TRW', 'G2000']]),
    issues: issues(
      ['too-many-tags', 'error', '', 'L1000'],
      ['left-out', 'info', 'SKF', 'O1000'],
      ['tag-trimmed', 'info', 'SKF', 'T1000'],
      ['too-many-tags', 'error', 'bosch', 'A-1000'],
    ),
  });
  expect(chosen.toSorted((a, b) => (a.oem < b.oem ? -1 : 1))).toEqual([
    { brand: 'TRW', oem: 'G1000', why: 'gone' },
    { brand: '', oem: 'L1000', why: 'rejected' },
    { brand: 'SKF', oem: 'O1000', why: 'left-out' },
    { brand: 'ATE', oem: 'R1000', why: 'rejected' },
  ]);
});

test('each kind has its share of the places, and a part that was asked for is not asked for again', async () => {
  const gone = Array.from({ length: 500 }, (_, at): Row => ['north', 'TRW', `G${1000 + at}`]);
  const left = Array.from({ length: 500 }, (_, at): Found => ['left-out', 'info', 'SKF', `O${1000 + at}`]);
  const input = {
    before: table(gone),
    issues: issues(...left),
  };
  const first = await choose(input);
  expect(Map.groupBy(first, ({ why }) => why).get('gone')).toHaveLength(5);
  expect(Map.groupBy(first, ({ why }) => why).get('left-out')).toHaveLength(5);
  const asked = new Set(first.map(({ oem }) => oem));
  const second = await choose({ ...input, asked: first });
  expect(second).toHaveLength(10);
  expect(second.filter(({ oem }) => asked.has(oem))).toEqual([]);
});

test('what a search may read as something else is not asked for', async () => {
  const before = table([
    ['north', 'BOSCH', 'WVWZZZ1JZXW000001'],
    ['north', 'BOSCH', '?A1'],
    ['north', 'BOSCH', 'no number'],
  ]);
  expect(await choose({ before })).toEqual([]);
});

test('without places nothing is read', async () => {
  const missing = { indexPath: '/nowhere', errorsPath: null, columns: [] };
  expect(await choose({ size: 0, live: missing })).toEqual([]);
});
