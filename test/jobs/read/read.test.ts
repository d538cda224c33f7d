import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { detect } from '../../../src/detect/detect.ts';
import { OfferlineError } from '../../../src/errors.ts';
import { readInWorker } from '../../../src/jobs/read/read-within.ts';
import { readFile, type ReadInput } from '../../../src/jobs/read/read.ts';
import type { Detection, WrittenFile } from '../../../src/model.ts';
import { dialect, plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function delivery(bytes: Buffer | string, settings = plainSettings()): ReadInput {
  const folder = tempFolder();
  const path = join(folder, 'delivery');
  writeFileSync(path, bytes);
  return { path, name: 'north.csv', folder, settings };
}

test('a thread reads a delivery as the main loop does', async () => {
  const input = delivery('brand;oem;name\nBOSCH;1;a\n;2;b\nATE;3;c\n');
  const result = await readInWorker(input);
  expect(result).toMatchObject({ name: 'north.csv', unsure: null, detection: { delimiter: ';' } });
  expect(result.validation).toMatchObject({ outcome: 'accepted', counts: { read: 3, accepted: 2 } });
  expect(readFileSync(result.rowsPath, 'utf8')).toBe('2\tBOSCH\t1\ta\t\n4\tATE\t3\tc\t\n');
  expect(await readFile(input)).toEqual(result);
});

test('a refusal crosses the thread intact', async () => {
  const error: unknown = await readInWorker(delivery('PK\x03\x04 broken')).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OfferlineError);
  expect(error).toMatchObject({ code: 'file-rejected', retryable: false, details: { file: 'north.csv' } });
});

test('a signal ends the thread', async () => {
  const stop = new AbortController();
  const reading = readInWorker(delivery('brand;oem\n'), stop.signal);
  stop.abort(new OfferlineError('interrupted', 'The worker stops.'));
  await expect(reading).rejects.toMatchObject({ code: 'interrupted' });
});

test('a guessed dialect is not acted on, a configured one is', async () => {
  const bytes = iconv.encode('brand;oem;name\nATE;1;Ф\n', 'windows-1251');
  const guessed = await readFile(delivery(bytes));
  expect(guessed).toMatchObject({ unsure: 'dialect', validation: null });
  expect(guessed.reason).toContain('feeds.NAME.dialect.charset');
  expect(guessed.detection.readings).toMatchObject([
    { charset: guessed.detection.charset, rows: [{ line: 1 }, { line: 2 }] },
    { delimiter: ';', rows: [{ line: 1, cells: ['brand', 'oem', 'name'] }, { line: 2 }] },
  ]);
  const told = await readFile(delivery(bytes, plainSettings({ charset: 'windows-1251', delimiter: ';' })));
  expect(told).toMatchObject({ unsure: null, validation: { outcome: 'accepted' } });
});

describe('what a short delivery leaves open is as in those that it changes', () => {
  const before = (changes: Partial<Detection>) => [dialect({ columns: ['brand', 'oem', 'name'], ...changes })];
  const read = (bytes: Buffer | string, writtenBefore: WrittenFile[]) =>
    readFile({ ...delivery(bytes), writtenBefore });

  test('its charset', async () => {
    const bytes = iconv.encode('brand;oem;name\nATE;1;Ф\n', 'windows-1251');
    const found = await read(bytes, before({ charset: 'windows-1251' }));
    expect(found).toMatchObject({ unsure: null, detection: { charset: 'windows-1251' } });
    expect(readFileSync(found.rowsPath, 'utf8')).toBe('2\tATE\t1\tФ\t\n');
    const files = [...before({ charset: 'windows-1251' }), ...before({ charset: 'koi8-r' })];
    expect(await read(bytes, files)).toMatchObject({ unsure: 'dialect' });
    // A full list in a workbook, or in ASCII, shows nothing of it.
    expect(await read(bytes, before({ format: 'xlsx' }))).toMatchObject({ unsure: 'dialect' });
  });

  test('its delimiter', async () => {
    const text = 'a;b,c\nd;e,f\ng;h,i\nj;k,l\n';
    expect(await read(text, before({ delimiter: ',' }))).toMatchObject({ detection: { delimiter: ',' } });
    expect(await read(text, before({ delimiter: ';' }))).toMatchObject({ detection: { delimiter: ';' } });
  });
});

