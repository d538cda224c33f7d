import { expect, test } from 'vitest';
import { encodeBytes } from '../../../src/io/text-decode.ts';
import { openHtml } from '../../../src/tables/html/open-html.ts';
import { cellsOf, refusedFor, rowsOf, written } from '../written-file.ts';

const HEADER = '<tr><th>Brand</th><th>Number</th></tr>';

function opened(content: string | Uint8Array, charset: string | null = null) {
  return openHtml({ ...written(content), charset });
}

/** The rows of a table with these rows below a header. */
async function body(rows: string): Promise<string[][]> {
  return (await cellsOf(await opened(`<table>${HEADER}${rows}<tr><td>LUK</td><td>1</td></tr></table>`))).slice(1, -1);
}

test('rows of a table, with heads, bodies and without end tags', async () => {
  const html = `<html><body><p>Prices</p><TABLE border=1><thead>${HEADER}</thead><tbody>
    <tr><td>BOSCH<td>0 986 424 797
    <tr><td><b>ATE</b></td><td></td></tr><tr><td> </td><td>&nbsp;</td></tr>
    <td>LUK<td>1</tbody></TABLE>After it`;
  const file = await opened(html);
  expect(file).toMatchObject({ tables: [{ name: null, hidden: false }] });
  expect(await rowsOf(file)).toEqual([
    { line: 1, cells: ['Brand', 'Number'] },
    { line: 2, cells: ['BOSCH', '0 986 424 797'] },
    { line: 3, cells: ['ATE'] },
    { line: 5, cells: ['LUK', '1'] },
  ]);
  expect(await rowsOf(file)).toHaveLength(4);
});

test('text is what a browser shows', async () => {
  expect(await body('<tr><td>Brake<br>pads &amp; <i>disc</i>s</td><td>\n   A\t1\n </td></tr>')).toEqual([
    ['Brake\npads & discs', 'A 1'],
  ]);
  expect(await body('<tr><td><p>One</p><p>Two</p></td><td>&#1040;&eacute;&lt;</td></tr>')).toEqual([
    ['One\nTwo', 'Аé<'],
  ]);
  expect(await body('<tr><td><style>p {}</style><script>"<td>"</script>X<!-- no --></td><td>Y</td></tr>')).toEqual([
    ['X', 'Y'],
  ]);
});

test('what is struck out counts for nothing', async () => {
  expect(await body('<tr><td><s>WK 573/4</s> CU 3856</td><td><del>1</del>2</td></tr>')).toEqual([['CU 3856', '2']]);
});

test('cells that span others are followed by empty ones', async () => {
  const rows = `<tr><td colspan=2>wide</td><td rowspan="3">high</td><td>D</td></tr>
    <tr><td>A</td><td rowspan=2>B</td><td>D2</td></tr><tr><td>A</td><td>D3</td></tr><tr><td>A</td><td>B</td><td>C</td></tr>`;
  expect(await body(rows)).toEqual([
    ['wide', '', 'high', 'D'],
    ['A', 'B', '', 'D2'],
    ['A', '', '', 'D3'],
    ['A', 'B', 'C'],
  ]);
});

test('the largest table is read, not the tables that lay out the page', async () => {
  const list = `<table>${HEADER}${'<tr><td>ATE</td><td>1</td></tr>'.repeat(5)}</table>`;
  const menu = `<table>${'<tr><td>Home</td><td>Cart</td></tr>'.repeat(3)}</table>`;
  const page = `<table><tr><td colspan=2>${menu}</td></tr><tr><td>News</td><td>${list}</td></tr></table>`;
  const file = await opened(page);
  expect(await cellsOf(file)).toHaveLength(6);
  expect(file.notes()).toEqual(['1 other table of the page was left out: table 2 (3 rows).']);
});

test('the text of a table in a cell is the text of the cell', async () => {
  expect(await body('<tr><td>ATE</td><td>1<table><tr><td>in</td><td>Kyiv</td></tr></table></td></tr>')).toEqual([
    ['ATE', '1 in Kyiv'],
  ]);
});

