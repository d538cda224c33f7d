import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRowScanner, type ScannedRow, type ScanOptions } from '../../../src/validate/scan/scan-rows.ts';
import type { ScanDialect } from '../../../src/validate/scan/text-view.ts';
import { repetitions } from '../../support/repetitions.ts';

const COMMA: ScanDialect = { delimiter: ',', quote: '"', escape: '"', newline: '\n' };

/** The rows, without the gaps between them. */
function scan(pieces: string[], options: Partial<ScanDialect & ScanOptions> = {}) {
  return scanAll(pieces, options).filter(({ gap }) => gap === undefined);
}

/** The gaps as `first-last what text`, those that follow one another as one. */
function gapsOf(pieces: string[], options: Partial<ScanDialect & ScanOptions> = {}) {
  const gaps: ScannedRow[] = [];
  for (const row of scanAll(pieces, options)) {
    const last = gaps.at(-1);
    if (row.gap === 'blank' && last?.gap === 'blank' && last.lastLine + 1 === row.line) last.lastLine = row.lastLine;
    else if (row.gap !== undefined) gaps.push(row);
  }
  return gaps.map(({ line, lastLine, gap, cells }) => `${line}-${lastLine} ${gap} ${cells.join('|')}`);
}

function scanAll(pieces: string[], options: Partial<ScanDialect & ScanOptions>) {
  const { firstLine = 1, rowLength = 1000, rowWidth = null, width = null, looseQuotes = false, ...dialect } = options;
  const scanner = createRowScanner({ ...COMMA, ...dialect }, { firstLine, rowLength, rowWidth, width, looseQuotes });
  return [...pieces.flatMap((piece) => scanner.push(piece)), ...scanner.end()];
}

function shown(rows: ScannedRow[]): string[] {
  return rows.map(({ line, lastLine, cells, problem }) => `${line}-${lastLine} ${problem ?? cells.join('|')}`);
}

describe('rows and their physical lines', () => {
  test('line ends may be mixed, the last one may be missing', () => {
    expect(shown(scan(['a,b\r\nc,d\n\ne,f']))).toEqual(['1-1 a|b', '2-2 c|d', '4-4 e|f']);
  });

  test('quoted cells hold delimiters, quotes and line breaks of every kind', () => {
    const text = 'a,"b,""c"""\r\n"x\r\ny\nz\rw",2\r\nlast,3\r\n';
    expect(shown(scan([text]))).toEqual(['1-1 a|b,"c"', '2-5 x\r\ny\nz\rw|2', '6-6 last|3']);
  });

  test('a lone carriage return inside a cell counts as a line, as in an editor', () => {
    expect(shown(scan(['a\rb,c\nd,e\r\r\nf,g\n']))).toEqual(['1-2 a\rb|c', '3-4 d|e\r', '5-5 f|g']);
  });

  test('a lone carriage return between rows of the right width ends a row', () => {
    const joined = 'a,b\rc,d\re,f\ng,"h"\ri,"j,k"\nl,m\r\n';
    const rows = ['1-1 a|b', '2-2 c|d', '3-3 e|f', '4-4 g|h', '5-5 i|j,k', '6-6 l|m'];
    expect(shown(scan([joined], { rowWidth: 2 }))).toEqual(rows);
    expect(shown(scan(joined.split(''), { rowWidth: 2 }))).toEqual(rows);
  });

  test('one beside which a row would be shorter or longer does not', () => {
    for (const row of ['a,b\rc', 'a,b\rc,d,e', 'a\rb,c', 'a,"b\rc",d', 'a,b\r,c,d']) {
      expect(scan([`${row}\n`], { rowWidth: 2 })).toHaveLength(1);
    }
    expect(shown(scan(['a,b\rc,d\n']))).toEqual(['1-2 a|b\rc|d']);
  });

  test('files of lone carriage returns', () => {
    const rows = scan(['a,b\rc,"d\re"\rf,', 'g\r'], { newline: '\r' });
    expect(shown(rows)).toEqual(['1-1 a|b', '2-3 c|d\re', '4-4 f|g']);
  });

  test('what is above the first line is passed over, quotes included', () => {
    const rows = scan(['Price list of "NORTH\r\n\r', '\n\rbrand,oem\n1,2\n'], { firstLine: 4 });
    expect(shown(rows)).toEqual(['4-4 brand|oem', '5-5 1|2']);
  });

  test('what is above the first line and what is blank is told as a gap', () => {
    const text = 'Price list;of "NORTH\r\n\r\nbrand,oem\n,\n \n1,2\n\n';
    expect(gapsOf([text], { firstLine: 3 })).toEqual([
      '1-1 above Price list;of "NORTH',
      '2-2 above ',
      '4-5 blank ',
      '7-7 blank ',
    ]);
    expect(gapsOf([`${'x'.repeat(1000)}\na,b\n`], { firstLine: 2 })).toEqual([`1-1 above ${'x'.repeat(300)}`]);
  });

  test('one column', () => {
    expect(shown(scan(['a,b\n"c,d"\n'], { delimiter: null }))).toEqual(['1-1 a,b', '2-2 c,d']);
  });

  test('a quote of null is text', () => {
    expect(shown(scan(['"a,b"\nc,d\n'], { quote: null }))).toEqual(['1-1 "a|b"', '2-2 c|d']);
  });
});

