import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import type { ReadSettings } from '../../src/config/schema/feed-settings.ts';
import type { Detection } from '../../src/model.ts';
import type { IssueRecord } from '../../src/validate/issues/issue-line.ts';
import { validate, type Validation } from '../../src/validate/validate.ts';
import { dialect, plainSettings } from '../support/read-settings.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { repetitions } from '../support/repetitions.ts';

type Read = Validation & { rows: string[]; records: IssueRecord[] };

/** Validates a text; rows are shown with `|` for tabs. */
async function read(
  text: string | Buffer,
  changes: { settings?: Partial<ReadSettings>; dialect?: Partial<Detection> } = {},
): Promise<Read> {
  const folder = tempFolder();
  const [path, rowsPath, issuesPath] = ['file.csv', 'rows', 'issues'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(path, text);
  const settings = plainSettings(changes.settings);
  const validation = await validate({ path, detection: dialect(changes.dialect), settings, rowsPath, issuesPath });
  const rows = (await readFile(rowsPath, 'utf8')).split('\n').slice(0, -1);
  const issues = (await readFile(issuesPath, 'utf8')).split('\n').slice(0, -1);
  return {
    ...validation,
    rows: rows.map((row) => row.replaceAll('\t', '|')),
    records: issues.map((line) => JSON.parse(line) as IssueRecord),
  };
}

/** Pieces of offer files, good, bad and hostile, put together at random. */
const anyFile = fc
  .array(
    fc.constantFrom('BOSCH', 'ATE', '1', '2', ';', ';;', '\n', '\r\n', '\r', '"', '""', '\t', '\0', '\u200b', '\uFFFD'),
  )
  .map((pieces) => `brand;oem;name\nBOSCH;9;good\n${pieces.join('')}`);

/** Issues as `line code column`. */
function places({ records }: Read): string[] {
  return records.map(({ line, code, column }) => `${line} ${code}${column === null ? '' : ` ${column}`}`);
}

function balanced({ counts }: Read): boolean {
  return counts.read === counts.accepted + counts.rejectedLocally + counts.duplicates;
}

describe('a good file', () => {
  test.each([
    ['ATE,\t13,\t"disc, front"\n', { quote: '"', escape: '"' }],
    ["ATE, 13, 'disc, front'\n", { quote: "'", escape: "'" }],
    ['ATE, 13, "disc, front"\n', { quote: '"', escape: '\\' }],
  ])('keeps together what quotes behind blanks enclose: %j', async (row, quoting) => {
    const names = ['brand', 'oem', 'name'];
    const found = { delimiter: ',', spacedQuotes: true, columns: names, width: 3, ...quoting };
    expect(await read(`${names.join(',')}\n${row}`, { dialect: found })).toMatchObject({
      counts: { read: 1, accepted: 1 },
      rows: ['2|ATE|13|disc, front|'],
    });
  });

  test('becomes rows in the order of the configured columns, with the lines of the file', async () => {
    const result = await read('Price;Артикул;Бренд;Наименование;Теги\n10;0986;BOSCH;Фильтр;a,b, a,\n11;0987;ATE;;\n');
    expect(result).toMatchObject({
      outcome: 'accepted',
      reason: null,
      counts: { read: 2, accepted: 2, rejectedLocally: 0, duplicates: 0 },
      issues: {},
      droppedColumns: ['Price'],
      rows: ['2|BOSCH|0986|Фильтр|a,b', '3|ATE|0987||'],
    });
  });

  test('cells with line breaks and tabs stay on one line, later lines stay exact', async () => {
    const result = await read('brand;oem;name\nBOSCH;1;"oil\r\nfilter\tbig"\nATE;2;"a\rb"\nATE;3;c\n');
    expect(result.rows).toEqual(['2|BOSCH|1|oil filter big|', '4|ATE|2|a b|', '6|ATE|3|c|']);
    expect(result.records).toEqual([]);
  });

  test('empty lines and the end mark of DOS are no rows', async () => {
    const result = await read('brand;oem\n\nBOSCH;1\n   \n\x1a');
    expect(result).toMatchObject({ outcome: 'accepted', counts: { read: 1, accepted: 1 } });
  });

  test('rows of nothing but delimiters, as spreadsheets leave them, are no rows', async () => {
    const result = await read('brand;oem;name\nBOSCH;1;a\n;;\n;\nATE;2;b\n; ;\n"";"";""\n;;;;;\n');
    expect(result).toMatchObject({ counts: { read: 2, accepted: 2, rejectedLocally: 0 }, issues: {} });
    expect(result.rows).toEqual(['2|BOSCH|1|a|', '5|ATE|2|b|']);
  });

  test('lines above the header are passed over', async () => {
    const result = await read('Price list\n2026;;;\nbrand;oem\nBOSCH;1\n', { dialect: { headerLine: 3 } });
    expect(result).toMatchObject({ rows: ['4|BOSCH|1||'], counts: { read: 1 } });
  });

  test('windows-1251 is decoded', async () => {
    const bytes = iconv.encode('бренд;артикул;наименование\nЛУКОЙЛ;1;Масло\n', 'windows-1251');
    expect((await read(bytes, { dialect: { charset: 'windows-1251' } })).rows).toEqual(['2|ЛУКОЙЛ|1|Масло|']);
  });
});

describe('bad rows are dropped with an issue', () => {
  test('empty brand and number, too few and too many cells', async () => {
    const text = 'brand;oem;name\n;1;a\nBOSCH; ;b\nBOSCH;2\nBOSCH;3;c;d\nBOSCH;4;e;;\n;;f\nATE;9;\n';
    const result = await read(text);
    expect(places(result)).toEqual([
      '2 brand-empty brand',
      '3 oem-empty oem',
      '4 wrong-cell-count',
      '5 wrong-cell-count',
      '7 brand-empty brand',
      '7 oem-empty oem',
    ]);
    expect(result.rows).toEqual(['6|BOSCH|4|e|', '8|ATE|9||']);
    expect(result.counts).toEqual({
      read: 7,
      expanded: 0,
      accepted: 2,
      rejectedLocally: 5,
      duplicates: 0,
      leftOut: 0,
      skipped: 0,
    });
    expect(result.records[2]).toMatchObject({
      value: 'BOSCH;2',
      cells: ['BOSCH', '2'],
      message:
        'The row has 2 cells instead of 3. Quote cells that contain the delimiter, and give every row all its cells.',
    });
  });

  test('more than 20 tags, counted without repetitions', async () => {
    const tags = Array.from({ length: 21 }, (_, index) => `t${index}`);
    const text = `brand;oem;tags\nBOSCH;1;${tags.join(',')}\nBOSCH;2;${tags.slice(1).join(',')},t1, t2 ,\n`;
    const result = await read(text);
    expect(result.records).toMatchObject([
      { code: 'too-many-tags', severity: 'error', line: 2, column: 'tags' },
      { code: 'tags-dropped', severity: 'info', line: 1, column: 'tags' },
    ]);
    expect(result.rows).toEqual([`3|BOSCH|2||${tags.slice(1).join(',')}`]);

    const truncated = await read(text, { settings: { onTooManyTags: 'truncate' } });
    expect(truncated.records[0]).toMatchObject({ code: 'too-many-tags', severity: 'warning', line: 2 });
    expect(truncated.rows[0]).toBe(`2|BOSCH|1||${tags.slice(0, 20).join(',')}`);
  });

  test('bytes that cannot be decoded', async () => {
    const bytes = Buffer.concat([
      Buffer.from('brand;oem;name\nBOSCH;1;a'),
      Buffer.from([0xff]),
      Buffer.from('\nATE;2;b\n'),
    ]);
    const result = await read(bytes);
    expect(places(result)).toEqual(['2 undecodable name']);
    expect(result.rows).toEqual(['3|ATE|2|b|']);
  });

  test('cells and rows over the limits', async () => {
    const limits = { ...plainSettings().limits, cellLength: 20, rowLength: 60 };
    const text = `brand;oem;name\nBOSCH;1;${'x'.repeat(21)}\nBOSCH;2;${'y'.repeat(80)}\nBOSCH;3;"z\nATE;4;good\n`;
    const result = await read(text, { settings: { limits } });
    expect(places(result)).toEqual(['2 cell-too-long name', '3 row-too-long', '4 unclosed-quote']);
    expect(result.rows).toEqual(['5|ATE|4|good|']);
    expect(balanced(result)).toBe(true);
  });

  test('an inch mark at the beginning of a cell that another one seems to close', async () => {
    const text = 'brand;oem;name\nATE;1;hose 4"\nATE;2;"5 hose\nATE;3;hose 6"\nATE;4;"two\nlines"\n';
    const result = await read(text);
    expect(places(result)).toEqual(['3 unclosed-quote']);
    expect(result.rows).toEqual(['2|ATE|1|hose 4"|', '4|ATE|3|hose 6"|', '5|ATE|4|two lines|']);
  });

  test('a header that comes again', async () => {
    const result = await read('brand;oem\nBOSCH;1\nbrand;oem\nATE;2\n');
    expect(places(result)).toEqual([]);
    expect(result.counts).toMatchObject({ read: 2, accepted: 2, skipped: 1 });
    expect(result.skipped).toEqual([
      { kind: 'repeated-header', rows: 1, examples: [{ sheet: null, line: 3, value: 'brand;oem' }] },
    ]);
  });

  test('a header of another table rejects the file, and a row with swapped cells is dropped', async () => {
    const joined = await read('brand;oem\nBOSCH;1\n4047024;ATE\nNumber;Manufacturer\n2;ATE\n');
    expect(joined).toMatchObject({ outcome: 'rejected', counts: { read: 3, accepted: 1, rejectedLocally: 2 } });
    expect(places(joined)).toEqual(['3 cells-swapped brand', '4 other-header brand']);
    expect(joined.reason).toContain('"Number" stands where "brand" was');
    const odd = await read('brand;oem\n1A FIRST;SET\n3M;TAPE\n4047 Tools;KIT\n');
    expect(odd.counts).toMatchObject({ accepted: 3 });
  });

  test('onBadRow: reject-file gives up at the first error, not at a warning', async () => {
    const settings = { onBadRow: 'reject-file' } as const;
    const rejected = await read('brand;oem\nBOSCH;1\nBOSCH;1\n;2\n;3\n', { settings });
    expect(rejected).toMatchObject({ outcome: 'rejected', counts: { read: 3, rejectedLocally: 1, duplicates: 1 } });
    expect(rejected.reason).toMatch(/^Line 4: The brand is empty.*onBadRow/);
    expect((await read('brand;oem;name\nBOSCH;1;#REF!\nBOSCH;2;a\n', { settings })).outcome).toBe('accepted');
  });
});

describe('warnings keep the row', () => {
  test('a spreadsheet’s number, garbled text, invisible characters', async () => {
    const text =
      'brand;oem;name\nBOSCH;1,23E+11;a\nBOSCH;12E5;Ð¤Ð¸Ð»ÑŒÑ‚Ñ€\nBOSCH;\u200b3\x07;Р¤РёР»СЊС‚СЂ\nATE;4;ФИЛЬТР Été\n';
    const result = await read(text, { settings: { onDamagedNumber: 'keep' } });
    expect(places(result)).toEqual([
      '2 scientific-notation oem',
      '3 mojibake name',
      '4 control-character oem',
      '4 mojibake name',
    ]);
    expect(result.rows[2]).toBe('4|BOSCH|3|Р¤РёР»СЊС‚СЂ|');
    expect(result.counts.accepted).toBe(4);
  });

  test('what a spreadsheet made of numbers and formulas', async () => {
    const text = 'brand;oem;name\nBOSCH;1-Mar;a\nBOSCH;2;#REF!\n#N/A;3;b\nATE;#NAME?;c\n';
    const result = await read(text, { settings: { onDamagedNumber: 'keep' } });
    expect(result.records.map(({ line, code, severity }) => `${line} ${code} ${severity}`)).toEqual([
      '2 number-became-date warning',
      '3 spreadsheet-error warning',
      '4 spreadsheet-error error',
      '5 spreadsheet-error error',
    ]);
    expect(result.rows).toEqual(['2|BOSCH|1-Mar|a|', '3|BOSCH|2|#REF!|']);
  });

  test('tags that a program wrote as JSON lose their quotes; brackets are around all of them', async () => {
    const row = (number: number, tags: string) => `BOSCH;${number};a;"${tags.replaceAll('"', '""')}"`;
    const rows = [row(1, '"left"'), row(2, '"left","1.9 TDI"'), row(3, '"n/a","new"'), row(4, '5" disc')];
    const result = await read(['brand;oem;name;tags', ...rows, ''].join('\n'));
    expect(result.rows.map((line) => line.split('|').at(-1))).toEqual(['left', 'left,1.9 TDI', 'new', '5" disc']);
  });

  test('formulas that nobody has computed', async () => {
    const text =
      'brand;oem;name\nBOSCH;=VLOOKUP(A2,B:C,2);a\nBOSCH;=B12;b\n=A3;3;c\nATE;4;=CONCAT(A1,B1)\nATE;5;=> new\n';
    const result = await read(text);
    expect(result.records.map(({ line, code, severity }) => `${line} ${code} ${severity}`)).toEqual([
      '2 spreadsheet-error error',
      '3 spreadsheet-error error',
      '4 spreadsheet-error error',
      '5 spreadsheet-error warning',
    ]);
    expect(result.records[0]!.message).toBe(
      'The formula stands here in place of its value. Fix it and export the file again.',
    );
    expect(result.rows).toEqual(['5|ATE|4|=CONCAT(A1,B1)|', '6|ATE|5|=> new|']);
  });

  test('the same part again: the first wins, both lines are named', async () => {
    const result = await read('brand;oem\nBOSCH;0 986-424.797\nATE;1\nbosch;0986424797\n;0986424797\n');
    expect(result.counts).toEqual({
      read: 4,
      expanded: 0,
      accepted: 2,
      rejectedLocally: 1,
      duplicates: 1,
      leftOut: 0,
      skipped: 0,
    });
    expect(result.records[0]).toMatchObject({
      code: 'duplicate',
      line: 4,
      message: 'The part in line 4 was already offered in line 2; the first one is used.',
    });
  });

  test('a dropped row does not take the place of a good one', async () => {
    const result = await read('brand;oem;name\nBOSCH;1;a\uFFFD\nBOSCH;1;good\n');
    expect(result.rows).toEqual(['3|BOSCH|1|good|']);
  });
});

describe('lines below the table', () => {
  const text = 'brand;oem;name\nTOTAL;166249;Quartz\nATE;1;a\nTotal: 2 positions\nИтого:;;2 345\n;;Summe 12\n';

  test('are skipped, not read', async () => {
    const result = await read(text);
    expect(places(result)).toEqual([]);
    expect(result.counts).toMatchObject({ read: 2, skipped: 3 });
    expect(result.skipped).toEqual([
      {
        kind: 'total',
        rows: 3,
        examples: [
          { sheet: null, line: 4, value: 'Total: 2 positions' },
          { sheet: null, line: 5, value: 'Итого:;;2 345' },
          { sheet: null, line: 6, value: ';;Summe 12' },
        ],
      },
    ]);
    expect(result.rows).toEqual(['2|TOTAL|166249|Quartz|', '3|ATE|1|a|']);
    expect(balanced(result)).toBe(true);
  });

  test('do not reject a file for a bad row', async () => {
    expect((await read(text, { settings: { onBadRow: 'reject-file' } })).outcome).toBe('accepted');
    expect((await read(`${text};1;a\n`, { settings: { onBadRow: 'reject-file' } })).outcome).toBe('rejected');
  });
});

/** The columns where every part is of one brand. */
function columnsWithBrand() {
  return plainSettings().columns.map((column) =>
    Object.assign(column, column.key === 'brand' ? { fallback: 'ATE' } : {}),
  );
}

describe('rows that are no offers', () => {
  const head = 'brand;oem;name;price;stock\n';

  test('are outside of what was read, each kind with its first lines', async () => {
    const text =
      `Price list of North;;;;\n;;;;\n\n${head}Brakes;;;;\nATE;1;a;2;3\n\n;;;;\nEngine\nATE;2;b;2;3\n` +
      `brand;oem;name;price;stock\nATE;3;c;2;3\nTotal;;;6;\nPrices without VAT\n`;
    const result = await read(text, { dialect: { headerLine: 4 } });
    expect(result.counts).toEqual({
      read: 3,
      expanded: 0,
      accepted: 3,
      rejectedLocally: 0,
      duplicates: 0,
      leftOut: 0,
      skipped: 10,
    });
    expect(result.skipped).toEqual([
      { kind: 'preamble', rows: 1, examples: [{ sheet: null, line: 1, value: 'Price list of North;;;;' }] },
      { kind: 'blank', rows: 4, examples: [2, 3, 7, 8].map((line) => ({ sheet: null, line, value: '' })) },
      {
        kind: 'lone-cell',
        rows: 3,
        examples: [
          { sheet: null, line: 5, value: 'Brakes;;;;' },
          { sheet: null, line: 9, value: 'Engine' },
          { sheet: null, line: 14, value: 'Prices without VAT' },
        ],
      },
      { kind: 'total', rows: 1, examples: [{ sheet: null, line: 13, value: 'Total;;;6;' }] },
      { kind: 'repeated-header', rows: 1, examples: [{ sheet: null, line: 11, value: 'brand;oem;name;price;stock' }] },
    ]);
    expect(result.issues).toEqual({});
  });

  test('do not reject a file for a bad row', async () => {
    const settings = { onBadRow: 'reject-file' } as const;
    const text = `${head}Brakes;;;;\nATE;1;a;2;3\n${head}Total;;;6;\n`;
    expect(await read(text, { settings })).toMatchObject({ outcome: 'accepted', counts: { read: 1, skipped: 3 } });
  });

  test('a part is never one, whatever it is called', async () => {
    const text = `${head}Brakes;Engine;;;\nTotal;166249;;;\n`;
    expect((await read(text)).counts).toMatchObject({ accepted: 2, skipped: 0 });
  });

  test('a number alone is an offer where the brand is a default, else it lacks its brand', async () => {
    const columns = columnsWithBrand();
    const text = 'oem;name;price\n0986;;\n4711;;\n';
    expect((await read(text, { settings: { columns } })).counts).toMatchObject({ accepted: 2, skipped: 0 });
    expect(places(await read(`${head};0986;;;\n`))).toEqual(['2 brand-empty brand']);
  });

  test('headings, totals and rulers are none where the brand is a default', async () => {
    const text =
      'oem;name;price\n0986;pad;2\nBremsen vorne;;\n4711;pad;2\nABC;;\nAudi A4;;\n4712;;\nTotal;3;\n-----;-----;\nSeite 2;;\n';
    const result = await read(text, { settings: { columns: columnsWithBrand() } });
    expect(result.rows).toEqual(['2|ATE|0986|pad|', '4|ATE|4711|pad|', '7|ATE|4712||']);
    expect(result.skipped.map(({ kind, rows }) => [kind, rows])).toEqual([
      ['lone-cell', 3],
      ['total', 3],
    ]);
    expect(result.issues).toEqual({});
  });

  test('a long run of headings in place of offers has an issue', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => `${at + 1};pad;2\n`).join('');
    const lone = await read(`oem;name;price\n${rows}${'Bremsen;;\n'.repeat(25)}`, {
      settings: { columns: columnsWithBrand() },
    });
    expect(lone).toMatchObject({ counts: { accepted: 40, skipped: 20 }, issues: { 'heading-run': 5 } });
    const merged = await read(`brand;oem;name\nATE;1;a\n${'Oil;Oil;Oil\n'.repeat(25)}${rows}`);
    expect(merged.issues).toMatchObject({ 'heading-run': 5 });
  });

  test('footers and merged headings are none though brand and number are filled', async () => {
    const text =
      'brand;oem;name\nATE;1;a\nTotal;40 items;\nTotal;148597;\nPage;1 of 3;\nPage;148597;\nPrinted by;Anna;\n' +
      'Stand;01.02.2026;\nStand;4711;\n***;***;\nAudi A4;Audi A4;Audi A4\nATE;ATE;a\n';
    const result = await read(text);
    expect(result.rows.map((row) => row.split('|').slice(0, 3).join(' '))).toEqual([
      '2 ATE 1',
      '4 Total 148597',
      '6 Page 148597',
      '9 Stand 4711',
    ]);
    expect(places(result)).toEqual(['12 no-article-number oem']);
    expect(result.skipped.map(({ kind, rows }) => [kind, rows])).toEqual([
      ['lone-cell', 1],
      ['total', 5],
    ]);
  });

  test('so is each row of a file of one column', async () => {
    const columns = columnsWithBrand();
    const result = await read('oem\n0986\n\nABC\n', { settings: { columns }, dialect: { delimiter: null } });
    expect(result.counts).toMatchObject({ read: 2, accepted: 2, skipped: 1 });
  });

  test('what may be left of a damaged row is rejected', async () => {
    const text = `${head}BOSCH,1,pad,2,3\nATE;1;"a;2\nATE;2;pad\nFront axle\nATE;3;a;2;3\n;;;12,50;\n`;
    const result = await read(text);
    expect(places(result)).toEqual([
      '2 wrong-cell-count',
      '3 unclosed-quote',
      '4 wrong-cell-count',
      '5 wrong-cell-count',
      '7 brand-empty brand',
      '7 oem-empty oem',
    ]);
    expect(result.counts.skipped).toBe(0);
  });

  test('a long run of lone cells is a damaged part of the file', async () => {
    const lone = Array.from({ length: 30 }, (_, at) => `Heading ${at}\n${at % 2 === 0 ? '\n' : ''}`).join('');
    const rows = Array.from({ length: 40 }, (_, at) => `ATE;${at + 1};a;2;3\n`).join('');
    const result = await read(`${head}${rows}${lone}${rows}`);
    expect(result.issues['wrong-cell-count']).toBe(10);
    expect(result.counts).toMatchObject({ read: 90, skipped: 20 + 15 });
  });

  test('lone cells that outnumber the rows count as rejected', async () => {
    const text =
      head +
      Array.from({ length: 12 }, (_, at) => `Group ${at};;;;\nSubgroup ${at};;;;\nATE;${at + 1};a;2;3\n`).join('');
    const result = await read(text);
    expect(result).toMatchObject({
      outcome: 'accepted',
      counts: { read: 36, accepted: 12, rejectedLocally: 24, skipped: 0 },
      issues: { 'mostly-skipped': 1 },
      skipped: [],
    });
    expect(balanced(result)).toBe(true);
    const strict = await read(text, { settings: { onBadRow: 'reject-file' } });
    expect(strict).toMatchObject({
      outcome: 'rejected',
      reason: expect.stringMatching(/^24 lines .*onBadRow/) as string,
    });
  });
});

