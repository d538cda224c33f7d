import { describe, expect, test } from 'vitest';
import { detect } from '../../../src/detect/detect.ts';
import { textFile } from '../../support/price-list.ts';
import { plainSettings } from '../../support/read-settings.ts';

const ROWS =
  'BOSCH;0986424797;Brake pad set, front;1250,00\nMANN;W 712/75;Oil filter;420,50\nATE;13.0460;Brake disc;3,10\n';
const LIST = `brand;oem;name;price\n${ROWS}`;

describe('the delimiter', () => {
  test.each([';', '\t', '|'])('%j is found among commas in names and prices', async (delimiter) => {
    const found = await detect(textFile(LIST.replaceAll(';', delimiter)));
    expect(found).toMatchObject({ delimiter, sure: true, columns: ['brand', 'oem', 'name', 'price'] });
  });

  test('a comma is found among lists of tags', async () => {
    const rows = Array.from({ length: 9 }, (_, at) => `BOSCH,${at},"pads; discs",front;rear\n`).join('');
    expect(await detect(textFile(`brand,oem,name,tags\n${rows}`))).toMatchObject({ delimiter: ',', sure: true });
  });

  test('is null in a file of one column', async () => {
    const found = await detect(textFile('oem\n0986424797\n0986424798\nW 712\n'));
    expect(found).toMatchObject({ delimiter: null, header: true, columns: ['oem'], sure: true });
  });

  test('is not sure when two make the same table', async () => {
    expect((await detect(textFile('a,b;c,d\n1,2;3,4\n5,6;7,8\n'))).sure).toBe(false);
  });

  test('wins when it is set, and the evidence says so', async () => {
    const found = await detect(textFile(LIST), { delimiter: ',' });
    expect(found.delimiter).toBe(',');
    expect(found.evidence.join(' ')).toContain('The delimiter is set to ","');
  });

  test('may be set as a word, but not of several characters', async () => {
    expect((await detect(textFile(LIST.replaceAll(';', '\t')), { delimiter: 'tab' })).delimiter).toBe('\t');
    await expect(detect(textFile(LIST), { delimiter: '||' })).rejects.toThrow(
      'The delimiter "||" is not valid. Give one character',
    );
  });

  test('may be declared by the first line, as Excel does', async () => {
    const found = await detect(textFile(`sep=;\r\n${LIST}`));
    expect(found).toMatchObject({ delimiter: ';', headerLine: 2, columns: ['brand', 'oem', 'name', 'price'] });
  });

  test('is not the comma of prices where rows end early', async () => {
    const rows = Array.from({ length: 9 }, (_, at) => `ATE|13.0${at}|диск|${at}1,50${at % 2 === 0 ? '|4' : ''}\n`).join(
      '',
    );
    const found = await detect(textFile(`Бренд|Артикул|Название|Цена|Остаток\n${rows}`));
    expect(found).toMatchObject({ delimiter: '|', sure: true, headerLine: 1 });
  });

  test('is not the comma of addresses', async () => {
    const rows = Array.from({ length: 9 }, (_, at) => `Parts${at};Ltd;Main st., ${at}, floor ${at}, Berlin\n`).join('');
    expect(await detect(textFile(`a;b;c\n${rows}`))).toMatchObject({ delimiter: ';', sure: true });
  });

  test('that cuts no table, though most lines have it, is asked about', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => `a${';b;'.repeat(at + 1)}`).join('\n');
    expect(await detect(textFile(rows))).toMatchObject({ sure: false });
  });

  test('of a footer and of short rows does not mislead', async () => {
    const found = await detect(textFile(`${LIST}${ROWS}\nTotal: 6 positions, 2,093.60 EUR\n`));
    expect(found).toMatchObject({ delimiter: ';', sure: true });
  });
});