test('all settings are named that decide how a file is read', async () => {
  const { reason } = await readFile(delivery(Buffer.from('a;b,c\nd;e,\xc4\ng;h,i\nj;k,l\n', 'latin1')));
  expect(reason).toMatch(
    /: as \S+, delimiter ";", as \S+, delimiter ";", or as \S+, delimiter ",".* then set feeds\.NAME\.dialect\.charset to "\S+" or "\S+" and feeds\.NAME\.dialect\.delimiter to ";" or ",": choose whichever reading looks right\.$/,
  );
});

describe('where the table begins', () => {
  /** Brand, number, name and price by their positions. */
  function byPosition(header: 'auto' | boolean = 'auto') {
    const settings = plainSettings({ header });
    const columns = settings.columns.map((column, at) => ({ ...column, names: [], position: at + 1 }));
    return { ...settings, columns };
  }
  const ROWS = ['BOSCH;77;Filter;4.50', 'ATE;13.0460;Disc;31.20', 'SKF;3643;Bearing;88', 'ATE;13.0461;Disc;30.10'];
  const ABOVE = ['Parts Ltd.;;;', 'Date;04.05.2026;;', 'Currency;EUR;;'];

  test.each([
    ['a header that no list knows', ['foo;bar;baz;qux'], 'auto'],
    ['a header, where the settings say that there is none', ['brand;oem;name;price'], false],
    ['lines above', ABOVE, 'auto'],
    ['lines above and a header', [...ABOVE, 'brand;oem;name;price', '1;2;3;4'], false],
  ] as const)('%s: no offers by position', async (_, above, header) => {
    const result = await readFile(delivery([...above, ...ROWS, ''].join('\n'), byPosition(header)));
    expect(result).toMatchObject({ unsure: null, validation: { counts: { read: 4, accepted: 4 } } });
    expect(readFileSync(result.rowsPath, 'utf8')).toMatch(new RegExp(`^${above.length + 1}\tBOSCH\t77\t`));
  });

  test('a header of two rows names its columns in both, and lines stay those of the file', async () => {
    const above = ['Parts Ltd.;;;;', 'brand;Part;name;Price;', ';number;;opt 1;opt 2'];
    const result = await readFile(delivery([...above, ...ROWS.map((row) => `${row};9`), ''].join('\n')));
    expect(result.detection).toMatchObject({
      columns: ['brand', 'Part number', 'name', 'Price opt 1', 'Price opt 2'],
      headerLine: 3,
    });
    expect(result).toMatchObject({ unsure: null, validation: { counts: { read: 4 } } });
    expect(readFileSync(result.rowsPath, 'utf8')).toMatch(/^4\tBOSCH\t77\tFilter\t/);
  });

  test('numbers of the columns are passed over, below the header and below one that comes again', async () => {
    const again = ['brand;oem;name;price', '1;2;3;4'];
    const result = await readFile(delivery([...again, ...ROWS, ...again, 'ATE;13.0462;Disc;31', ''].join('\n')));
    expect(result).toMatchObject({ detection: { headerLine: 1 }, validation: { counts: { read: 5, accepted: 5 } } });
    expect(result.validation?.skipped).toMatchObject([{ kind: 'repeated-header', rows: 3 }]);
  });

  test('is asked when it is not certain, and settled by a setting', async () => {
    const text = 'one;uno\ntwo;due\nthree;tre\nfour;quattro\n';
    const guessed = await readFile(delivery(text, byPosition()));
    expect(guessed).toMatchObject({ unsure: 'dialect', detection: { headerSure: false, sure: false } });
    expect(guessed.reason).toBe(
      'It is not certain where the table begins; the best guess is that the data begin in line 1, without a header ' +
        '(No row looks like a header. It is not certain that line 1 is a row of data. The data begin in line 1). ' +
        'Look at the first lines, then set feeds.NAME.dialect.header to false if this is right, to true if that line is the header, or to the number of the line that the header is in.',
    );
    expect(await readFile(delivery(text, byPosition(false)))).toMatchObject({ validation: { counts: { read: 4 } } });
    expect(await readFile(delivery(text, byPosition(true)))).toMatchObject({ validation: { counts: { read: 3 } } });
  });
});