describe('repairs are proposed, and made where the settings say so', () => {
  const all = { repair: ['mojibake', 'lookalikes', 'control-characters'] } satisfies Partial<ReadSettings>;

  test('text garbled by a wrong charset', async () => {
    const text = 'brand;oem;name\nBOSCH;1;Ð¤Ð¸Ð»ÑŒÑ‚Ñ€\nBOSCH;2;BremsbelÃ¤ge\n';
    const proposed = await read(text);
    expect(proposed.rows[0]).toBe('2|BOSCH|1|Ð¤Ð¸Ð»ÑŒÑ‚Ñ€|');
    expect(proposed.records[0]?.message).toContain('With feeds.NAME.repair: [mojibake] it would become "Фильтр".');
    const repaired = await read(text, { settings: all });
    expect(repaired.rows).toEqual(['2|BOSCH|1|Фильтр|', '3|BOSCH|2|Bremsbeläge|']);
    expect(repaired.records[0]).toMatchObject({ code: 'mojibake', severity: 'warning', value: 'Ð¤Ð¸Ð»ÑŒÑ‚Ñ€' });
    expect(repaired.records[0]?.message).toContain('"Ð¤Ð¸Ð»ÑŒÑ‚Ñ€" became "Фильтр"');
  });

  test('bytes of garbled letters that are no characters are not proposed to be marks', async () => {
    const text = 'brand;oem;name\nBOSCH;1;GrÃ¶Ã\x9fe\nBOSCH;2;Bater\u00c3\u00ada\n';
    expect(
      (await read(text)).records.map(({ line, message }) => `${line} ${message.replace(/^.*text\. /, '')}`),
    ).toEqual([
      '2 With feeds.NAME.repair: [mojibake] it would become "Größe".',
      '2 Invisible characters (1) were removed: "GrÃ¶Ã\\u009fe" became "GrÃ¶Ãe".',
      '3 With feeds.NAME.repair: [mojibake] it would become "Batería".',
      '3 Invisible characters (1) were removed: "BaterÃ\\u00ada" became "BaterÃa".',
    ]);
    expect((await read(text, { settings: all })).rows).toEqual(['2|BOSCH|1|Größe|', '3|BOSCH|2|Batería|']);
  });

  test('letters of another alphabet, before the same part is looked for', async () => {
    const text = 'brand;oem;name\nMANN;ОС90;Фильтр\nMANN;OC90;Filter\nВOSCH;1;a\n';
    const proposed = await read(text);
    expect(places(proposed)).toEqual(['2 lookalike-letters oem', '4 lookalike-letters brand']);
    expect(proposed.rows[0]).toBe('2|MANN|ОС90|Фильтр|');
    expect(proposed.records[0]?.message).toBe(
      'Letters that look alike: "О", "С" of "ОС90" are Cyrillic. With feeds.NAME.repair: [lookalikes] it would become "OC90".',
    );
    const repaired = await read(text, { settings: all });
    expect(places(repaired)).toEqual(['2 lookalike-letters oem', '3 duplicate', '4 lookalike-letters brand']);
    expect(repaired.rows).toEqual(['2|MANN|OC90|Фильтр|', '4|BOSCH|1|a|']);
  });

  test('control characters that are marks of windows-1252', async () => {
    const text = 'brand;oem;name\nBOSCH;1;Filter \x96 Oil\x99\u200b\nBOSCH;2;a\x07\n';
    const cleaned = await read(text);
    expect(cleaned.rows).toEqual(['2|BOSCH|1|Filter  Oil|', '3|BOSCH|2|a|']);
    expect(cleaned.records.map(({ message }) => message)).toEqual([
      'Invisible characters (3) were removed: "Filter \\u0096 Oil\\u0099\\u200b" became "Filter  Oil". ' +
        'With feeds.NAME.repair: [control-characters] it would become "Filter – Oil™".',
      'Invisible characters (1) were removed: "a\\u0007" became "a".',
    ]);
    const repaired = await read(text, { settings: all });
    expect(repaired.rows).toEqual(['2|BOSCH|1|Filter – Oil™|', '3|BOSCH|2|a|']);
    expect(repaired.records[0]).toMatchObject({ code: 'control-character', severity: 'warning' });
    expect(repaired.records[0]?.message).toMatch(
      /^Invisible characters \(3\) were replaced or removed: .*"Filter – Oil™"\.$/,
    );
  });
});

