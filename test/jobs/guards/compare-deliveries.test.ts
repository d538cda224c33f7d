import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareDeliveries, type EarlierDelivery } from '../../../src/jobs/guards/compare-deliveries.ts';
import type { RowFile } from '../../../src/compose/row-file.ts';
import { spellingTable } from '../../../src/parts/spellings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Offer = [brand: string, oem: string, name?: string];
type Mistake = { cells: Offer; column?: string; severity?: 'error' | 'warning' };

function rowsOf(...offers: Offer[]): RowFile {
  const path = join(tempFolder(), 'rows.tsv');
  const lines = offers.map(([brand, oem, name = ''], at) => `${at + 2}\t${brand}\t${oem}\t${name}\n`);
  writeFileSync(path, lines.join(''));
  return { path, columns: ['brand', 'oem', 'name'], kind: 'rows' };
}

/** A delivery with these accepted rows and mistakes; the service rejected some parts. */
function delivery(accepted: Offer[], mistakes: Mistake[], refused: Offer[] = []): EarlierDelivery {
  const folder = tempFolder();
  const [issues, errors] = [join(folder, 'issues.jsonl'), join(folder, 'list.errors')];
  const lines = mistakes.map(({ cells, column = null, severity = 'error' }) =>
    JSON.stringify({ code: 'x', severity, line: 1, column, cells, message: '' }),
  );
  writeFileSync(issues, ['', 'damaged {', ...lines].join('\n'));
  writeFileSync(errors, ['error\tbrand\toem', ...refused.map(([brand, oem]) => `no\t${brand}\t${oem}`)].join('\n'));
  return {
    run: 'r1',
    file: 'list.csv',
    rows: rowsOf(...accepted),
    issues,
    names: ['brand', 'oem', 'name'],
    rejectedHere: mistakes.filter(({ severity }) => severity !== 'warning').length,
    spellings: spellingTable(new Map([['LUCAS', 'TRW']])),
    rejected: refused.length === 0 ? null : { errorsPath: errors, columns: ['brand', 'oem', 'name'] },
  };
}

const GOOD: Offer[] = [
  ['BOSCH', '0 986 424 797'],
  ['ATE', '13.0460-2701.2'],
];

test('rejected parts are known under the brand that their spelling stands for', async () => {
  const earlier = delivery(GOOD, [{ cells: ['Lucas', 'GDB-1330', 'x'] }, { cells: ['lucas', '', 'Pads'] }]);
  const newer = rowsOf(['TRW', 'GDB 1330'], ['TRW', '7', 'Pads'], ['NEW', '1']);
  expect(await compareDeliveries({ newer, earlier })).toMatchObject({ rejectedBefore: 2 });
});

test('rejected parts are known by brand and number, however they are spelled', async () => {
  const earlier = delivery(GOOD, [{ cells: ['TRW', 'GDB-1330', 'x'] }]);
  const parts = await compareDeliveries({ newer: rowsOf(['trw', 'GDB 1330'], ['NEW', '1']), earlier });
  expect(parts).toEqual({ rows: 2, rejectedBefore: 1, doubtfulBefore: 0, rejected: 1, accepted: 2, kept: 0 });
});

test('a part whose brand or number was corrected is known by its other half, once', async () => {
  const earlier = delivery(GOOD, [
    { cells: ['', 'GDB1330', 'Pad'] },
    { cells: ['TRW', '', 'Disc'] },
    { cells: ['TRW', '1,2E+3', 'Drum'], column: 'oem' },
  ]);
  const newer = rowsOf(
    ['TRW', 'GDB1330', 'Pad'],
    ['TRW', 'DF1', 'Disc'],
    ['TRW', '1200', 'Drum'],
    ['TRW', 'DF2', 'Disc'],
  );
  expect(await compareDeliveries({ newer, earlier })).toMatchObject({ rows: 4, rejectedBefore: 3 });
});

test('parts that the service rejected are no accepted ones', async () => {
  const refused: Offer[] = [['NO NAME', 'X1', 'Filter']];
  const earlier = delivery([...GOOD, ...refused], [], refused);
  const same = await compareDeliveries({ newer: rowsOf(...refused), earlier });
  expect(same).toEqual({ rows: 1, rejectedBefore: 1, doubtfulBefore: 0, rejected: 1, accepted: 2, kept: 0 });
  const renamed = await compareDeliveries({ newer: rowsOf(['FEBI', 'X1', 'Filter']), earlier });
  expect(renamed).toMatchObject({ rejectedBefore: 1, kept: 0 });
});

test('doubtful parts that are kept count as doubtful and as kept', async () => {
  const earlier = delivery(GOOD, [{ cells: ['ATE', '13.0460-2701.2'], severity: 'warning' }]);
  expect(await compareDeliveries({ newer: rowsOf(['ATE', '13.0460-2701.2']), earlier })).toEqual({
    rows: 1,
    rejectedBefore: 0,
    doubtfulBefore: 1,
    rejected: 0,
    accepted: 2,
    kept: 1,
  });
});

test('the order of rows makes no difference', async () => {
  const earlier = delivery(GOOD, [{ cells: ['A', '1'] }, { cells: ['B', '2'] }]);
  const forth = await compareDeliveries({ newer: rowsOf(['A', '1'], ['B', '2'], ...GOOD), earlier });
  const back = await compareDeliveries({ newer: rowsOf(...GOOD, ['B', '2'], ['A', '1']), earlier });
  expect(back).toEqual(forth);
});
