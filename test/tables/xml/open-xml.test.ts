import { expect, test } from 'vitest';
import { encodeBytes } from '../../../src/io/text-decode.ts';
import { openXml } from '../../../src/tables/xml/open-xml.ts';
import { cellsOf, refusedFor, rowsOf, written } from '../written-file.ts';

const ITEMS = `<?xml version="1.0" encoding="utf-8"?>
<prices><item brand="BOSCH"><oem>0 986 424 797</oem><price>12.50</price></item>
<item brand="ATE"><oem>13.0460-2782.2</oem><stock/></item></prices>`;

function opened(content: string | Uint8Array, records: string | null = null) {
  return openXml({ ...written(content), records });
}

test('the repeated element is a record, its attributes and elements are columns', async () => {
  const file = await opened(ITEMS);
  expect(file).toMatchObject({
    tables: [{ name: null, hidden: false }],
    found: { path: '/prices/item', records: 2, names: ['@brand', 'oem', 'price'] },
  });
  expect(await rowsOf(file)).toEqual([
    { line: 1, cells: ['@brand', 'oem', 'price'] },
    { line: 2, cells: ['BOSCH', '0 986 424 797', '12.50'] },
    { line: 3, cells: ['ATE', '13.0460-2782.2'] },
  ]);
  expect(await rowsOf(file)).toHaveLength(3);
});

test('records that the settings name were not found, they were known', async () => {
  expect(await opened(ITEMS, '/prices/item')).toMatchObject({ found: null });
});

test('nested elements have their path, repeated ones are joined, the own text has the name of the record', async () => {
  const xml = `<list>
    <part id="1">Pads<producer><name>ATE</name></producer><cross>A1</cross><cross>B2</cross></part>
    <part id="2">Disc<producer><name>BOSCH</name></producer></part>
  </list>`;
  expect(await cellsOf(await opened(xml))).toEqual([
    ['@id', 'producer/name', 'cross', 'part'],
    ['1', 'ATE', 'A1,B2', 'Pads'],
    ['2', 'BOSCH', '', 'Disc'],
  ]);
});

test('records of a setting: names from the root, * for any, without prefixes', async () => {
  const xml = `<f:feed xmlns:f="urn:f"><f:car><f:oem f:at="1">A1</f:oem></f:car><f:truck><f:oem>B2</f:oem></f:truck></f:feed>`;
  expect(await cellsOf(await opened(xml, '/feed/*'))).toEqual([
    ['oem/@at', 'oem'],
    ['1', 'A1'],
    ['', 'B2'],
  ]);
  expect(await cellsOf(await opened(xml, '/f:feed/f:truck'))).toEqual([['oem'], ['B2']]);
});

test('the list of offers wins over lists of categories and of stock', async () => {
  const stock = '<stock place="A">4</stock><stock place="B">5</stock><stock place="C">6</stock>';
  const offers = [1, 2, 3, 4].map(
    (at) => `<offer><brand>ATE</brand><number>A${at}</number><price>${at}</price>${stock}</offer>`,
  );
  const categories = Array.from(
    { length: 20 },
    (_, at) => `<category id="${at}"><name>Brakes</name><level>2</level></category>`,
  );
  const xml = `<shop><categories>${categories.join('')}</categories><warehouse><offers>${offers.join('')}</offers></warehouse></shop>`;
  expect(await opened(xml)).toMatchObject({ found: { path: '/shop/warehouse/offers/offer', records: 4 } });
});

test('the offers of a brand are records, not the brands around them', async () => {
  const brand = (name: string) =>
    `<brand name="${name}">${`<item><number>${name}1</number><price>1</price></item>`.repeat(5)}</brand>`;
  expect(await opened(`<list>${brand('ATE')}${brand('BOSCH')}${brand('LUK')}</list>`)).toMatchObject({
    found: { path: '/list/brand/item', records: 15 },
  });
});

test('a path that is not there says what is, and what is no path is said', async () => {
  expect(await refusedFor(() => opened(ITEMS, '/prices/offer'))).toEqual({
    code: 'no-records',
    message: 'prices has no records at "/prices/offer" (the setting records). It has 2 records at "/prices/item".',
  });
  expect(await refusedFor(() => opened(ITEMS, 'item'))).toMatchObject({
    message: expect.stringContaining('The setting records: "item" is no path. It begins with a slash'),
  });
});

test('one offer among others that may come is a list', async () => {
  const xml =
    '<catalog><company>c</company><offers><offer sku="A1"><brand>ATE</brand><oem>B2</oem></offer></offers></catalog>';
  expect(await opened(xml)).toMatchObject({ found: { path: '/catalog/offers/offer', records: 1, isOnly: true } });
});

test('XML without a list is named', async () => {
  expect(await refusedFor(() => opened('<Error><Code>AccessDenied</Code></Error>'))).toMatchObject({
    code: 'no-records',
    message: expect.stringContaining('prices is XML (<Error>) in which no element with fields repeats'),
  });
});

test('an empty record counts, and CDATA and references are texts', async () => {
  const xml = '<l><i><oem>A&amp;1</oem><n>x</n></i><i/><i><oem><![CDATA[<B>]]>&#50;&#x33;</oem></i></l>';
  expect(await rowsOf(await opened(xml, '/l/i'))).toEqual([
    { line: 1, cells: ['oem', 'n'] },
    { line: 2, cells: ['A&1', 'x'] },
    { line: 4, cells: ['<B>23'] },
  ]);
});

