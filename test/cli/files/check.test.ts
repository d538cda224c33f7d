import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import type { CheckAnswer } from '../../../src/cli/files/check-answer.ts';
import { runCli } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A folder with a file of offers in it: five rows, of which line 3 and 4 are bad and line 6 is a duplicate. */
function folderWith(name = 'north.csv', bytes: Buffer = Buffer.from(OFFERS)): string {
  const folder = tempFolder();
  writeFileSync(join(folder, name), bytes);
  return folder;
}

const OFFERS = [
  'Бренд;Артикул;Наименование;Цена;Теги',
  'BOSCH;0 986 424 797;"Колодки; передние";10,50;brakes,front',
  ';13046013812;Диск;20;',
  'ATE;=1+1;"@Диск";20',
  'ATE;13046013812;Диск тормозной;20;brakes',
  'Bosch;0986424797;Колодки;11;',
  '',
].join('\r\n');

async function checkJson(args: string[], folder: string): Promise<{ status: number; answer: CheckAnswer }> {
  const { status, stdout, stderr } = await runCli(['check', ...args, '--json'], folder);
  expect(stderr).toMatch(/^(?:out\.txt was not written\.\n)?$/);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  return { status, answer: JSON.parse(stdout) as CheckAnswer };
}

describe('a file that would be uploaded', () => {
  test('is answered in JSON', async () => {
    const { status, answer } = await checkJson(['north.csv.gz'], folderWith('north.csv.gz', gzipSync(OFFERS)));
    expect(status).toBe(0);
    expect(answer).toMatchObject({
      outcome: 'accepted',
      reason: null,
      file: 'north.csv',
      dialect: { charset: 'utf-8', bom: false, delimiter: ';', quote: '"', newline: '\r\n', header: true },
      rows: { read: 5, accepted: 2, rejectedLocally: 2, duplicates: 1 },
      issues: { 'brand-empty': 1, 'wrong-cell-count': 1, duplicate: 1 },
      droppedColumns: ['Цена'],
    });
    expect(answer.sample.map((issue) => `${issue.line} ${issue.code} ${issue.column ?? ''}`)).toEqual([
      '3 brand-empty brand',
      '4 wrong-cell-count ',
      '6 duplicate ',
    ]);
  });

  test('is answered in words', async () => {
    const { status, stdout } = await runCli(['check', 'north.csv'], folderWith());
    expect(status).toBe(0);
    expect(stdout).toMatch(/^accepted: 2 of 5 rows would be uploaded\n/);
    expect(stdout).toContain('brand-empty: 1 error\n  line 3, brand: The brand is empty.');
  });

  test('says which lines are no offers, outside of the rows', async () => {
    const text = 'brand;oem;name;price\nBrakes;;;\nATE;1;a;2\nATE;2;b;2\n\nTotal;;;4\nPrices without VAT\n';
    const folder = folderWith('north.csv', Buffer.from(text));
    const { answer } = await checkJson(['north.csv'], folder);
    expect(answer.rows).toEqual({
      read: 2,
      expanded: 0,
      accepted: 2,
      rejectedLocally: 0,
      duplicates: 0,
      leftOut: 0,
      skipped: 4,
    });
    expect(answer.skipped).toEqual([
      { kind: 'blank', rows: 1, examples: [{ sheet: null, line: 5, value: '' }] },
      {
        kind: 'lone-cell',
        rows: 2,
        examples: [
          { sheet: null, line: 2, value: 'Brakes;;;' },
          { sheet: null, line: 7, value: 'Prices without VAT' },
        ],
      },
      { kind: 'total', rows: 1, examples: [{ sheet: null, line: 6, value: 'Total;;;4' }] },
    ]);
    const { stdout } = await runCli(['check', 'north.csv'], folder);
    expect(stdout).toContain(
      '\nskipped  1 blank line\nskipped  2 headings and notes, such as line 2 [Brakes;;;], line 7 [',
    );
  });

  test('names errors and warnings of one code issues', async () => {
    const text = 'brand;oem;name\nATE;#REF!;a\nATE;2;#REF!\nATE;3;b\n';
    const { stdout } = await runCli(['check', 'north.csv'], folderWith('north.csv', Buffer.from(text)));
    expect(stdout).toContain('\nspreadsheet-error: 2 issues\n  line 2, oem: ');
  });

  test('--out has the rows as they would be uploaded, --issues every issue, safe for spreadsheets', async () => {
    const folder = folderWith('north.csv', iconv.encode(OFFERS, 'windows-1251'));
    const { status } = await runCli(['check', 'north.csv', '--out', 'out.txt', '--issues', 'issues.csv'], folder);
    expect(status).toBe(0);
    expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe(
      'brand\toem\tname\ttags\n' +
        'BOSCH\t0 986 424 797\tКолодки; передние\tbrakes,front\n' +
        'ATE\t13046013812\tДиск тормозной\tbrakes\n',
    );
    const issues: Record<string, string>[] = parse(readFileSync(join(folder, 'issues.csv')), { columns: true });
    expect(issues.map(({ code, line }) => `${line} ${code}`)).toEqual([
      '3 brand-empty',
      '4 wrong-cell-count',
      '6 duplicate',
    ]);
    expect(issues[1]).toMatchObject({ 'original brand': 'ATE', 'original oem': "'=1+1", 'original name': "'@Диск" });
    expect(readdirSync(folder).sort()).toEqual(['issues.csv', 'north.csv', 'out.txt']);
  });

  test('rows may also go into a pipe', async () => {
    const folder = folderWith();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const piped = readFile(join(folder, 'pipe'), 'utf8');
    const { status } = await runCli(['check', 'north.csv', '--out', 'pipe'], folder);
    await runCli(['check', 'north.csv', '--out', 'out.txt'], folder);
    expect(status).toBe(0);
    expect(await piped).toBe(readFileSync(join(folder, 'out.txt'), 'utf8'));
  });

  test('--feed brings the settings of the feed and of the offer', async () => {
    const folder = folderWith('list.txt', Buffer.from('Nr|Bez\n1|Filter\n2|Disc\n1|again\n'));
    const config = {
      offer: { layout: 'csv', delimiter: ';', columns: { tags: null } },
      logins: { main: {} },
      feeds: {
        north: {
          login: 'main',
          source: { type: 'directory', path: '.' },
          columns: { oem: 'Nr', name: 'Bez' },
          defaults: { brand: 'BOSCH' },
        },
      },
    };
    writeFileSync(join(folder, 'offerline.yaml'), JSON.stringify(config));
    const args = ['--config', 'offerline.yaml', 'check', 'list.txt', '--feed', 'north', '--out', 'out.csv'];
    expect(await runCli(args, folder)).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe('brand;oem;name\nBOSCH;1;Filter\nBOSCH;2;Disc\n');
  });

  test('a guard of the feed that would hold the file says so', async () => {
    const folder = folderWith('north.csv', Buffer.from('brand;oem\nATE;1\n;2\nATE;3\n'));
    const feeds = { north: { login: 'main', source: { type: 'directory', path: '.' } } };
    writeFileSync(join(folder, 'c.yaml'), JSON.stringify({ logins: { main: {} }, feeds }));
    const args = ['--config', 'c.yaml', '--feed', 'north', '--out', 'out.txt'];
    const { status, answer } = await checkJson(['north.csv', ...args], folder);
    expect({ status, outcome: answer.outcome }).toEqual({ status: 3, outcome: 'rejected' });
    expect(answer.wouldBe).toBe('held');
    expect(answer.reason).toMatch(/^33\.3% of the rows of the file of north .*guard\.maxRejected .*\.$/);
    expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe('brand\toem\tname\ttags\nATE\t1\t\t\nATE\t3\t\t\n');
    expect((await checkJson(['north.csv'], folder)).status).toBe(0);
  });
});

