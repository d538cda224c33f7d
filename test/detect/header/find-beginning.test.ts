import { describe, expect, test } from 'vitest';
import { findBeginning } from '../../../src/detect/header/find-beginning.ts';
import { knownNames } from '../../../src/detect/table/header-names.ts';
import { cutTable } from '../../../src/detect/table/table.ts';
import { plainSettings } from '../../support/read-settings.ts';

const { columns } = plainSettings();
const MAKERS = ['HUF', 'SKF', 'FAG', 'Marka'];
const NAMES = columns.map(({ names }) => names);

/** Where a list without a brand column begins. */
function begin(...header: string[]) {
  const lines = [
    header.join(';'),
    ...Array.from({ length: 12 }, (_, row) => `Pad ${row};FX${130 + row};${row},48;${row}`),
  ];
  const { rows } = cutTable(`${lines.join('\n')}\n`, { delimiter: ';', quote: '"', escape: '"' }, 400);
  return findBeginning(rows, {
    width: 4,
    names: knownNames(NAMES, NAMES.slice(0, 2)),
    isOfRecords: false,
    setting: 'auto',
    brand: columns.find(({ key }) => key === 'brand'),
    makers: () =>
      Promise.resolve({
        makerKind: (cell: string) => (MAKERS.includes(cell) ? 'parts' : null),
        isNoMakerEvidence: () => false,
      }),
  });
}

describe('a header with a maker in it may be a row of data', () => {
  test('and is doubted', async () => {
    expect(await begin('Name', 'Part number', 'SKF', 'FAG')).toMatchObject({ line: 1, sure: false });
  });

  test.each(['HUF', 'Marka'])('but not where this is a currency or the name of a column: %s', async (name) => {
    expect(await begin('Name', 'Part number', 'Price', name)).toMatchObject({ line: 1, sure: true });
  });
});