describe('quotes', () => {
  test('may enclose delimiters, newlines and doubled quotes', async () => {
    const text = 'brand,oem,name\r\nBOSCH,1,"Pads, ""front""\r\nset of 4"\r\nATE,2,"Disc, rear"\r\n';
    expect(await detect(textFile(text))).toMatchObject({ delimiter: ',', quote: '"', escape: '"', newline: '\r\n' });
  });

  test('may be escaped by a backslash', async () => {
    const text = 'brand,oem,name\nBOSCH,1,"Pads \\"front\\", 4"\nATE,2,"Disc 5\\", rear"\n';
    expect(await detect(textFile(text))).toMatchObject({ delimiter: ',', quote: '"', escape: '\\' });
  });

  test('may be apostrophes', async () => {
    const text = "'brand','oem','name'\n'BOSCH','1','Pads, front'\n'ATE','2','Disc, rear'\n";
    expect(await detect(textFile(text))).toMatchObject({ delimiter: ',', quote: "'", escape: "'" });
  });

  test('may be apostrophes where a cell needs them', async () => {
    const text = "brand;oem;name\nBOSCH;1;'Pads; front'\nATE;2;Disc\nATE;3;'Disc; rear'\nMANN;4;Filter\n";
    expect(await detect(textFile(text))).toMatchObject({ delimiter: ';', quote: "'", escape: "'" });
  });

  test('are not what ditto marks are, whatever stands in place of them', async () => {
    const parts = (marks: string[]) => marks.map((mark, at) => `BOSCH;13${at};${mark};${at},50`).join('\n');
    const table = { delimiter: ';', quote: null, sure: true, columns: ['brand', 'oem', 'name', 'price'] };
    for (const marks of [
      ['Pads', '"', '"', 'Disc', '"'],
      ['Pads', '"', 'Disc', 'Hose', '"'],
    ])
      expect(await detect(textFile(`brand;oem;name;price\n${parts(marks)}\n`))).toMatchObject(table);
    const twice = Array.from({ length: 6 }, (_, at) => `BOSCH;13${at};${at % 3 ? '";"' : 'Pads;set'};${at},50`);
    const names = { ...table, columns: ['brand', 'oem', 'name', 'unit', 'price'] };
    expect(await detect(textFile(`brand;oem;name;unit;price\n${twice.join('\n')}\n`))).toMatchObject(names);
  });

  test('are not apostrophes of which one begins a cell and another ends one', async () => {
    const list = (names: string[]) => `brand;oem;name\n${names.map((name, at) => `ATE;13${at};${name}\n`).join('')}`;
    for (const names of [
      ['Pads', "'", 'Disc', "'"],
      ['Pads', "'t Gooi", 'Disc', "drivers'"],
    ])
      expect(await detect(textFile(list(names)))).toMatchObject({ delimiter: ';', quote: '"' });
    expect(await detect(textFile(list(['Pads', "'d''arrêt'", 'Disc'])))).toMatchObject({ quote: "'" });
    const lines = [...Array.from({ length: 12 }, () => 'Pads'), "'Hose\nlong'"];
    expect(await detect(textFile(list(lines)))).toMatchObject({ quote: "'" });
  });

  test('are not what inch marks and possessives are', async () => {
    const text = `brand;oem;name\nBOSCH;1;5" hose\nATE;2;driver's side\nATE;3;'A' type\n`;
    expect(await detect(textFile(text))).toMatchObject({ delimiter: ';', quote: '"' });
  });
});

test('quotes in quoted cells that nobody escaped leave the table as it is', async () => {
  const rows = Array.from({ length: 20 }, (_, at) => `TRW,X${at},"disc, "x" ${at}",47.5`).join('\n');
  expect(await detect(textFile(`brand,oem,name,price\n${rows}\n`))).toMatchObject({ delimiter: ',', sure: true });
});

test('a text full of quotes that nobody closes takes no longer than another', async () => {
  const rows = `"a,"b,"c,"d,"e,"f,"g,"h\n`.repeat(8000);
  expect(await detect(textFile(rows))).toMatchObject({ delimiter: ',', quote: null });
});

