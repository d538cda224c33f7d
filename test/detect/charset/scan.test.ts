import { describe, expect, test } from 'vitest';
import { sampleOf, scanFile } from '../../../src/detect/charset/scan.ts';
import { bytesFile } from '../../support/price-list.ts';

const MB = 1024 * 1024;
const LINE = 'BOSCH;0986424797;BRAKE PAD;1250,00\r\n';
const ANSI = Buffer.from('\xc1\xf0\xe5\xed\xe4;\xc0\xf0\xf2\xe8\xea\xf3\xeb\r\n', 'latin1');

/** ASCII with rows of windows-1251 at some places. */
function fileOf(size: number, places: number[], row: Buffer): string {
  const bytes = Buffer.alloc(size, LINE);
  for (const place of places) row.copy(bytes, place);
  return bytesFile(bytes);
}

function rowsIn(places: Buffer[]): number {
  return Buffer.concat(places).toString('latin1').split(ANSI.toString('latin1')).length - 1;
}

describe('a large file that is not UTF-8', () => {
  const head = Array.from({ length: 20 }, (_, at) => at * 1000);
  const size = 20 * MB;

  test('is looked at in places all over it', async () => {
    const row = Buffer.concat([ANSI, Buffer.from('\xe9', 'latin1')]);
    const everywhere = Array.from({ length: size / 20_000 }, (_, at) => at * 20_000);
    const scan = await scanFile(fileOf(size, everywhere, row));
    expect(scan).toMatchObject({ bytes: size, ascii: false });
    expect(rowsIn(scan.places)).toBe(64);
    expect(sampleOf(scan).length).toBeLessThan(MB / 2);
  });

  test('wherever bytes beyond ASCII stand in each part of it', async () => {
    const places = [...head, 5 * MB + 4321, 11 * MB + 123_456, size - 2000].map((place) => place + LINE.length);
    const scan = await scanFile(fileOf(size, places, ANSI));
    expect(scan.bytes).toBe(size);
    expect(rowsIn(scan.places)).toBe(3);
  });

  test('is counted as far as it may be UTF-8', async () => {
    const row = Buffer.from('Бренд;Артикул\r\n');
    const scan = await scanFile(fileOf(size, [...head, 5 * MB, size - 3], row));
    expect(scan.utf8).toEqual({ valid: 21 * 12 + 1, invalid: 1 });
  });

  test('gives a sample of whole lines, so that no character in it is cut', async () => {
    const name = Buffer.from('机油滤清器'.repeat(2));
    const line = Buffer.concat([Buffer.from('BOSCH;0986424797;'), name, Buffer.from('\r\n')]);
    // Lines of 49 bytes: no part of the file begins with one.
    const sample = sampleOf(await scanFile(bytesFile(Buffer.alloc(line.length * 100_000, line).fill(0xff, 0, 12_000))));
    const lines = sample
      .subarray(sample.lastIndexOf(0xff) + 1)
      .toString('latin1')
      .split('\r\n');
    expect(lines.length).toBeGreaterThan(1000);
    expect(new Set(lines.slice(1))).toEqual(new Set([line.toString('latin1').trimEnd(), '']));
  });
});