test('outputs go where links lead, also where nothing is yet, and keep the mode of what they replace', async () => {
  const folder = folderWith();
  symlinkSync('rows.txt', join(folder, 'link'));
  writeFileSync(join(folder, 'issues.csv'), 'old', { mode: 0o440 });
  const { status } = await runCli(['check', 'north.csv', '--out', 'link', '--issues', 'issues.csv'], folder);
  expect(status).toBe(0);
  expect(readFileSync(join(folder, 'rows.txt'), 'utf8')).toMatch(/^brand\t/);
  expect(readFileSync(join(folder, 'issues.csv'), 'utf8')).toMatch(/^code,/);
  expect(statSync(join(folder, 'issues.csv')).mode & 0o777).toBe(0o440);
});

describe('a file that would not be uploaded ends with 3', () => {
  const bad: [string, Buffer, RegExp][] = [
    ['no brand column', Buffer.from('Nr;Name\n1;a\n2;b\n'), /No column looks like "brand"/],
    ['no column that is known', Buffer.from('a;b\n1;2\n'), /column "brand" is missing/],
    ['a header only', Buffer.from('brand;oem;name\n'), /no rows/],
    ['all rows bad', Buffer.from('brand;oem;name\n;1;a\n;2;b\n'), /^All 2 rows were rejected; most often: brand-empty/],
    ['nothing', Buffer.alloc(0), /empty/],
    ['an image', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), /north\.csv/],
    ['a broken gzip', gzipSync(OFFERS).subarray(0, 60), /north\.csv/],
    ['one byte to judge a charset by', iconv.encode('brand;oem;name\nATE;1;Ф\n', 'windows-1251'), /--feed/],
  ];

  test.each(bad)('%s', async (_, bytes, reason) => {
    const folder = folderWith('north.csv', bytes);
    const { status, answer } = await checkJson(['north.csv', '--out', 'out.txt', '--issues', 'issues.csv'], folder);
    expect({ status, outcome: answer.outcome }).toEqual({ status: 3, outcome: 'rejected' });
    expect(answer.reason).toMatch(reason);
    expect(readdirSync(folder).sort()).toEqual(['issues.csv', 'north.csv']);
  });

  test('and the reason in words comes first', async () => {
    const { status, stdout } = await runCli(['check', 'north.csv'], folderWith('north.csv', Buffer.from('a;b\n1;2\n')));
    expect(status).toBe(3);
    expect(stdout).toMatch(/^rejected: The column "brand" is missing/);
  });
});