describe('newlines', () => {
  test.each(['\r\n', '\n', '\r'])('%j', async (newline) => {
    const found = await detect(textFile(LIST.replaceAll('\n', newline)));
    expect(found).toMatchObject({ newline, columns: ['brand', 'oem', 'name', 'price'] });
  });

  test('inside quoted cells are not the ends of rows', async () => {
    const found = await detect(textFile('brand;name\r"A";"x\ny\nz"\r"B";"x\ny\nz"\r'));
    expect(found).toMatchObject({ newline: '\r', delimiter: ';' });
    expect(found.evidence.join(' ')).not.toContain('mixed');
  });

  test('that are mixed are mentioned', async () => {
    const found = await detect(textFile(`${LIST}A;1;b;2\r\n`));
    expect(found.newline).toBe('\n');
    expect(found.evidence.join(' ')).toContain('Line ends are mixed');
  });
});

describe('the header', () => {
  test('is found below a company name and empty lines', async () => {
    const found = await detect(textFile(`OOO "Parts", Moscow; tel 123\nPrice list of 4 May 2026\n\n${LIST}`));
    expect(found).toMatchObject({
      header: true,
      headerLine: 4,
      delimiter: ';',
      columns: ['brand', 'oem', 'name', 'price'],
    });
    expect(found.evidence.join(' ')).toContain(
      'Line 4 is the header: "brand", "oem", "name", "price" are known names.',
    );
  });

  test('below a quoted cell of two lines has the line that an editor shows', async () => {
    const found = await detect(textFile(`"Parts Ltd\nBerlin";;;\n${LIST}`));
    expect(found.headerLine).toBe(3);
  });

  test('is not a sentence above it with as many commas', async () => {
    const above = 'Automotive parts, brakes, filters\ntel. 123, fax 124\n';
    const rows = Array.from({ length: 6 }, (_, at) => `ATE,13.0${at},Disc\n`).join('');
    expect(await detect(textFile(above + rows))).toMatchObject({ header: false, headerLine: 3 });
    expect(await detect(textFile(`${above}maker,widgetry,xyzzy\n${rows}`))).toMatchObject({
      header: true,
      headerLine: 3,
    });
  });

  test('is not a row of the data with one known word', async () => {
    const rows = Array.from({ length: 9 }, (_, at) => `left;right${at}\n`).join('');
    expect(await detect(textFile(`${rows}Category;Kategorie\n`))).toMatchObject({ header: false, headerLine: 1 });
  });

  test('is known by names of the configuration', async () => {
    const text = 'Foo;Bar\nATE;Disc\nBOSCH;Pad\n';
    expect((await detect(textFile(text))).header).toBe(false);
    const columns = plainSettings().columns.slice(0, 2);
    Object.assign(columns[0]!, { names: ['foo'] });
    Object.assign(columns[1]!, { names: ['bar', 'baz'] });
    expect(await detect(textFile(text), { columns })).toMatchObject({
      header: true,
      columns: ['Foo', 'Bar'],
    });
  });

  test('is known by words above numbers', async () => {
    expect(await detect(textFile('maker;widgetry;xyzzy\nATE;12;5,5\nBOSCH;14;6,5\n'))).toMatchObject({ header: true });
  });

  test('is absent when the first row is like the others', async () => {
    expect(await detect(textFile(ROWS))).toMatchObject({ header: false, columns: [], headerLine: 1, sure: true });
  });

  test('is what the setting says', async () => {
    expect(await detect(textFile(LIST), { header: false })).toMatchObject({
      header: false,
      columns: [],
      headerLine: 2,
    });
    const set = await detect(textFile(`\n${ROWS}`), { header: true });
    expect(set).toMatchObject({ header: true, headerLine: 2 });
    expect(set.columns[0]).toBe('BOSCH');
  });
});

test('a file of empty lines is nothing, but no failure', async () => {
  expect(await detect(textFile('\n\n\n'))).toMatchObject({ delimiter: null, header: false, columns: [] });
});

