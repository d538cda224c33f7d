import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { detect } from '../../../src/detect/detect.ts';
import type { Hints } from '../../../src/detect/hints.ts';
import { encodeBytes } from '../../../src/io/text-decode.ts';
import { plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const BRANDS = ['BOSCH', 'ATE', 'VALEO', 'SACHS', 'BREMBO'];
const brand = (at: number) => BRANDS[at % BRANDS.length]!;
const number = (at: number) => `W ${7000 + at * 7}/${at % 10}`;
const price = (at: number) => `${10 + at},${10 + (at % 90)}`;

type Cell = (at: number) => string;
const rows = (count: number, ...cells: Cell[]) =>
  Array.from({ length: count }, (_, at) => `${cells.map((cell) => cell(at)).join(';')}\n`).join('');

async function detected(text: string | Buffer, hints: Hints = {}) {
  const path = join(tempFolder(), 'list.csv');
  writeFileSync(path, text);
  return detect(path, { columns: plainSettings().columns, ...hints });
}

/** The required columns, those that are not sure with their evidence. */
async function columns(text: string | Buffer, hints: Hints = {}) {
  const { mapping } = await detected(text, hints);
  const required = mapping.filter(({ key }) => key === 'brand' || key === 'oem');
  return required.map(({ column, sure, evidence }) => (sure ? column : `${column}: ${evidence}`));
}

const HEADER = 'brand;oem;price\n';

describe('under the header of the live delivery', () => {
  const live = async () => {
    const { columns: names, width, mapping, looks } = await detected(HEADER + rows(60, brand, number, price));
    return { earlierHeader: { columns: names, width, mapping, looks } };
  };

  test('the same kinds of cells are sure', async () => {
    expect(await columns(HEADER + rows(80, brand, (at) => number(at + 500), price), await live())).toEqual([
      'brand',
      'oem',
    ]);
  });

  test('three numbers that are shorter than before are sure: so few say nothing of their length', async () => {
    expect(await columns(HEADER + rows(3, brand, (at) => `B${at}`, price), await live())).toEqual(['brand', 'oem']);
  });

  test('brands and numbers that are swapped are doubted, and the swap is proposed', async () => {
    expect(await columns(HEADER + rows(60, number, brand, price), await live())).toEqual([
      expect.stringContaining('oem: 100 % of 60 values are known makers'),
      expect.stringContaining('brand: 100 % of 60 values look like part numbers'),
    ]);
  });

  test('prices in place of numbers are doubted', async () => {
    const [known, doubted] = await columns(HEADER + rows(60, brand, price, number), await live());
    expect(known).toBe('brand');
    expect(doubted).toMatch(/^oem: .*100 % of 60 values are prices, 0 % before/);
  });

  test('a name that the configuration gives is not', async () => {
    const named = plainSettings().columns.map((column) => Object.assign({}, column, { configured: [column.key] }));
    const hints = { ...(await live()), columns: named };
    expect(await columns(HEADER + rows(60, brand, price, number), hints)).toEqual(['brand', 'oem']);
  });
});

describe('further down in a file', () => {
  const above = HEADER + rows(1500, brand, number, price);

  test('more of the same is sure', async () => {
    expect(await columns(above + rows(5000, brand, number, price))).toEqual(['brand', 'oem']);
  });

  test('so are other makers, and one whose numbers have another shape', async () => {
    const house = (at: number) => ['Qorvax', 'Zelmat 4'][Math.floor(at / 900) % 2]!;
    expect(await columns(above + rows(2000, house, (at) => String(100_000 + at), price))).toEqual(['brand', 'oem']);
  });

  test.each([
    ['swapped brands and numbers', rows(1500, number, brand, price), 'brand'],
    ['prices in place of numbers', rows(1500, brand, price, number), 'oem'],
  ])('%s are doubted', async (_, below, key) => {
    const found = await columns(above + below);
    expect(found.find((column) => column?.startsWith(`${key}: `))).toMatch(/its cells are others further down: 100 %/);
  });

  const swapped = above + rows(1500, number, brand, price);
  test.each([
    ['CR', Buffer.from(swapped.replaceAll('\n', '\r'))],
    ['CR LF', Buffer.from(swapped.replaceAll('\n', '\r\n'))],
    ['CR CR LF', Buffer.from(swapped.replaceAll('\n', '\r\r\n'))],
    ['LF in UTF-16', Buffer.from(`\ufeff${swapped}`, 'utf16le')],
    ['LF in UTF-16, big-endian', Buffer.from(`\ufeff${swapped}`, 'utf16le').swap16()],
    ['LF in UTF-32', Buffer.from(encodeBytes(`\ufeff${swapped}`, 'utf-32le'))],
  ])('a swap is doubted where lines end with %s', async (_, bytes) => {
    const [brands] = await columns(bytes);
    expect(brands).toMatch(/^brand: its cells are others further down: 100 %/);
  });
});
