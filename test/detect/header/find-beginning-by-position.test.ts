import { describe, expect, test } from 'vitest';
import { detect } from '../../../src/detect/detect.ts';
import { textFile } from '../../support/price-list.ts';
import { plainSettings } from '../../support/read-settings.ts';

const { columns } = plainSettings();
const byPosition = columns.map((column, at) => Object.assign(column, { position: at < 3 ? at + 1 : null }));
const ROWS = Array.from(
  { length: 30 },
  (_, at) => `${['BOSCH', 'ATE', 'SKF'][at % 3]};W${1000 + at * 7};Filter ${at};${at},50`,
);

async function begins(above: string[], rows = ROWS) {
  const text = [...above, ...rows, ''].join('\n');
  const { header, headerLine, mapping } = await detect(textFile(text), { columns: byPosition });
  return { header, headerLine, isSure: mapping.every(({ sure }) => sure) };
}

describe('where columns go by position, the data begin with the first known maker', () => {
  test.each([
    [['Kunde;K-10023;Müller KFZ;', 'Liste;L2026-11;;']],
    [['Angebot;2026-118;gültig bis 31.12.2026;']],
    [['ACME PARTS;AP2026;Winter price list;']],
    [['Harlow Motor Factors;price list;2026;', 'Tel;01279 555012;;']],
  ])('below %j', async (above) => {
    expect(await begins(above)).toMatchObject({ header: false, headerLine: above.length + 1 });
  });

  test('without anything above', async () => {
    expect(await begins([])).toMatchObject({ header: false, headerLine: 1 });
  });

  test('also when a word of the first offer is a name of a column', async () => {
    expect(await begins(['VALEO;SILENCIO;Wiper;Set'])).toMatchObject({ header: false, headerLine: 1 });
  });

  test('an offer of an unknown maker that comes again is one', async () => {
    expect(await begins(['QWERTY;1;Belt;1,00'], [...ROWS, 'QWERTY;2;Belt;2,00'])).toMatchObject({ headerLine: 1 });
  });
});

test('without positions a header with a known maker in it is in doubt', async () => {
  const text = ['VALEO;SILENCIO;Wiper;Set', ...ROWS].join('\n');
  const { header, headerSure } = await detect(textFile(`${text}\n`), { columns: plainSettings().columns });
  expect(header && headerSure).toBe(false);
});