describe('habits of single programs', () => {
  test('a line end that was written as text is one line end', async () => {
    const found = await detect(textFile('brand;oem\r\r\nATE;1\r\r\nTRW;2\r\r\n'));
    expect(found).toMatchObject({ newline: '\r\r\n', delimiter: ';', headerLine: 1, columns: ['brand', 'oem'] });
  });

  test('blanks before quotes belong to no cell', async () => {
    const found = await detect(textFile('brand, oem, name\n"ATE", "1", "disc, front"\nTRW, "GDB1", "pads, rear"\n'));
    expect(found).toMatchObject({ delimiter: ',', spacedQuotes: true, sure: true, columns: ['brand', 'oem', 'name'] });
  });

  test('blanks before quotes may begin a line, and the quotes may enclose line ends', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => ` "disc, ${at}\nvented",13${at}0,ATE`);
    const found = await detect(textFile(`${rows.join('\n')}\n`));
    expect(found).toMatchObject({ delimiter: ',', spacedQuotes: true, width: 3 });
  });

  test.each([
    ['a tab', (at: number) => `ATE,\t13${at},\t"disc, ${at}"`, '"', '"'],
    ['escaped quotes', (at: number) => `ATE, 13${at}, "disc, \\"${at}\\" x"`, '"', '\\'],
    ['doubled quotes', (at: number) => `ATE, 13${at}, "disc, ""${at}"" x"`, '"', '"'],
    ['apostrophes', (at: number) => `ATE, 13${at}, 'disc, ${at}'`, "'", "'"],
    ['texts of many commas', (at: number) => `ATE, 13${at}, "disc${', x'.repeat(at % 7)}"`, '"', '"'],
  ])('blanks before quotes: %s', async (_, row, quote, escape) => {
    const rows = Array.from({ length: 20 }, (_, at) => row(at)).join('\n');
    const expected = { delimiter: ',', spacedQuotes: true, quote, escape, width: 3 };
    expect(await detect(textFile(`brand,oem,name\n${rows}\n`))).toMatchObject({ ...expected, sure: true });
    expect(await detect(textFile(`${rows}\n`))).toMatchObject(expected);
  });

  test('one quote behind a blank counts when its cell holds a delimiter', async () => {
    const list = 'brand,oem,name\nATE,"1",Disc\nTRW,GDB1, "pads, rear"\nSKF,VK1,Bearing\n';
    expect(await detect(textFile(list))).toMatchObject({ spacedQuotes: true, width: 3, sure: true });
  });

  test('apostrophes behind blanks that begin words are no quotes', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => `ATE, X${at}, 'n Disc ${at}, 90 model`).join('\n');
    expect(await detect(textFile(`${rows}\n`))).toMatchObject({ delimiter: ',', quote: '"', spacedQuotes: false });
  });

  test('quotes behind blanks that do not all enclose cells leave the table in doubt', async () => {
    const rows = ['ATE, "disc, front",1', 'TRW, "left" side,2', 'SKF, "right" side,3', 'LUK, "x",4'].join('\n');
    expect(await detect(textFile(`brand,name,oem\n${rows}\n`))).toMatchObject({ spacedQuotes: false, sure: false });
  });
});

describe('lines that are quoted as a whole', () => {
  test('are read without these quotes', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => `"ATE,13${at},""disc, ${at}"",1"`).join('\r\n');
    const expected = {
      wholeLines: true,
      delimiter: ',',
      width: 4,
      sure: true,
      columns: ['brand', 'oem', 'name', 'price'],
    };
    expect(await detect(textFile(`"brand,oem,name,price"\r\n${rows}\r\n`))).toMatchObject(expected);
  });

  test('rows whose cells are all quoted are others', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => `"ATE","13${at}","disc, ${at}"`).join('\n');
    expect(await detect(textFile(`${rows}\n`))).toMatchObject({ wholeLines: false, width: 3 });
  });
});