describe('quotes as suppliers write them', () => {
  test('a quote inside a cell is an inch mark', () => {
    expect(shown(scan(['hose 5",1\nhose 6","x 7"" y"\n']))).toEqual(['1-1 hose 5"|1', '2-2 hose 6"|x 7" y']);
  });

  test('stray quotes inside a quoted cell stay', () => {
    expect(shown(scan(['"filter "Oil" big",1\n"5"  ,2\n']))).toEqual(['1-1 filter "Oil" big|1', '2-2 5|2']);
  });

  test('a cell that begins with a word in quotes is text', () => {
    const rows = scan(['"Lada" filter,1\r\n2,"A" B\r\n"a,b"\n3,"C" d']);
    expect(shown(rows)).toEqual(['1-1 "Lada" filter|1', '2-2 2|"A" B', '3-3 a,b', '4-4 3|"C" d']);
  });

  test('backslash escapes', () => {
    const rows = scan(['"a \\"b\\" \\\\",C:\\new\n"x\\y",2\n'], { escape: '\\' });
    expect(shown(rows)).toEqual(['1-1 a "b" \\|C:\\new', '2-2 x\\y|2']);
  });

  test('an unclosed quote costs its own line only', () => {
    const text = 'a,1\n"5 hose,2\nb,3\n';
    const rows = scan([text]);
    expect(shown(rows)).toEqual(['1-1 a|1', '2-2 unclosed-quote', '3-3 b|3']);
    expect(rows[1]?.cells).toEqual(['"5 hose', '2']);
  });

  test('an unclosed quote is not closed by the quote of another row', () => {
    const text = 'a,1\n"5 hose,2\nb,"good"\n"c"d" e,4\n"e\nf",5\n';
    const rows = ['1-1 a|1', '2-2 unclosed-quote', '3-3 b|good', '4-4 unclosed-quote', '5-6 e\nf|5'];
    expect(shown(scan([text]))).toEqual(rows);
  });

  test('rows between an unclosed quote and an inch mark further down are not lost', () => {
    const rows = ['1-1 unclosed-quote', '2-2 ATE|2|disc', '3-3 ATE|3|hose 6"', '4-4 ATE|4|pads'];
    expect(shown(scan(['BOSCH,1,"5 hose\r\nATE,2,disc\r\nATE,3,hose 6"\r\nATE,4,pads\r\n']))).toEqual(rows);
  });

  test('two rows are enough where the file has inch marks elsewhere, where they are wide, or the cells would be too few', () => {
    const text = 'BOSCH,1,"5 hose\nATE,2,hose 6"\n';
    expect(shown(scan([text], { looseQuotes: true }))).toEqual(['1-1 unclosed-quote', '2-2 ATE|2|hose 6"']);
    expect(shown(scan([text]))).toEqual(['1-2 BOSCH|1|5 hose\nATE,2,hose 6']);
    const wider = 'BOSCH,1,"5 hose,a\nATE,2,hose 6",b\n';
    expect(shown(scan([wider]))).toEqual(['1-1 unclosed-quote', '2-2 ATE|2|hose 6"|b']);
    const wrong = '"5 hose,1,BOSCH\nATE,2,hose 6"\n';
    expect(shown(scan([wrong], { width: 3 }))).toEqual(['1-1 unclosed-quote', '2-2 ATE|2|hose 6"']);
  });

  test('a cell of several lines stays one, also with commas in it', () => {
    const list = 'BOSCH,1,"fits\nAudi, VW, Seat\nFord, Opel, Kia"\n';
    expect(shown(scan([list], { looseQuotes: true, width: 3 }))).toEqual([
      '1-3 BOSCH|1|fits\nAudi, VW, Seat\nFord, Opel, Kia',
    ]);
    expect(shown(scan(['BOSCH,1,"a,b\nc,d,e\nf",x\n'], { looseQuotes: true }))).toEqual([
      '1-3 BOSCH|1|a,b\nc,d,e\nf|x',
    ]);
  });

  test.each([
    ['in the first column', 'BOSCH,1,Pads\n",2,Disc\nATE,3,Hose\n",4,Pipe\n', [2, 4]],
    ['in the last column', 'BOSCH,1,Pads\r\nBOSCH,2,"\r\nBOSCH,3,"\r\nBOSCH,4,Pipe\r\n', [2, 3]],
    ['beside quoted cells', '",1,"Pads, front"\n",2,Disc\n",3,"Hose, rear"\nATE,4,"Pipe"\n', [1, 2, 3]],
    ['beside empty cells', 'ATE,1,",,\nATE,2,",,\nATE,3,Disc,,\n', [1, 2]],
    ['in rows that end early', 'ATE,1,"\nATE,2,",5\nATE,3,Pads,5\n', [1, 2]],
    ['in columns side by side', 'ATE,1,",",7\nATE,2,",",7\nATE,3,",","\nATE,4,",",5\n', [3]],
    ['with blanks behind them', 'ATE,1," ,5\nATE,2," ,5\nATE,3,Disc,5\n', [1, 2]],
    ['below a heading and a blank line', 'ATE,1,",5\nDiscs\n\nATE,2,",5\n', [1, 4]],
    ['below a cell with an open quote', 'ATE,1,"Hose\nATE,2,Belt\nATE,3,"\nATE,4,Ring\n', [1, 3]],
    ['above an inch mark', 'ATE,1,"\nATE,2,Belt 5"\nATE,3,Ring\n', [1]],
  ])('ditto marks %s are no quotes around the rows between them', (_, list, marked) => {
    const lines = list.trimEnd().split(/\r?\n/);
    const newline = list.includes('\r\n') ? '\r\n' : '\n';
    const rows = scan([list], { newline }).map(({ line, lastLine, problem }) => ({ line, lastLine, problem }));
    const filled = lines.map((text, at) => ({ text, line: at + 1 })).filter(({ text }) => text !== '');
    expect(rows).toEqual(
      filled.map(({ line }) => ({ line, lastLine: line, problem: marked.includes(line) ? 'unclosed-quote' : null })),
    );
  });

  test('a row between ditto marks is not lost where the last one ends a row early', () => {
    const rows = scan(['ATE,1,",5\nATE,2,"'], { width: 4 }).map(({ line, problem }) => ({ line, problem }));
    expect(rows[0]).toEqual({ line: 1, problem: 'unclosed-quote' });
    expect(rows.map(({ line }) => line)).toEqual([1, 2]);
  });

  test('a quoted cell may begin and end with line breaks or delimiters', () => {
    for (const text of ['BOSCH,1,"\nPads, front\n"', 'BOSCH,1,",\n,"', '"Pads\n",1,BOSCH', 'BOSCH,"\n","\n"'])
      expect(scan([`${text}\nATE,2,Disc\n`]).map(({ line, problem }) => ({ line, problem }))).toEqual([
        { line: 1, problem: null },
        { line: text.split('\n').length + 1, problem: null },
      ]);
  });

  test('an unclosed quote is given up after the longest row, and names the line of the quote', () => {
    const text = `x,"ok\nok"\na,"b\n${'c,d\n'.repeat(500)}`;
    const rows = scan([text], { rowLength: 100 });
    expect(shown(rows.slice(0, 4))).toEqual(['1-2 x|ok\nok', '3-3 unclosed-quote', '4-4 c|d', '5-5 c|d']);
    expect(rows).toHaveLength(502);
  });

  test('lines of nothing but blanks and delimiters are no rows, however many', () => {
    const text = `a,1\n${'\n,\r\n \t,\n'.repeat(100_000)}"",\n${','.repeat(20)}\nb,2\n,`;
    const rows = ['1-1 a|1', '300002-300002 |', '300003-300003 row-too-long', '300004-300004 b|2', '300005-300005 |'];
    expect(shown(scan([text], { rowLength: 19 }))).toEqual(rows);
  });

  test('a row that is too long is passed over up to its end', () => {
    const text = `a,1\n${'x'.repeat(5000)}\r\n"${'y'.repeat(5000)}",2\r\nb,2\r\n`;
    const shownRows = ['1-1 a|1', '2-2 row-too-long', '3-3 row-too-long', '4-4 b|2'];
    const rows = scan([text], { rowLength: 100 });
    expect(shown(rows)).toEqual(shownRows);
    expect(rows.map(({ length }) => length)).toEqual([undefined, 5000, 5004, undefined]);
    expect(scan([`a,1\n${'x'.repeat(300)}`], { rowLength: 100 })[1]).toMatchObject({
      length: 300,
      cells: ['x'.repeat(100)],
    });
  });

  test('a file in which every row opens a quote takes linear time', () => {
    const rows = scan(['x","z\n'.repeat(200_000)], { rowLength: 1_000_000 });
    expect(rows.filter((row) => row.problem === 'unclosed-quote')).toHaveLength(200_000);
  });
});