test('hidden rows are read, and said', async () => {
  const file = await opened(`<table>${HEADER}<tr style="height:0;display:none"><td>A</td><td>1</td></tr>
    <tr hidden><td>B</td><td>2</td></tr><tr style='display:none'><td></td></tr></table>`);
  expect(await cellsOf(file)).toHaveLength(3);
  expect(file.notes()).toEqual(['2 hidden rows of the page were read.']);
});

test.each([
  ['<td x:num="4047024">4,047,024</td>', '4047024'],
  ['<td x:num="12.3456">12.35</td>', '12.3456'],
  ['<td x:num="12.5">12,50</td>', '12.50'],
  ['<td x:num="12.1">12.10</td>', '12.10'],
  ['<td x:num="12">12.00</td>', '12.00'],
  ['<td x:num="123">0000123</td>', '0000123'],
  ['<td x:num="46092">11.03.2026</td>', '11.03.2026'],
  ['<td x:num>17</td>', '17'],
  ['<td sdval="1250000" sdnum="1049;">1&nbsp;250&nbsp;000,00</td>', '1250000'],
  ['<td x:num="0.12">12%</td>', '12%'],
])('the number behind %s is %s', async (cell, text) => {
  expect(await body(`<tr><td>ATE</td>${cell}</tr>`)).toEqual([['ATE', text]]);
});

const RUSSIAN = `<table>${HEADER}<tr><td>Колодка</td><td>1</td></tr></table>`;

test.each([
  ['<meta charset="windows-1251">', 'windows-1251'],
  ['<META http-equiv=Content-Type content="text/html; charset=koi8-r">', 'koi8-r'],
  ['<meta charset=utf-8>', 'utf-8'],
  ['', 'utf-8'],
  ['\uFEFF<meta charset=windows-1251>', 'utf-8'],
  ['\uFEFF<meta charset=windows-1251>', 'utf-16le'],
])('a page with %j in %s is read', async (head, charset) => {
  expect((await cellsOf(await opened(encodeBytes(head + RUSSIAN, charset))))[1]).toEqual(['Колодка', '1']);
});

test('the setting wins over what the page declares', async () => {
  const page = encodeBytes(`<meta charset="utf-8">${RUSSIAN}`, 'windows-1251');
  expect((await cellsOf(await opened(page, 'windows-1251')))[1]).toEqual(['Колодка', '1']);
});

test.each([
  ['', 'windows-1251', 'is a web page that declares no charset and is not UTF-8. Set dialect.charset'],
  ['<meta charset="utf-8">', 'windows-1251', 'declares the charset utf-8, but line 1 has bytes that are not UTF-8'],
  ['<meta charset="windows-1251">', 'utf-8', 'declares the charset windows-1251, but it is UTF-8. Set dialect.charset'],
  ['<meta charset="klingon">', 'windows-1251', 'declares the charset klingon, which is unknown'],
])('a page with %j in %s is refused', async (head, charset, sentence) => {
  expect(await refusedFor(() => opened(encodeBytes(head + RUSSIAN, charset)))).toEqual({
    code: 'wrong-encoding',
    message: expect.stringContaining(sentence),
  });
});

test.each([
  '<html><body><h1>403 Forbidden</h1></body></html>',
  '<form><table><tr><td>Login</td><td><input></td></tr></table></form>',
  '<table><tr><td>One</td></tr><tr><td>column</td></tr></table>',
  '',
])('a page without a list is named: %s', async (page) => {
  expect(await refusedFor(() => opened(page))).toEqual({
    code: 'no-table',
    message:
      'prices is a web page without a table of at least two rows and two columns. ' +
      'It may be an error or login page: check whether the download needs a login.',
  });
});