describe('files that are rejected as a whole', () => {
  test('a required column is missing', async () => {
    const result = await read('Firma;Nummer\nBOSCH;1\n');
    expect(result).toMatchObject({
      outcome: 'rejected',
      issues: { 'column-missing': 2 },
      counts: { read: 0 },
      rows: [],
    });
    expect(result.reason).toContain('The column "brand" is missing. It is known by brand, производитель,');
    expect(result.reason).toContain('Columns of the file: "Firma", "Nummer".');
    expect(result.reason).toContain('feeds.NAME.columns.brand');
  });

  test.each([
    ['', 'The file is empty. Ask the supplier to send it again.'],
    ['\n\n', 'The file is empty. Ask the supplier to send it again.'],
    ['brand;oem\n', 'The file has a header (line 1) but no rows. Ask the supplier to send it again.'],
    ['brand;oem\n;1\n;2\nx;\n', 'All 3 rows were rejected; most often: brand-empty (2).'],
  ])('%j', async (text, reason) => {
    expect(await read(text)).toMatchObject({ outcome: 'rejected', reason, rows: [] });
  });

  test('an aborted signal interrupts', async () => {
    const path = join(tempFolder(), 'file.csv');
    await writeFile(path, 'brand;oem\nBOSCH;1\n');
    const out = { rowsPath: `${path}.rows`, issuesPath: `${path}.issues` };
    const input = { path, detection: dialect(), settings: plainSettings(), ...out, signal: AbortSignal.abort() };
    await expect(validate(input)).rejects.toMatchObject({ code: 'interrupted' });
  });
});