describe('a document', () => {
  const PARTS = ['A1', 'A2', 'A3'].map((oem) => ({ brand: 'ATE', oem }));
  const read = (content: unknown) => readFile({ ...delivery(JSON.stringify(content)), name: 'north.json' });

  test('with one list whose fields name brand and number is read, with one record too', async () => {
    const lists = { date: '2026-05-04', makers: [{ id: 1, name: 'ATE' }], items: PARTS };
    expect(await read(lists)).toMatchObject({ unsure: null, validation: { counts: { read: 3, accepted: 3 } } });
    expect(await read({ items: PARTS.slice(0, 1) })).toMatchObject({ validation: { counts: { accepted: 1 } } });
  });

  test('is asked about when several lists name them, and about its columns alone when one does', async () => {
    expect(await read({ items: PARTS, old: PARTS })).toMatchObject({
      unsure: 'dialect',
      setting: { records: '/items' },
    });
    const named = PARTS.map(({ brand, oem }) => ({ data: { brand, orderCode: `${oem}-33` } }));
    expect(await read({ items: named })).toMatchObject({
      unsure: 'columns',
      reason: { proposed: [{ key: 'oem', column: 'data/orderCode' }] },
    });
  });
});

describe('a large file', () => {
  const HEADER = 'brand;oem;name\n';
  const PLAIN = Array.from({ length: 220_000 }, (_, at) => `BOSCH;${at + 1};Oil filter\n`).join('');
  const CYRILLIC = 'ЛУКОЙЛ;77;Фильтр масляный, Колодки тормозные передние\n';

  /** How a file is read is said by all of it, however much of it was looked at first. */
  async function readWhole(bytes: Buffer) {
    const input = delivery(bytes);
    const result = await readFile(input);
    expect(result.detection).toEqual(await detect(input.path as string, input.settings));
    return result;
  }

  test('that begins as UTF-8 and is UTF-8', async () => {
    const { detection, validation } = await readWhole(Buffer.from(HEADER + CYRILLIC + PLAIN));
    expect(detection).toMatchObject({ charset: 'utf-8', evidence: ['The whole file is valid UTF-8.', {}, {}] });
    expect(validation?.counts).toMatchObject({ read: 220_001, accepted: 220_001 });
  });

  test('that begins as UTF-8 and has a byte of something else near its end', async () => {
    const tail = Buffer.from([...Buffer.from('BOSCH;X1;'), 0xff, 0x0a]);
    const { detection, validation } = await readWhole(
      Buffer.concat([Buffer.from(HEADER + CYRILLIC + PLAIN), tail, Buffer.from('BOSCH;X2;a\n')]),
    );
    expect(detection.evidence[0]).toMatch(/valid UTF-8, at least 1 bytes are not/);
    expect(validation).toMatchObject({ counts: { read: 220_003, accepted: 220_002 }, issues: { undecodable: 1 } });
  });

  test('that begins as UTF-8 and goes on in windows-1251', async () => {
    const rows = Array.from({ length: 5000 }, (_, at) => `ЛУКОЙЛ;Y${at};Фильтр масляный\n`).join('');
    const { detection } = await readWhole(
      Buffer.concat([Buffer.from(HEADER + CYRILLIC + PLAIN), iconv.encode(rows, 'windows-1251')]),
    );
    expect(detection.charset).not.toBe('utf-8');
  });

  test('that is ASCII for megabytes before its first Cyrillic letter', async () => {
    const { detection, validation } = await readWhole(
      Buffer.concat([Buffer.from(HEADER + PLAIN), iconv.encode(CYRILLIC.repeat(20), 'windows-1251')]),
    );
    expect(detection.charset).toBe('windows-1251');
    expect(validation?.counts).toMatchObject({ accepted: 220_001, duplicates: 19 });
  });

  test('that kernels cannot read is read with care', async () => {
    const quotes = 'BOSCH;Q1;"x\nBOSCH;Q2;y\n'.repeat(300);
    const settings = plainSettings({ limits: { ...plainSettings().limits, rowLength: 50 } });
    const { validation, detection } = await readFile(
      delivery(HEADER + 'ЛУКОЙЛ;77;Фильтр\n' + PLAIN + quotes, settings),
    );
    expect(detection.charset).toBe('utf-8');
    expect(validation?.issues).toMatchObject({ 'unclosed-quote': 300 });
  });
});