const anyDialect = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  quote: fc.constantFrom('"', "'"),
  escape: fc.constantFrom('"', '\\'),
  newline: fc.constantFrom('\n', '\r\n', '\r'),
});
const anyCell = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'ab1ф "\'\\,;\t|\n\r'.split('')) }),
  fc.constantFrom('', 'BOSCH', '0 986 424 797', '5"', 'a\r\nb'),
);
const anyTable = fc
  .integer({ min: 2, max: 5 })
  .chain((width) =>
    fc.array(fc.array(anyCell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
  );
/** Where to cut a text, as shares of its length. */
const anyCuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });

function cutAt(text: string, cuts: number[]): string[] {
  const places = [0, ...cuts.map((cut) => Math.floor(cut * text.length)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

/** Blank lines are no rows unless they have quotes. */
function isFilled(cells: string[]): boolean {
  return cells.some((cell) => /[^ \t]/.test(cell));
}

/** Whether quoted cells could be taken for the rows between two ditto marks. */
function mayHaveDittoMarks(text: string, { delimiter, quote }: ScanDialect): boolean {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.split(delimiter!));
  return lines.filter((cells) => cells.some((cell) => cell.trim() === quote)).length > 0;
}

describe('any table, in any dialect, cut anywhere', () => {
  test('is read as csv-parse reads it', () => {
    fc.assert(
      fc.property(anyTable, anyDialect, fc.boolean(), anyCuts, (table, shape, quoted, cuts) => {
        const dialect = { ...shape, escape: shape.escape === '"' ? shape.quote : shape.escape };
        const { delimiter, quote, escape, newline } = dialect;
        const text = stringify([...table, table[0]!.map(() => 'end')], {
          delimiter,
          quote,
          escape,
          quoted,
          record_delimiter: newline,
          quoted_match: /[\r\n]/,
        });
        fc.pre(!mayHaveDittoMarks(text, dialect));
        const oracle: string[][] = parse(text, { delimiter, quote, escape, record_delimiter: newline });
        const rows = scan(cutAt(text, cuts), dialect);
        expect(rows.map((row) => row.cells).filter(isFilled)).toEqual(oracle.filter(isFilled));
        expect(rows.every((row) => row.problem === null)).toBe(true);
        const lines = text.split(/\r\n|\n|\r/);
        expect(rows.at(-1)?.lastLine).toBe(lines.length - 1);
      }),
      { numRuns: repetitions(2000) },
    );
  });

  test('every cut gives the same rows, also in damaged files', () => {
    const anyText = fc.string({ unit: fc.constantFrom(...'ab",\n\r \\'.split('')), maxLength: 200 });
    fc.assert(
      fc.property(anyText, anyDialect, anyCuts, fc.integer({ min: 1, max: 40 }), (text, dialect, cuts, rowLength) => {
        const options = { ...dialect, delimiter: ',', quote: '"', rowLength };
        const whole = scan([text], options);
        expect(scan(cutAt(text, cuts), options)).toEqual(whole);
        expect(scan(text.split(''), options)).toEqual(whole);
        const gaps = gapsOf([text], options);
        expect(gapsOf(cutAt(text, cuts), options)).toEqual(gaps);
        expect(gapsOf(text.split(''), options)).toEqual(gaps);
      }),
      { numRuns: repetitions(3000) },
    );
  });

  test('every row begins where the one before it ended', () => {
    const anyText = fc.string({ unit: fc.constantFrom(...'ab",\n\r'.split('')), maxLength: 200 });
    fc.assert(
      fc.property(anyText, fc.integer({ min: 5, max: 40 }), (text, rowLength) => {
        const rows = scan([text], { rowLength });
        const gaps = rows.slice(1).map((row, index) => row.line - rows[index]!.lastLine);
        expect(gaps.every((gap) => gap >= 1)).toBe(true);
        expect(rows.every((row) => row.line <= row.lastLine)).toBe(true);
      }),
      { numRuns: repetitions(2000) },
    );
  });
});