test('the sample holds 5 issues of each code', async () => {
  const result = await read(`brand;oem\n${';x\n'.repeat(50)}${'BOSCH;1\n'.repeat(50)}`);
  expect(result.issues).toEqual({ 'brand-empty': 50, duplicate: 49 });
  expect(result.sample.map((issue) => issue.line)).toEqual([2, 3, 4, 5, 6, 53, 54, 55, 56, 57]);
  expect(balanced(result)).toBe(true);
});

test('a large file is read across chunks', async () => {
  const text = `brand;oem;name\n${Array.from({ length: 40_000 }, (_, index) => `BOSCH;${index + 1};Фильтр "${index}"\r\n`).join('')}`;
  const result = await read(text);
  expect(result.counts).toEqual({
    read: 40_000,
    expanded: 0,
    accepted: 40_000,
    rejectedLocally: 0,
    duplicates: 0,
    leftOut: 0,
    skipped: 0,
  });
  expect(result.rows.at(-1)).toBe('40001|BOSCH|40000|Фильтр "39999"|');
});

test('every row of any file is explained', async () => {
  const folder = tempFolder();
  const [path, rowsPath, issuesPath] = [join(folder, 'file'), join(folder, 'rows'), join(folder, 'issues')];
  await fc.assert(
    fc.asyncProperty(anyFile, async (text) => {
      await writeFile(path, text);
      const input = { path, detection: dialect(), settings: plainSettings(), rowsPath, issuesPath };
      const { counts, issues } = await validate(input);
      expect(counts.read).toBe(counts.accepted + counts.rejectedLocally + counts.duplicates);
      expect(issues['duplicate'] ?? 0).toBe(counts.duplicates);
      const rows = (await readFile(rowsPath, 'utf8')).split('\n').slice(0, -1);
      expect(rows).toHaveLength(counts.accepted);
      expect(rows.every((row) => /^\d+(\t[^\t\r\n\0\u200b\uFFFD]*){4}$/.test(row))).toBe(true);
      const lines = rows.map((row) => Number.parseInt(row, 10));
      expect(lines).toEqual([...new Set(lines)].sort((a, b) => a - b));
    }),
    { numRuns: repetitions(300) },
  );
});