describe('a file whose columns are only proposed', () => {
  const PARTS = 'Xyz;Nr katalogowy;Cena\nBOSCH;0 986 424 797;9,50\nATE;13.0460-2782.2;12,00\nTRW;GDB1330;11,20\n';
  const SETTING = 'columns: { brand: ["Xyz"] }';

  test('is rejected with the proposal, its evidence and the setting that confirms it', async () => {
    const { status, answer } = await checkJson(
      ['north.csv', '--out', 'out.txt'],
      folderWith('north.csv', Buffer.from(PARTS)),
    );
    expect({ status, outcome: answer.outcome }).toEqual({ status: 3, outcome: 'rejected' });
    expect(answer.reason).toContain('brand ← "Xyz": 100 % of 3 values are known makers');
    expect(answer.reason).toContain(`write \`${SETTING}\` under feeds.NAME`);
    const [brand, oem] = answer.mapping;
    expect(brand).toMatchObject({ key: 'brand', column: 'Xyz', position: 1, sure: false });
    expect(oem).toMatchObject({ key: 'oem', column: 'Nr katalogowy', position: 2, sure: true });
  });

  test('is shown to people with what is known and what is proposed', async () => {
    const { stdout } = await runCli(['check', 'north.csv'], folderWith('north.csv', Buffer.from(PARTS)));
    expect(stdout).toMatch(/^proposed brand ← "Xyz": 100 % of 3 values are known makers$/m);
    expect(stdout).toMatch(/^column {3}oem ← "Nr katalogowy": /m);
  });

  test('says which feed to set it for, and is accepted once that is done', async () => {
    const folder = folderWith('north.csv', Buffer.from(PARTS));
    const check = async (columns: Record<string, string[]>) => {
      const feeds = { north: { login: 'main', source: { type: 'directory', path: '.' }, columns } };
      writeFileSync(join(folder, 'c.yaml'), JSON.stringify({ logins: { main: {} }, feeds }));
      return (await checkJson(['north.csv', '--config', 'c.yaml', '--feed', 'north'], folder)).answer;
    };
    expect((await check({})).reason).toMatch(/ under feeds\.north\.$/);
    expect(await check({ brand: ['Xyz'] })).toMatchObject({ outcome: 'accepted', rows: { accepted: 3 } });
  });

  test('is set by position where two columns have one name', async () => {
    const twice = PARTS.replace(';Cena', ';Cena;Xyz').replaceAll(/(\d)\n/g, '$1;q\n');
    const { answer } = await checkJson(['north.csv'], folderWith('north.csv', Buffer.from(twice)));
    expect(answer.reason).toContain('`columns: { brand: 1 }`');
  });
});

