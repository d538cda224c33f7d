import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { ReadSettings } from '../../../src/config/schema/feed-settings.ts';
import type { IssuesLayout } from '../../../src/validate/issues/issue-line.ts';
import { SIZES, type Sizes } from '../../../src/validate/fast/sizes.ts';
import { validate } from '../../../src/validate/validate.ts';
import { countKernelRows } from '../../support/kernel-rows.ts';
import { dialect, plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { coverage, repetitions } from '../../support/repetitions.ts';

/** Kernels read everything behind the first line, in small chunks. */
const SMALL: Sizes = {
  fastPath: 0,
  head: 24,
  headRows: 0,
  chunk: 300,
  line: 4096,
  thread: 1024 ** 3,
  table: 1024 ** 2,
};

const COLUMNS = ['brand', 'oem', 'name', 'tags', 'note'];

type Given = {
  text: string;
  settings: ReadSettings;
  issuesLayout: IssuesLayout;
  delimiter: string;
  charset: string;
  newline: string;
  spacedQuotes: boolean;
};

async function read(folder: string, given: Given, sizes: Partial<Sizes>) {
  const { text, settings, issuesLayout, ...habits } = given;
  const [path, rowsPath, issuesPath] = ['file', 'rows', 'issues'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(path, iconv.encode(text, habits.charset));
  const detection = dialect({ columns: COLUMNS, width: 5, ...habits });
  const validation = await validate({ path, detection, settings, rowsPath, issuesPath, issuesLayout, sizes });
  return { validation, rows: await readFile(rowsPath, 'utf8'), issues: await readFile(issuesPath, 'utf8') };
}

const anyBlank = fc.constantFrom(' ', ' ', '\u00a0', '\u00a0', '\u2009', '\u202f', '\u205f', '\u3000', '\u1680');
const anyBreak = fc.constantFrom('\n', '\r\n', '\t', '\n\n', '\r\n\t\n', ' \n ', '\r', '\v', '\u2028');
const anyWord = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abzÄßéłŻжРСЁ19".-/'.split('')), minLength: 1, maxLength: 9 }),
  fc.constantFrom(
    'Фильтр',
    'Ölfilter',
    'Łożysko',
    'Ã',
    'Â',
    'a,b',
    'pad; front',
    'x|y',
    '5"',
    '""',
    '"',
    '\u200b',
    '№–„“™',
    '#N/A',
    '😀',
  ),
);
/** Words with blanks and breaks between them and around them. */
const anyText = fc
  .array(
    fc.oneof({ weight: 5, arbitrary: anyWord }, { weight: 2, arbitrary: anyBlank }, { weight: 1, arbitrary: anyBreak }),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));
/** Characters that nobody sees: those that kernels remove, and others. */
const anyInvisible = fc.constantFrom(
  ...Array.from('\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064'),
  ...Array.from('\u00ad\u200c\u200d\ufeff\u2065\u061c\u007f'),
  ...Array.from('\u0001\b\u000e\u001f\u0080\u0081\u0085\u0092\u0093\u009d\u009f'),
);
/** A text with some of them in it, as programs and web pages leave them. */
const withInvisible = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(text, fc.array(fc.tuple(anyInvisible, fc.nat(12)), { minLength: 1, maxLength: 3 }))
    .map(([plain, places]) => places.reduce((all, [one, at]) => all.slice(0, at) + one + all.slice(at), plain));
const anyTag = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'тег', 'front', 'aaaaaaaa1', 'aaaaaaaa2', 'long tag with words') },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\u00a0', '\n', '"a"') },
);
const anyTags = fc
  .array(fc.tuple(fc.oneof({ weight: 3, arbitrary: fc.constant('') }, anyBlank), anyTag, fc.constantFrom('', ' ')), {
    maxLength: 8,
  })
  .map((tags) => tags.map((tag) => tag.join('')).join(','));
