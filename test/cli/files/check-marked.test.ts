import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { utils, write, type BookType } from '@e965/xlsx';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { CheckAnswer } from '../../../src/cli/files/check-answer.ts';
import { killAtEnd } from '../../support/at-end.ts';
import { readBook } from '../../support/marked-book.ts';
import { runCli } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { PROGRAM } from '../../support/started-program.ts';

/** Checks a file with `--marked out.xlsx --json`; nothing temporary is left behind. */
async function checkMarked(name: string, content: string | Buffer, ...args: string[]) {
  const folder = tempFolder();
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  writeFileSync(join(folder, name), content);
  const command = ['check', name, '--marked', 'out.xlsx', '--json', ...args];
  const { status, stdout, stderr } = await runCli(command, folder, { TMPDIR: temporary });
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(folder).filter((one) => one.endsWith('.tmp'))).toEqual([]);
  return { status, stderr, folder, out: join(folder, 'out.xlsx'), answer: JSON.parse(stdout) as CheckAnswer };
}

const ROWS = [
  ['Marke', 'Artikelnummer', 'Bezeichnung', 'Preis'],
  ['BOSCH', '0986424797', 'Bremsscheibe für Österreich', '12,50'],
  ['ATE', '', 'Bremsbelag "groß"', '00012'],
  ['MANN', '1,23E+11', 'Filter', '7'],
];
const TEXT = ROWS.map((cells) => cells.join(';')).join('\r\n');

/** The same list in another format. */
function book(bookType: BookType): Buffer {
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, utils.aoa_to_sheet(ROWS), 'Preise');
  return write(workbook, { type: 'buffer', bookType }) as Buffer;
}

const RECORDS = ROWS.slice(1).map(([brand, oem, name, price]) => ({ brand, oem, name, price }));
const XML = `<?xml version="1.0"?><yml_catalog date="2026-11-24"><shop><offers>${RECORDS.map(
  ({ brand, oem, name, price }, at) =>
    `<offer id="${at + 1}"><vendor>${brand}</vendor><vendorCode>${oem}</vendorCode><name>${name}</name><price>${price}</price></offer>`,
).join('')}</offers></shop></yml_catalog>`;

test.each([
  ['text', 'preise.csv', iconv.encode(TEXT, 'windows-1252')],
  ['xlsx', 'preise.xlsx', book('xlsx')],
  ['xls', 'preise.xls', book('biff8')],
  ['ods', 'preise.ods', book('ods')],
  ['json', 'preise.json', Buffer.from(JSON.stringify(RECORDS))],
] as const)('%s: the rows that have mistakes are written with these marked', async (format, name, content) => {
  const { status, answer, out } = await checkMarked(name, content);
  expect([status, answer]).toMatchObject([
    0,
    { outcome: 'accepted', dialect: { format }, marked: { file: 'out.xlsx', rows: 2, reason: null } },
  ]);
  const [first, rows] = await readBook(out);
  expect(first!.rows[1]).toEqual([
    '2 of the 3 rows of your file have mistakes, so they are not offered, or not as you meant them.',
  ]);
  expect(rows!.rows.slice(1)).toEqual([
    ['ATE', '', 'Bremsbelag "groß"', '00012'],
    ['MANN', '1,23E+11', 'Filter', '7'],
  ]);
  expect(rows!.marks.map(({ at, color }) => [at, color])).toEqual([
    ['B2', 'red'],
    ['B3', 'red'],
  ]);
});

test('records of an XML file are found again', async () => {
  const { status, answer, out } = await checkMarked('preise.xml', XML);
  expect([status, answer]).toMatchObject([0, { dialect: { format: 'xml' }, marked: { file: 'out.xlsx', rows: 2 } }]);
  const [, rows] = await readBook(out);
  expect(rows!.rows.slice(1).map((cells) => cells.filter((cell) => /^(ATE|MANN|1,23E\+11)$/.test(cell)))).toEqual([
    ['ATE'],
    ['MANN', '1,23E+11'],
  ]);
  expect(rows!.marks).toHaveLength(2);
});

test('a file that is rejected for its rows, or lacks a column, is marked all the same', async () => {
  const bad = await checkMarked('bad.csv', `brand;oem\n;1\n;2\n`);
  expect([bad.status, bad.answer]).toMatchObject([3, { outcome: 'rejected', marked: { file: 'out.xlsx', rows: 2 } }]);
  expect((await readBook(bad.out))[1]!.marks.map(({ at }) => at)).toEqual(['A2', 'A3']);

  const lacking = await checkMarked('lacking.csv', 'oem;name\n1;pads\n2;disc\n');
  expect([lacking.status, lacking.answer]).toMatchObject([
    3,
    { outcome: 'rejected', issues: { 'column-missing': 1 }, marked: { file: 'out.xlsx', rows: 0 } },
  ]);
  const [first] = await readBook(lacking.out);
  expect(first!.rows.flat().join('\n')).toContain('brand');
});