describe('a file whose cells hold several numbers', () => {
  const list = Array.from({ length: 8 }, (_, at) => `ATE;A${10_000 + at * 37},B${20_000 + at * 91};Hose`);
  const text = Buffer.from(`brand;oem;name\n${list.join('\n')}\n`);

  test('would be held, with the setting that says what they mean', async () => {
    const { status, answer } = await checkJson(['north.csv'], folderWith('north.csv', text));
    expect(status).toBe(3);
    expect(answer).toMatchObject({ outcome: 'rejected', wouldBe: 'held', rows: { read: 0, expanded: 0 } });
    expect(answer.reason).toContain('such as "A10000,B20000" (line 2)');
    expect(answer.reason).toContain('write `numbers: { separator: ",", take: each }` under feeds.NAME');
  });

  test('shows what each of them made, once that is set', async () => {
    const folder = folderWith('north.csv', text);
    const config =
      'logins: { main: {} }\nfeeds: { north: { login: main, source: { type: directory, path: . }, numbers: { separator: ",", take: each } } }\n';
    writeFileSync(join(folder, 'offerline.yaml'), config);
    const { stdout } = await runCli(['check', 'north.csv', '--config', 'offerline.yaml', '--feed', 'north'], folder);
    expect(stdout).toMatch(/^accepted: 16 of 16 rows would be uploaded\n/);
    expect(stdout).toContain('rows     8 read + 8 expanded = 16 accepted + 0 rejected + 0 duplicates');
  });
});

describe('wrong usage ends with 2', () => {
  test.each([
    [['missing.csv'], /There is no file missing\.csv/],
    [[], /Name a file to check, or with --feed /],
    [['north.csv', '--out', 'no/such/folder.txt'], /its folder does not exist/],
    [['north.csv', '--out', 'folder'], /it is a folder/],
    [['north.csv', '--out', 'new/'], /it is a folder/],
    [['north.csv', '--out', 'north.csv/x'], /what should be its folder is a file/],
    [['north.csv', '--out', 'circle'], /it is a link that leads back to itself/],
    [['north.csv', '--out', 'n'.repeat(300)], /its name is too long/],
    [['north.csv', '--out', 'new-link', '--issues', 'new'], /the same file/],
    [['north.csv', '--out', 'north.csv'], /it is the file being checked/],
    [['north.csv', '--out', 'a.txt', '--issues', './a.txt'], /the same file/],
    [['north.csv', '--out', 'file', '--issues', 'link'], /the same file/],
    [['north.csv', '--out', 'north-link'], /it is the file being checked/],
    [['north.csv', '--out', ''], /it is not a file name/],
    [['north.csv', '--out', '-'], /standard output is used for the answer/],
    [['north.csv', '--issues', '/dev/stdout'], /standard output is used for the answer/],
    [['north.csv', '--feed', 'north'], /no configuration file/],
  ])('%j', async (args, message) => {
    const folder = folderWith();
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'file'), '');
    symlinkSync('file', join(folder, 'link'));
    symlinkSync('north.csv', join(folder, 'north-link'));
    symlinkSync('circle', join(folder, 'circle'));
    symlinkSync('new', join(folder, 'new-link'));
    const { status, stdout, stderr } = await runCli(['check', ...args], folder);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(readFileSync(join(folder, 'north.csv'), 'utf8')).toBe(OFFERS);
  });

  test.each(['check', 'detect'])('%s: no place for temporary files', async (command) => {
    const { status, stderr } = await runCli([command, 'north.csv'], folderWith(), { TMPDIR: '/no/such/folder' });
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^Cannot keep temporary files in \/no\/such\/folder: .*Name another folder with TMPDIR\.\n$/,
    );
  });

  test('a feed that does not exist', async () => {
    const folder = folderWith();
    const feeds = { north: { login: 'main', source: { type: 'directory', path: '.' } } };
    writeFileSync(join(folder, 'c.yaml'), JSON.stringify({ logins: { main: {} }, feeds }));
    const { status, stderr } = await runCli(['--config', 'c.yaml', 'check', 'north.csv', '--feed', 'nort'], folder);
    expect(status).toBe(2);
    expect(stderr).toContain('There is no feed "nort"');
    expect(stderr).toContain('did you mean "north"?');
  });
});