/** Numbers with letters of both alphabets, some of which look like others. */
const anyNumber = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map(String),
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...'0123456789'.split('')) },
        { weight: 3, arbitrary: fc.constantFrom(...'АВСЕНКМОРТХУавсеІЅј'.split('')) },
        { weight: 2, arbitrary: fc.constantFrom(...'ABCEHKxyzFQ'.split('')) },
        { weight: 1, arbitrary: fc.constantFrom(...' -./–'.split(''), 'Ж', 'я', '\u00a0', 'Ä', 'ԁ', 'Ł', ',', '"') },
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((letters) => letters.join('')),
  fc.constantFrom('01.03.2026', '1-Mar', '2026-03-01 ', '12 апр', '3/12/1999', '1E+05', '64-56-10-12', '1.DEC', '-1А'),
);
/** Brands of one or two words with letters of both alphabets. */
const mixedBrand = fc
  .array(
    fc.string({
      unit: fc.constantFrom(...'АВСЕЕОРТХЯЖІЅABCEEOPTXKRQj1-ÜéłȺ×ªſ'.split('')),
      minLength: 1,
      maxLength: 7,
    }),
    { minLength: 1, maxLength: 2 },
  )
  .map((words) => words.join(' '));
const anyBrand = fc.oneof(
  mixedBrand,
  fc.constantFrom(
    'BOSCH',
    'ЛУКОЙЛ',
    'Lemförder',
    'Łódź',
    'ИМNA',
    '3М',
    'ß',
    'Ġ',
    'ſ',
    '\u00a0ATE',
    'AT\u00a0E',
    '1A',
    'Æ',
  ),
  anyText,
);
/** What nothing asks for, but issues show. */
const anyNote = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: anyText },
  {
    weight: 1,
    arbitrary: fc.constantFrom('=1', '+49 30', '-', '＝x', '\u0007\b\f\u001f', 'a\\b', '\u2028', 'ab'.repeat(150)),
  },
);
const plainBrand = fc.constantFrom('BOSCH', 'Lemförder', 'ЛУКОЙЛ', 'Total', 'ОАО "Завод"', 'A, B', '=ATE', 'pad\\');
const plainName = fc.constantFrom(
  'Тормозные колодки передние дисковые, комплект с датчиком износа и пружинами, ось',
  'ж'.repeat(99),
  'é'.repeat(80),
  `${'x'.repeat(70)}–“щ”№–“щ”№–“щ”№`,
  '№ 5 – “front”…',
  '机油滤清器',
  'Pad 😀',
  '\ufffdlter',
  'Brake pad, front',
  'Фильтр',
  'hose 5"',
  'brand',
  '#N/A',
  'a b'.repeat(26),
);
/** Names that spreadsheets and wrong charsets have left, alone or beside text. */
const damagedName = fc
  .tuple(
    fc.constantFrom('', '', ' ', '\u00a0', 'Ã', 'Ð', 'x'),
    fc.constantFrom('#REF!', '#Н/Д', '#н/д', '#####', '##', '#NOM', '\ufffd', '\ufffd\ufffd', 'a\ufffdb', '\ufffd#'),
    fc.constantFrom('', '', '\u00a0', '!', '\ufffd', 'Ã\u00a0', 'Ñ€', '"', ','),
  )
  .map((pieces) => pieces.join(''));
/** Texts that were read in a wrong charset, once or several times, or that are written with the same letters. */
const garbledName = fc
  .record({
    text: fc.oneof(
      fc.constantFrom(
        'Größe',
        'Batería',
        'Фильтр масляный',
        'Электр',
        'Łożysko',
        '“OK” – №5',
        'Müller®',
        'ж',
        'é"ü',
        'don’t',
        'Я,я',
        'Фильтр масляный '.repeat(4),
        `${'ж'.repeat(60)}機`,
        'ü'.repeat(55),
        'é'.repeat(99),
      ),
      fc.string({ unit: fc.constantFrom(...'abÄßéíŁżжРСЭя№–™€«  ­°®机😀"#'.split('')), maxLength: 9 }),
    ),
    charsets: fc.array(fc.constantFrom('windows-1252', 'iso-8859-1', 'windows-1251', 'ibm866', 'cp850'), {
      maxLength: 3,
    }),
    cut: fc.tuple(fc.constantFrom(0, 0, 0, 1, 2), fc.constantFrom(0, 0, 0, 1)),
    around: fc.tuple(fc.constantFrom('', '', 'x ', 'ü', 'Ã', '#'), fc.constantFrom('', '', ' y', '–', 'Ð', '\u00ad')),
  })
  .map(({ text, charsets, cut: [first, last], around: [before, after] }) => {
    const garbled = charsets.reduce((plain, charset) => iconv.decode(Buffer.from(plain), charset), text);
    return before + garbled.slice(first, garbled.length - last) + after;
  });