test('cells and rows are cut one character after their limits', async () => {
  const xml = `<l>${'<i><a>12345678</a><b>1234</b><c>123456</c><c>7</c></i>'.repeat(2)}</l>`;
  const file = await openXml(written(xml, { cellLength: 5, rowLength: 12 }));
  expect((await cellsOf(file))[1]).toEqual(['123456', '1234', '123']);
});

test('more than a thousand names of columns are refused', async () => {
  const fields = Array.from({ length: 1_001 }, (_, at) => `<p${at}>1</p${at}>`).join('');
  expect(await refusedFor(() => opened(`<l><i>${fields}</i><i>${fields}</i></l>`, '/l/i'))).toMatchObject({
    code: 'too-many-columns',
    message: expect.stringContaining('The records of prices have more than 1,000 different fields'),
  });
});

test.each(['utf-8', 'windows-1251', 'koi8-r', 'utf-16le', 'utf-16be'])(
  '%s is read as it is declared',
  async (charset) => {
    const text = `<?xml version='1.0' encoding='${charset}'?><l><i><имя>Колодка</имя><n>1</n></i><i><имя>Диск</имя><n>2</n></i></l>`;
    const cells = [
      ['имя', 'n'],
      ['Колодка', '1'],
      ['Диск', '2'],
    ];
    expect(await cellsOf(await opened(encodeBytes(text, charset)))).toEqual(cells);
  },
);

test.each(['utf-8', 'utf-16le', 'utf-16be'])('a byte order mark of %s is believed', async (charset) => {
  const text = `\uFEFF<?xml version="1.0" encoding="utf-16"?><l><i a="Диск" b="1"/><i a="Ось" b="2"/></l>`;
  expect((await cellsOf(await opened(encodeBytes(text, charset))))[1]).toEqual(['Диск', '1']);
});

const RUSSIAN = '<l><i><имя>Колодка</имя></i>\n<i><имя>Диск</имя></i></l>';

test.each([
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    'windows-1251',
    'declares the encoding UTF-8, but line 1 has bytes that are not UTF-8',
  ],
  ['<?xml version="1.0"?>\n', 'windows-1251', 'declares no encoding, which means UTF-8, but line 2 has bytes'],
  ['<?xml version="1.0" encoding="windows-1251"?>', 'utf-8', 'declares the encoding windows-1251, but it is UTF-8'],
  [
    '<?xml version="1.0" encoding="utf-16"?>',
    'utf-8',
    'declares the encoding utf-16, but its characters are single bytes',
  ],
  ['<?xml version="1.0" encoding="klingon"?>', 'utf-8', 'declares the encoding klingon, which is unknown'],
])('the wrong declaration %s of %s is named', async (declaration, charset, sentence) => {
  expect(await refusedFor(() => opened(encodeBytes(declaration + RUSSIAN, charset)))).toMatchObject({
    code: 'wrong-encoding',
    message: expect.stringContaining(`prices ${sentence}`),
  });
});

test.each([
  [
    '<!DOCTYPE l [<!ENTITY a "b">]><l><i/></l>',
    'xml-dtd',
    'prices has a document type declaration (<!DOCTYPE>, line 1)',
  ],
  ['<!DOCTYPE l SYSTEM "http://127.0.0.1/l.dtd"><l/>', 'xml-dtd', 'Send the file without it'],
  ['<l><i>a&nbsp;b</i></l>', 'xml-dtd', 'prices uses an entity in line 1 that XML does not know'],
  ['<l><i>ATE & Co</i>\n<i/>;</l>', 'xml-broken', 'has an "&" in or after line 1 that is not written as &amp;'],
  ['<l><i>ATE & Co</i>\n<i/></l>', 'xml-broken', 'after its last tag, in line 1, an "&" is not written as &amp;'],
  ['<l>\n<i>1</j></l>', 'xml-broken', 'prices is broken XML at line 2, column 8: unexpected close tag'],
  ['<l>\n<i>1</i>\n<i>2', 'xml-broken', 'line 3, column 4: it ends inside the element <i>, so its rest is missing'],
  ['<l><i a=1/></l>', 'xml-broken', 'line 1, column 9: unquoted attribute value'],
  ['', 'xml-broken', 'document must contain a root element'],
  ['brand;oem\nATE;1', 'xml-broken', 'text data outside of root node'],
])('%j is refused', async (xml, code, sentence) => {
  expect(await refusedFor(() => opened(xml))).toEqual({ code, message: expect.stringContaining(sentence) });
});

test('elements without end, too deep or with too many attributes are refused', async () => {
  const attributes = Array.from({ length: 1_001 }, (_, at) => ` a${at}=""`).join('');
  expect(await refusedFor(() => opened('<a>'.repeat(500)))).toMatchObject({
    message: expect.stringContaining('more than 100 deep'),
  });
  expect(await refusedFor(() => opened(`<a${attributes}/>`))).toMatchObject({
    message: expect.stringContaining('more than 1000 attributes'),
  });
  expect(await refusedFor(() => opened(`<a>\n<b x="${'1'.repeat(17e6)}`))).toMatchObject({
    message: expect.stringContaining('after the tag in line 1 come more than 16,777,216 characters without another'),
  });
});

test('a file over the limit is refused before it is read', async () => {
  expect(await refusedFor(() => openXml(written(ITEMS, { fileSize: 100 })))).toMatchObject({ code: 'file-too-large' });
});

test('an aborted reading ends', async () => {
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(openXml({ ...written(ITEMS), signal })).rejects.toThrow('aborted');
});
