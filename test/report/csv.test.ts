import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { csvReport } from '../../src/report/csv.ts';
import type { ReportInput } from '../../src/report/input.ts';
import { runAnswer } from '../support/answers.ts';
import { csvReaders } from '../support/csv-readers.ts';
import { POISONED_CELLS, RUNS } from '../support/poisoned-cells.ts';
import { rejectedRow, reportInput, rowIssue } from './report-input.ts';

async function csvText(input: ReportInput): Promise<string> {
  let text = '';
  for await (const piece of csvReport(input)) text += piece;
  return text;
}

async function csvRows(input: ReportInput): Promise<Record<string, string>[]> {
  return parse<Record<string, string>>(await csvText(input), { bom: true, columns: true });
}

test('begins with a BOM, ends lines as spreadsheets do, and has a header when there is nothing to say', async () => {
  expect(await csvText(reportInput(runAnswer()))).toBe(
    '\uFEFFkind,code,severity,sheet,line,file,brand,oem,column,value,message,' +
      'original brand,original oem,original tags,original further cells\r\n',
  );
});

test('has every issue and every rejection, each cell under its name', async () => {
  const rows = await csvRows(reportInput(runAnswer(), { issues: [rowIssue()], rejections: [rejectedRow()] }));
  expect(rows).toEqual([
    {
      kind: 'issue',
      code: 'too-many-tags',
      severity: 'error',
      sheet: '',
      line: '7',
      file: 'north.csv',
      brand: 'BREMBO',
      oem: 'P 85 020',
      column: 'tags',
      value: 'a,b',
      message: '21 tags, but at most 20 are allowed.',
      'original brand': 'BREMBO',
      'original oem': 'P 85 020',
      'original tags': 'a,b',
      'original further cells': '',
    },
    {
      kind: 'rejection',
      code: '',
      severity: 'error',
      sheet: '',
      line: '9',
      file: 'north.csv',
      brand: 'ATE',
      oem: '13.0460',
      column: '',
      value: '',
      message: 'unknown brand',
      'original brand': 'ATE',
      'original oem': '13.0460',
      'original tags': '',
      'original further cells': '',
    },
  ]);
});

test('keeps the cells that a row has too many', async () => {
  const issues = [rowIssue({ cells: ['ATE', '1', 'a', 'x', '', 'y'] })];
  expect(await csvRows(reportInput(runAnswer(), { issues }))).toMatchObject([{ 'original further cells': 'x |  | y' }]);
});

test('disarms what a spreadsheet would run, and leaves other cells alone', async () => {
  const cells = ['=1+1', '+1', '-1', '@A1', '\t=1', '\r=1', '=HYPERLINK("http://x.test")', ' =1', "'=1", '1-1'];
  const issues = cells.map((value) => rowIssue({ value, cells: [] }));
  const values = (await csvRows(reportInput(runAnswer(), { issues }))).map((row) => row['value']);
  expect(values).toEqual([...cells.slice(0, 7).map((cell) => `'${cell}`), ...cells.slice(7)]);
});

test.each(csvReaders())('$name finds each poisoned cell in its place, as a text', async ({ rows }) => {
  const issues = POISONED_CELLS.map((value) => rowIssue({ value, cells: [value, 'P', value] }));
  const rejections = POISONED_CELLS.map((message) =>
    rejectedRow({ message, code: message, cells: [message, message] }),
  );
  const [head, ...found] = await rows(Buffer.from(await csvText(reportInput(runAnswer(), { issues, rejections }))));
  const written = POISONED_CELLS.map((cell) => unbroken(RUNS.test(cell) ? `'${cell}` : cell));
  const at = (name: string) => found.map((row) => unbroken(row[head!.indexOf(name)] ?? ''));
  expect(head).toHaveLength(15);
  expect(found).toHaveLength(2 * POISONED_CELLS.length);
  expect(found.map(([kind]) => kind)).toEqual([...issues.map(() => 'issue'), ...rejections.map(() => 'rejection')]);
  expect(at('value').slice(0, issues.length)).toEqual(written);
  expect(at('original brand')).toEqual([...written, ...written]);
  expect(at('message').slice(issues.length)).toEqual(written);
});

/** Readers disagree about which line break a cell has, and about the spaces at its ends. */
function unbroken(cell: string): string {
  return cell.replaceAll(/\r\n?/g, '\n').trim();
}

test('streams: what has been read is written before the rest is asked for', async () => {
  let asked = 0;
  async function* endless() {
    for (;;) {
      asked++;
      yield rowIssue({ line: asked });
    }
  }
  const pieces = csvReport({ ...reportInput(runAnswer()), issues: endless });
  await pieces.next();
  await pieces.next();
  expect(asked).toBeLessThan(1000);
  await pieces.return(undefined);
});