type Row = [brand: string, oem: string, name: string, tags: string, note: string, quoting: string, more: string];
/** The same text in all cells, which is no offer. */
const repeatedRow = fc
  .tuple(mixedBrand, fc.constantFrom('', '1'), fc.constantFrom('', '\u00ad'))
  .map((pieces) => pieces.join(''))
  .map((text): Row => [text, text, text, text, text, 'needed', '']);
const offerRow: fc.Arbitrary<Row> = fc.tuple(
  fc.oneof(
    { weight: 6, arbitrary: anyBrand },
    { weight: 2, arbitrary: withInvisible(plainBrand) },
    { weight: 1, arbitrary: fc.constant('') },
  ),
  fc.oneof(
    { weight: 4, arbitrary: anyNumber },
    { weight: 2, arbitrary: withInvisible(anyNumber) },
    { weight: 1, arbitrary: fc.constantFrom('1', '-1', '1,5', '"2"', '#REF!', '#n/a', '#####', ' #N/A') },
  ),
  fc.oneof(
    { weight: 4, arbitrary: anyText },
    { weight: 1, arbitrary: withInvisible(plainName) },
    { weight: 2, arbitrary: damagedName },
    { weight: 3, arbitrary: fc.oneof(garbledName, withInvisible(garbledName)) },
  ),
  fc.oneof({ weight: 4, arbitrary: anyTags }, { weight: 1, arbitrary: withInvisible(anyTags) }),
  anyNote,
  fc.constantFrom('needed', 'always', 'never'),
  fc.constantFrom('', '', '', ';', ';x;y', ';"a|b"'),
);
/** What may be a header below rows of offers, some of whose cells are messages of failed formulas. */
const headerRow = fc
  .tuple(
    fc.constantFrom('Brand', 'Marke', 'ATE', '#NAME?'),
    fc.constantFrom('#REF!', '#NAME?', '#N/A', '#NUM!', 'Number'),
    fc.constantFrom('Name', 'Bezeichnung', '#VALUE!', 'pad'),
    fc.constantFrom('Tags', 'Menge', ''),
  )
  .map(([brand, oem, name, tags]): Row => [brand, oem, name, tags, '', 'needed', '']);
/** Offers of which nothing but names and tags is damaged, so that kernels write what is wrong with it. */
const damagedRow = fc
  .tuple(
    fc.nat(),
    fc.oneof(garbledName, withInvisible(garbledName), withInvisible(plainName), damagedName),
    fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: garbledName }),
  )
  .map(([oem, name, tags]): Row => ['ATE', String(oem), name, tags, '', 'needed', '']);