describe.each(['^', '~'])('the delimiter %s', (delimiter) => {
  test('is found', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => ['ATE', `13${at}`, `disc, ${at}`, '1.50'].join(delimiter));
    const text = `${['Brand', 'Article', 'Name', 'Price'].join(delimiter)}\r\n${rows.join('\r\n')}\r\n`;
    expect(await detect(textFile(text))).toMatchObject({ delimiter, width: 4, sure: true });
    expect(await detect(textFile(`sep=${delimiter}\r\n${text}`))).toMatchObject({
      delimiter,
      headerLine: 2,
      sure: true,
    });
  });

  test('is text in a table with another one', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => `ATE;13${at};1998${delimiter}2005;disc ${delimiter} ${at}`);
    expect(await detect(textFile(`brand;oem;years;name\n${rows.join('\n')}\n`))).toMatchObject({
      delimiter: ';',
      sure: true,
    });
    expect(await detect(textFile(`ATE;1${delimiter}2\nTRW;3${delimiter}4\n`))).toMatchObject({ delimiter: ';' });
  });
});

describe('rows of many lengths', () => {
  test('have the one delimiter that stands in most of them, without certainty', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => ['P1', 'x', ...Array<string>((at * 7) % 6).fill('y')].join(','));
    expect(await detect(textFile(`${rows.join('\n')}\n`))).toMatchObject({ delimiter: ',', sure: false });
  });

  test.each([';', '\t', '|'])('are cut by %j, not by the comma of their prices', async (delimiter) => {
    const rows = Array.from({ length: 40 }, (_, at) =>
      ['ATE', `13${at}`, `${at},50`, ...Array<string>((at * 7) % 6).fill('y')].join(delimiter),
    );
    expect(await detect(textFile(`${rows.join('\n')}\n`))).toMatchObject({ delimiter, sure: false });
  });

  test('may go on beyond their header', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => [
      'ATE',
      `13.0${at}`,
      'Disc',
      ...Array<string>((at * 7) % 6).fill('x'),
    ]);
    const text = rows.map((row) => `${row.join(';')}\n`).join('');
    const found = await detect(textFile(`Brand;Part number;Description\n${text}`));
    expect(found).toMatchObject({ delimiter: ';', header: true, headerLine: 1, sure: false });
  });

  test('are cut by a comma with a blank, without certainty', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => ['ATE', `13${at}`, ...Array<string>((at * 7) % 6).fill('y')]);
    const text = rows.map((row) => `${row.join(', ')}\n`).join('');
    expect(await detect(textFile(text))).toMatchObject({ delimiter: ',', sure: false });
  });

  test('are no table when they are prose', async () => {
    const prose =
      'Dear customers,\nour stock has moved.\nPlease, call us, or write.\nWe are open from 8, but not on Sunday.\nBest wishes\n';
    expect(await detect(textFile(prose))).toMatchObject({ delimiter: null });
  });

  test('are a sure table when lone headings stand between rows of one length', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => `Group ${at}\n  Subgroup\nATE\tX${at}7\t${at},50\t3`);
    expect(await detect(textFile(`${rows.join('\n')}\n`))).toMatchObject({ delimiter: '\t', sure: true });
  });

  test('begin with the first row below headings, where each row has one', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => `Group ${at}\n  Subgroup ${at}\n13${at},disc ${at},ATE,${at}`);
    const found = await detect(textFile(`${rows.join('\n')}\n`));
    expect(found).toMatchObject({ delimiter: ',', header: false, headerLine: 3, sure: true });
  });

  test('are no headings of another table where the delimiter cuts them', async () => {
    const row = (at: number) => `${at}; P(48.7${at} 9.1); Q(48.${at} 9.1, 48.${at} 9.2, 48.${at} 9.3, 48.${at} 9.4)`;
    const shapes = Array.from({ length: 20 }, (_, at) => row(at)).join('\n');
    expect(await detect(textFile(`id;place;area\n${shapes}\n`))).toMatchObject({ delimiter: ';' });
    const keys = Array.from({ length: 40 }, (_, at) => (at % 3 === 0 ? `K${at},Sum; Estimate; All` : `K${at},Name`));
    expect(await detect(textFile(`Key,Meaning\n${keys.join('\n')}\n`))).toMatchObject({ delimiter: ',' });
  });
});
