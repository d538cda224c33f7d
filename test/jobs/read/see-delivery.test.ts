import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFile } from '../../../src/jobs/read/read.ts';
import { readInWorker } from '../../../src/jobs/read/read-within.ts';
import { readSample } from '../../../src/signals/sample.ts';
import { SIZES } from '../../../src/validate/fast/sizes.ts';
import { plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SIGNALS = { price: 'auto', stock: 'auto' } as const;

function delivery(text: string, signals: typeof SIGNALS | null = SIGNALS) {
  const folder = tempFolder();
  const path = join(folder, 'delivery');
  writeFileSync(path, text);
  return { path, name: 'north.csv', folder, settings: plainSettings({ signals }) };
}

test('prices stand with the rows that were accepted, whatever lies between them', async () => {
  const text =
    'Price list of Nord\n\nbrand;oem;name;price;stock\n' +
    'ATE;1;Pads;12,50;3\n;2;no brand;99,00;1\nATE;1;again;13,00;1\n' +
    '"BOSCH";"3";"two\nlines";"1.234,50";"да"\n\nTRW;GDB1330;;по запросу;0\n';
  const { seen } = await readFile(delivery(text));
  expect(seen?.signals).toEqual({
    rows: 3,
    names: { rows: 3, filled: 2 },
    price: { column: 'price', position: 4, known: 2, notGiven: 1, unreadable: 0, examples: [], currency: null },
    stock: { column: 'stock', position: 5, known: 3, notGiven: 0, unreadable: 0, examples: [], inStock: 2 },
  });
  const { parts } = await readSample(seen?.samplePath ?? '');
  expect([...parts.values()].sort((a, b) => a.line - b.line)).toEqual([
    { line: 4, brand: 'ATE', oem: '1', price: 12.5, stock: 3 },
    { line: 7, brand: 'BOSCH', oem: '3', price: 1234.5, stock: 1 },
    { line: 10, brand: 'TRW', oem: 'GDB1330', price: null, stock: 0 },
  ]);
});

test('a large file that is read fast is seen as any other, also in a thread', async () => {
  const rows = Math.ceil((SIZES.fastPath * 2) / 60);
  const lines = Array.from({ length: rows }, (_, at) => {
    const quoted = at % 7 === 0 ? '"Brake pads; for all of them"' : 'Brake pads for all of them';
    // Every eleventh row is a duplicate.
    return `ATE;N${at % 11 === 0 ? 0 : at};${quoted};${at}.50;${at % 2}`;
  });
  const text = `brand;oem;name;price;stock\n${lines.join('\n')}\n`;
  const result = await readInWorker(delivery(text));
  const accepted = result.validation?.counts.accepted ?? 0;
  expect(accepted).toBe(rows - Math.ceil(rows / 11) + 1);
  expect(result.seen?.signals).toMatchObject({
    rows: accepted,
    price: { known: accepted },
    stock: { known: accepted },
  });
  const { parts } = await readSample(result.seen?.samplePath ?? '');
  const wrong = [...parts.values()].filter(({ oem, price }) => `N${(price ?? 0) - 0.5}` !== oem);
  expect(wrong).toEqual([]);
  const again = await readFile(delivery(text));
  expect(readFileSync(again.seen?.samplePath ?? '')).toEqual(readFileSync(result.seen?.samplePath ?? ''));
});

test('without signals only names are counted, and nothing is written', async () => {
  const { seen } = await readFile(delivery('brand;oem;name;price\nATE;1;Pads;1\nATE;2;;2\n', null));
  expect(seen).toEqual({
    signals: { rows: 2, names: { rows: 2, filled: 1 }, price: null, stock: null },
    samplePath: null,
  });
});

test('an encoded file is seen by its text', async () => {
  const input = delivery('');
  writeFileSync(input.path, Buffer.from('\uFEFFbrand\toem\tЦена\tОстаток\nATE\t1\t1 234,50 ₽\tмного\n', 'utf16le'));
  expect((await readFile(input)).seen?.signals).toMatchObject({
    price: { column: 'Цена', known: 1 },
    stock: { column: 'Остаток', inStock: 1 },
  });
});

test('each offer of a row with several numbers has its price and stock', async () => {
  const input = delivery('brand;oem;name;price;stock\nATE;A00037,B00091;Hose;12,50;3\nATE;C00007;Pad;9,00;1\n');
  const numbers = { separators: [','], take: 'each' as const };
  const { seen } = await readFile({ ...input, settings: { ...input.settings, numbers } });
  expect(seen?.signals).toMatchObject({ rows: 3, price: { known: 3 }, stock: { known: 3, inStock: 3 } });
});