const anyRow = fc.oneof(
  { weight: 12, arbitrary: offerRow },
  { weight: 12, arbitrary: damagedRow },
  { weight: 1, arbitrary: repeatedRow },
  { weight: 1, arbitrary: headerRow },
);
/** Kernels write issues of a kind only when there are enough samples of it. */
const SAMPLES = Array.from({ length: 6 }, (_, at) => [
  ['ATE', `${at}А`, '', '', ''],
  ['BOSCH', '1', '', '', ''],
  ['', `${at}`, 'pad', '', ''],
  ['ATE', `${at}1`, '', 'a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u', ''],
  ['ATE', `${at}2`, 'pad'],
  ['AT\u200bE', `${at}3`, 'pad', 'a', ''],
  ['ATE', `${at}4`, '#REF!', 'a', ''],
  ['ATE', `${at}5`, 'p\ufffdd', 'a', ''],
  ['ATE', `${at}6`, 'LÃ¼fter', 'a', ''],
]).flat();
const anyRepair = fc.subarray<ReadSettings['repair'][number]>(['lookalikes', 'mojibake', 'control-characters']);
/** UTF-8, charsets of one byte that the kernel converts, and others, of which there is a copy; what they lack becomes a question mark. */
const anyCharset = fc.oneof(
  { weight: 3, arbitrary: fc.constant('utf-8') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'windows-1250',
      'windows-1251',
      'windows-1252',
      'windows-1257',
      'iso-8859-2',
      'iso-8859-5',
      'koi8-r',
      'ibm866',
      'ibm852',
      'macintosh',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('utf-16le', 'utf-16be', 'gb18030', 'shift_jis', 'big5', 'euc-kr') },
);
const anyGiven = fc
  .record({
    charset: anyCharset,
    rows: fc.array(anyRow, { maxLength: 25, size: 'max' }),
    delimiter: fc.constantFrom(';', ';', '\t'),
    newline: fc.constantFrom('\n', '\n', '\r\n', '\r\n', '\r\r\n', '\r'),
    spacedQuotes: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    repair: anyRepair,
    maxTags: fc.constantFrom(3, 20),
    onTooManyTags: fc.constantFrom('reject' as const, 'truncate' as const),
    issuesLayout: fc.constantFrom<IssuesLayout>('json', 'csv'),
  })
  .map(({ rows, delimiter, newline, spacedQuotes, issuesLayout, charset, ...changes }): Given => {
    const lines = rows.map(
      ([brand, oem, name, tags, note, quoting, more]) =>
        [brand, oem, name, tags, note]
          .map((cell) =>
            quoting === 'always' || (quoting === 'needed' && (/["\n\r]/.test(cell) || cell.includes(delimiter)))
              ? `${spacedQuotes ? ' ' : ''}"${cell.replaceAll('"', '""')}"`
              : cell,
          )
          .join(delimiter) + more.replaceAll(';', delimiter),
    );
    const samples = [COLUMNS, ...SAMPLES].map((cells) => cells.join(delimiter));
    const text = [...samples, ...lines, ''].join(newline);
    return { text, delimiter, charset, newline, spacedQuotes, issuesLayout, settings: plainSettings(changes) };
  });

const kernelRows = countKernelRows();

test('cells that need repair become the same on the fast path as on the slow one', async () => {
  const folder = tempFolder();
  const before = kernelRows();
  await fc.assert(
    fc.asyncProperty(anyGiven, fc.integer({ min: 16, max: 900 }), async (given, chunk) => {
      const fast = await read(folder, given, { ...SMALL, chunk });
      expect(fast).toEqual(await read(folder, given, { ...SIZES, fastPath: Infinity }));
    }),
    { numRuns: repetitions(300) },
  );
  const { rows, findings } = kernelRows();
  expect(rows - before.rows).toBeGreaterThan(coverage(300));
  expect(findings - before.findings).toBeGreaterThan(coverage(300));
});

test('a brand that is a list is one on both paths', async () => {
  const folder = tempFolder();
  const settings = plainSettings({});
  const columns = settings.columns.map((column) => (column.key === 'brand' ? { ...column, list: true } : column));
  const given: Given = {
    text: `${COLUMNS.join(';')}\n${'ATE;1;;;\n'.repeat(20)}ATE, ATE;2;;;\n`,
    settings: { ...settings, columns },
    issuesLayout: 'csv',
    delimiter: ';',
    charset: 'utf-8',
    newline: '\n',
    spacedQuotes: false,
  };
  const { rows, validation } = await read(folder, given, SMALL);
  expect(rows).toContain('\n22\tATE\t2\t');
  expect(validation.counts).toMatchObject({ accepted: 2, duplicates: 19 });
});