test.each([
  ['is empty', 'empty.csv', ''],
  ['is no list', 'list.pdf', '%PDF-1.7 this is no list'],
  ['is damaged', 'list.zip', book('xlsx').subarray(0, 700)],
  ['is not certain', 'odd.xml', '<list><item><a>BOSCH</a></item><item><a>ATE</a></item></list>'],
] as const)('of a file that %s nothing is written, and that is said', async (_, name, content) => {
  const { status, stderr, answer, out } = await checkMarked(name, content);
  expect([status, answer]).toMatchObject([
    3,
    {
      outcome: 'rejected',
      marked: { file: null, rows: 0, reason: expect.stringMatching(/nothing to mark\.$/) as string },
    },
  ]);
  expect(stderr).toMatch(/^out\.xlsx was not written: .* nothing to mark\.\n$/);
  expect(existsSync(out)).toBe(false);
});

test('where nothing is wrong, an earlier workbook stays as it was', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'a.csv'), 'brand;oem\nBOSCH;1\n');
  writeFileSync(join(folder, 'out.xlsx'), 'an earlier one');
  const { status, stderr } = await runCli(['check', 'a.csv', '--marked', 'out.xlsx'], folder);
  expect([status, stderr]).toEqual([
    0,
    'out.xlsx was not written: Nothing is wrong with the file, so there is nothing to mark.\n',
  ]);
  expect(readFileSync(join(folder, 'out.xlsx'), 'utf8')).toBe('an earlier one');
});

test('the table of issues is the same with a workbook and without', async () => {
  const { folder } = await checkMarked('preise.csv', iconv.encode(TEXT, 'windows-1252'), '--issues', 'with.csv');
  await runCli(['check', 'preise.csv', '--issues', 'without.csv'], folder);
  const table = (name: string) => readFileSync(join(folder, name), 'utf8');
  expect(table('with.csv')).toBe(table('without.csv'));
  expect(table('with.csv')).toContain('Bremsbelag');
});

test('the workbook is in the language that is asked for, and in that of the feed’s supplier', async () => {
  const asked = await checkMarked('preise.csv', iconv.encode(TEXT, 'windows-1252'), '--language', 'de');
  expect((await readBook(asked.out))[0]!.rows.flat().join('\n')).toContain('Artikelnummer');
  const { folder } = asked;
  const feeds = { north: { login: 'main', source: { type: 'directory', path: '.' }, supplier: { language: 'ru' } } };
  writeFileSync(join(folder, 'offerline.yaml'), JSON.stringify({ logins: { main: {} }, feeds }));
  const command = ['check', 'preise.csv', '--feed', 'north', '--marked', 'ru.xlsx', '--config', 'offerline.yaml'];
  // A guard of the feed would hold it; that is no reason to mark nothing.
  expect(await runCli(command, folder)).toMatchObject({ status: 3, stderr: '' });
  expect((await readBook(join(folder, 'ru.xlsx')))[0]!.rows.flat().join('\n')).toMatch(/\p{Script=Cyrillic}{5}/u);
});

test('what cannot be is refused before any work', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'a.csv'), 'brand;oem\nBOSCH;1\n');
  for (const [args, said] of [
    [['--marked', 'a.csv'], 'it is the file being checked'],
    [['--marked', 'x', '--issues', 'x'], '--issues and --marked name the same file.'],
    [['--marked', 'nowhere/x.xlsx'], 'its folder does not exist'],
    [['--marked', 'x', '--language', 'tlh'], 'Unknown language tlh: write one of de, en, pl, ru.'],
    [['--language', 'de'], '--language is that of the workbook: name it with --marked.'],
  ] as const) {
    const { status, stderr } = await runCli(['check', 'a.csv', ...args], folder);
    expect([status, stderr]).toEqual([2, expect.stringContaining(said) as string]);
  }
});

/** The only folder of temporary files of a program that checks a file. */
function checkFolder(temporary: string): string | undefined {
  return readdirSync(temporary).find((name) => name.startsWith('offerline-check-'));
}

test('a signal ends the marking, and no trace of it stays', async () => {
  const folder = tempFolder();
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const rows = Array.from({ length: 100_000 }, (_, at) => `;${at + 1};part ${at}\n`).join('');
  writeFileSync(join(folder, 'a.csv'), `brand;oem;name\nBOSCH;1;pads\n${rows}`);
  const child = spawn(PROGRAM, ['check', 'a.csv', '--marked', 'out.xlsx', '--json'], {
    cwd: folder,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killAtEnd(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await until(() => existsSync(join(temporary, checkFolder(temporary) ?? '', 'marked')) || undefined);
  child.kill('SIGTERM');
  await once(child, 'close');
  expect([child.exitCode, stderr]).toEqual([130, 'Interrupted; out.xlsx was not written.\n']);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'interrupted' } });
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(['a.csv', 'tmp']);
});