test('what no page has is refused', async () => {
  const cell = '<td colspan=1000>x</td>';
  for (const page of [
    `<table><tr>${cell.repeat(17)}</tr>${HEADER}</table>`,
    `<table>${HEADER}<tr>${'<td colspan=1000 rowspan=65000></td>'.repeat(16)}${'<tr><td>x'.repeat(8_000)}</table>`,
    '<div>'.repeat(3_000),
    `<table>${HEADER}<tr><td title="${'x'.repeat(17e6)}`,
  ]) {
    expect(await refusedFor(() => opened(page))).toMatchObject({ code: 'no-table' });
  }
});

test('long cells are cut one character after the limit', async () => {
  const row = `<tr><td>${'<b>x</b>  \n'.repeat(500)}</td><td>12345678</td></tr>`;
  const file = await openHtml(written(`<table>${row}${row}</table>`, { cellLength: 5, rowLength: 9 }));
  expect((await cellsOf(file))[0]).toEqual(['x x x ', '1234']);
});

test('a page that ends inside a table or a tag is cut', async () => {
  const list = `<table>${HEADER}<tr><td>ATE</td><td>1</td></tr></table>`;
  for (const [page, inside] of [
    [list.slice(0, -8), 'a table'],
    [`${list}\n<table><tr><td>LUK`, 'a table'],
    [`${list}<table border="1"`, 'a tag'],
    [`${list}<!-- one more`, 'a tag'],
    [`${list}</bod`, 'a tag'],
    [`${list}<`, 'a tag'],
  ] as const) {
    expect(await refusedFor(() => opened(page))).toEqual({
      code: 'html-broken',
      message: expect.stringMatching(
        new RegExp(
          `^prices is a web page that is cut: it ends inside ${inside} \\(line \\d\\), so its rest is missing`,
        ),
      ),
    });
  }
  for (const end of ['', '</body>', ' 2 < 3', '&nbsp;', ' &', '<p>', '<script>"<td>"</script>']) {
    expect(await cellsOf(await opened(list + end))).toHaveLength(2);
  }
});

test('an element with a million attributes is no table', async () => {
  const attributes = Array.from({ length: 1_001 }, (_, at) => `a${at}`).join(' ');
  expect(await refusedFor(() => opened(`<table>${HEADER}<tr ${attributes}><td>A<td>1</table>`))).toEqual({
    code: 'no-table',
    message: expect.stringContaining('has an element with more than 1000 attributes'),
  });
});

test('the comment that an office program writes into a cell is no part of it', async () => {
  const anchor = '<![if !supportAnnotations]><a class=msocomanchor href="#c1">[1]</a><![endif]>';
  const comment = '<span class="MsoCommentText"><span>A:</span> sold out</span>';
  expect(await body(`<tr><td>A 123${anchor}</td><td>${comment}B 4</td></tr>`)).toEqual([['A 123', 'B 4']]);
});

test('tables with the same header are one list, and their rows are counted through all of them', async () => {
  const menu = '<table><tr><td>Home</td><td>Cart</td></tr><tr><td>News</td><td>Help</td></tr></table>';
  const first = `<table>${HEADER}<tr><td rowspan=9>ATE</td><td>1</td></tr><tr><td>2</td></tr></table>`;
  const second =
    '<table><tr><td colspan=2>Filters</td></tr><tr><td><b> brand</b></td><td>NUMBER</td></tr><tr><td>LUK</td><td>3</td></tr></table>';
  const file = await opened(`${first}<h2>More</h2>${menu}${second}`);
  expect(await rowsOf(file)).toEqual([
    { line: 1, cells: ['Brand', 'Number'] },
    { line: 2, cells: ['ATE', '1'] },
    { line: 3, cells: ['', '2'] },
    { line: 4, cells: ['Filters'] },
    { line: 5, cells: ['brand', 'NUMBER'] },
    { line: 6, cells: ['LUK', '3'] },
  ]);
  expect(file.merged(0)).toEqual([{ column: 0, first: 2, last: 3 }]);
  expect(file.notes()).toEqual([
    '2 tables of the page have the same header and are one list; rows are counted through all.',
    '1 other table of the page was left out: table 2 (2 rows).',
  ]);
});
