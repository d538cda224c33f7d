import { expect, test } from 'vitest';
import { runCli } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';

const ROWS = ['brand;name;oem', 'BOSCH;Pads;0986424797', 'ATE;Disc;13046027822', 'TRW;Pads;GDB1330', 'FEBI;Anti;010'];

async function warned(text: string, charset = 'utf-8'): Promise<boolean> {
  const folder = tempFolder();
  const path = join(folder, 'list.csv');
  writeFileSync(path, iconv.encode(text, charset));
  const { stdout } = await runCli(['check', path, '--json'], folder);
  const { issues, rows } = JSON.parse(stdout) as { issues: Record<string, unknown>; rows: { accepted: number } };
  expect(rows.accepted).toBe(4);
  return JSON.stringify(issues).includes('last-line-open');
}

test('a last line without an end is doubted where the number stands at its end', async () => {
  expect(await warned(ROWS.join('\n'))).toBe(true);
  expect(await warned(ROWS.join('\r\n'), 'utf-16le')).toBe(true);
  for (const end of ['\n', '\r\n', '\n\n', '\n \n']) expect(await warned(ROWS.join('\n') + end)).toBe(false);
});

test('where something else stands at the end, a cut costs no number', async () => {
  const prices = ROWS.map((row, at) => `${row};${at === 0 ? 'price' : `${at}.50`}`);
  expect(await warned(prices.join('\n'))).toBe(false);
});
