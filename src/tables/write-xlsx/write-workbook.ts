import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { replaceFile } from '../../io/replace-file.ts';
import { blocksOf, commentsPart, drawingPart } from './comment-parts.ts';
import { stylesPart } from './looks.ts';
import { sheetNames } from './sheet-names.ts';
import { sheetPart, type Comment, type Cuts, type WrittenSheet } from './sheet-part.ts';
import { xmlText } from './xml-text.ts';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET_TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

type Pieces = Iterable<string> | AsyncIterable<string>;
type Drawn = { sheet: WrittenSheet; name: string; comments: Comment[] };

/**
 * Writes a workbook of texts with colours and comments, whole or not at all; sheet names are made fit for it. Answers with what
 * had to be cut. The rows of each sheet are asked for once, those of the first sheet last, so that it can tell of the others; only comments
 * are kept in memory. Throws `disk-full`, and what the rows throw.
 */
export async function writeWorkbook(path: string, sheets: WrittenSheet[], author: string): Promise<Cuts> {
  const names = sheetNames(sheets.map(({ name }) => name));
  const drawn = sheets.map((sheet, at): Drawn => ({ sheet, name: names[at]!, comments: [] }));
  const cuts: Cuts = { cells: 0, columns: 0 };
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  // Its output would never end.
  zip.on('error', (error: Error) => output.destroy(error));
  // Whoever reads the output is told; it may fail before it is read.
  output.on('error', () => undefined);
  const add = (name: string, pieces: () => Pieces) =>
    zip.addReadStreamLazy(name, { compressionLevel: 4 }, (give) => {
      const stream = Readable.from(bytesOf(pieces()), { objectMode: false });
      stream.on('error', (error) => output.destroy(error));
      give(null, stream);
    });
  for (const at of [...drawn.keys()].slice(1).concat(0)) {
    const { sheet, comments } = drawn[at]!;
    add(`xl/worksheets/sheet${at + 1}.xml`, () => sheetPart(sheet, at === 0, comments, cuts));
  }
  // What follows is asked for when the sheets are written and their comments are known.
  for (const [at, { sheet, comments }] of drawn.entries()) {
    if (!sheet.commented) continue;
    const number = at + 1;
    add(`xl/comments${number}.xml`, () => commentsPart(comments, author));
    add(`xl/drawings/vmlDrawing${number}.vml`, () => drawingPart(comments, blockOf(drawn, at)));
    add(`xl/worksheets/_rels/sheet${number}.xml.rels`, () => [commentRelations(number)]);
  }
  add('xl/workbook.xml', () => [workbookPart(drawn)]);
  add('xl/_rels/workbook.xml.rels', () => [workbookRelations(drawn)]);
  add('xl/styles.xml', () => [stylesPart()]);
  add('_rels/.rels', () => [relations([['officeDocument', 'xl/workbook.xml']])]);
  add('[Content_Types].xml', () => [contentTypes(drawn)]);
  zip.end();
  await replaceFile(path, output);
  return cuts;
}

async function* bytesOf(pieces: Pieces): AsyncGenerator<Buffer> {
  yield Buffer.from(DECLARATION);
  for await (const piece of pieces) yield Buffer.from(piece);
}

/** The first block of numbers that no sheet before has. */
function blockOf(drawn: Drawn[], at: number): number {
  return drawn.slice(0, at).reduce((sum, { comments }) => sum + blocksOf(comments), 1);
}

function workbookPart(drawn: Drawn[]): string {
  const sheets = drawn.map(
    ({ name }, at) => `<sheet name="${xmlText(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  return (
    `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}">` +
    `<bookViews><workbookView activeTab="0"/></bookViews><sheets>${sheets.join('')}</sheets></workbook>`
  );
}

function workbookRelations(drawn: Drawn[]): string {
  return relations([
    ...drawn.map((_, at): [string, string] => ['worksheet', `worksheets/sheet${at + 1}.xml`]),
    ['styles', 'styles.xml'],
  ]);
}

/** The drawing first: the sheet names it. */
function commentRelations(number: number): string {
  return relations([
    ['vmlDrawing', `../drawings/vmlDrawing${number}.vml`],
    ['comments', `../comments${number}.xml`],
  ]);
}

function relations(targets: [type: string, target: string][]): string {
  const all = targets.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
}

function contentTypes(drawn: Drawn[]): string {
  const part = (name: string, type: string) =>
    `<Override PartName="${name}" ContentType="${SHEET_TYPES}.${type}+xml"/>`;
  return (
    `<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>' +
    `${part('/xl/workbook.xml', 'sheet.main')}${part('/xl/styles.xml', 'styles')}` +
    drawn.map((_, at) => part(`/xl/worksheets/sheet${at + 1}.xml`, 'worksheet')).join('') +
    drawn.map(({ sheet }, at) => (sheet.commented ? part(`/xl/comments${at + 1}.xml`, 'comments') : '')).join('') +
    '</Types>'
  );
}
