import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { PRICE_LISTS } from '../../support/price-list.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { runCli } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CP1251 = iconv.encode(PRICE_LISTS.ru, 'windows-1251');

test('one compact JSON line for each file, archives and refused files included', async () => {
  const folder = tempFolder();
  const temporary = tempFolder();
  writeFileSync(join(folder, 'a.csv'), CP1251);
  writeFileSync(join(folder, 'b.zip'), rawZip([{ name: 'inner.csv', data: CP1251 }]));
  writeFileSync(join(folder, 'c.csv'), Buffer.from('%PDF-1.7 rest'));
  writeFileSync(join(folder, 'd.gz'), gzipSync(PRICE_LISTS.de));
  const ended = await runCli(['detect', '--json', 'a.csv', 'b.zip', 'c.csv', 'd.gz'], folder, { TMPDIR: temporary });
  expect(ended.status).toBe(3);
  const lines = ended.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatchObject({
    file: 'a.csv',
    charset: 'windows-1251',
    bom: false,
    sure: true,
    delimiter: ';',
    quote: '"',
    escape: '"',
    newline: '\r\n',
    header: true,
    columns: ['Бренд', 'Артикул', 'Наименование', 'Цена'],
    headerLine: 1,
  });
  expect(lines[1]).toMatchObject({ file: 'b.zip', inner: 'inner.csv', charset: 'windows-1251' });
  expect(lines[2]).toMatchObject({ file: 'c.csv', charset: null, delimiter: null, sure: false, confidence: 0 });
  expect(lines[2]).toMatchObject({ error: { code: 'binary-file', message: expect.stringMatching(/PDF/) as string } });
  expect(Object.keys(lines[2]!)).toEqual([...Object.keys(lines[0]!), 'error']);
  expect(lines[3]).toMatchObject({ file: 'd.gz', charset: 'utf-8', sure: true });
  expect(readdirSync(temporary)).toEqual([]);
});

test('a readable answer, with control characters of the file escaped', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'a.csv'), 'brand;oem;na\u001B[31mme\nBOSCH;1;x\nATE;2;y\n');
  const ended = await runCli(['detect', 'a.csv'], folder);
  expect(ended.status).toBe(0);
  expect(ended.stdout).toMatch(/^charset +utf-8$/m);
  expect(ended.stdout).toMatch(/^header +line 1: brand \| oem \| na\\u\{1b\}\[31mme$/m);
  expect(ended.stdout).not.toContain('\u001B');
});

test('a file that does not exist is wrong usage, and the others are still read', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'a.csv'), CP1251);
  const ended = await runCli(['detect', '--json', 'missing.csv', 'a.csv'], folder);
  expect(ended.status).toBe(2);
  expect(ended.stdout.split('\n')[0]).toContain('"code":"not-found"');
  expect(ended.stdout.split('\n')[1]).toContain('windows-1251');
  expect((await runCli(['detect'], folder)).status).toBe(2);
});

test('help has an example', async () => {
  const ended = await runCli(['detect', '--help'], tempFolder());
  expect(ended.status).toBe(0);
  expect(ended.stdout).toContain('Example:\n  offerline detect');
});
