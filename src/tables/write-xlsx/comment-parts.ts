import type { Comment } from './sheet-part.ts';
import { columnName, xmlText } from './xml-text.ts';

/** Shapes of a block of numbers; each drawing has blocks of its own. */
const BLOCK = 1024;
/** Comments that are put together at a time. */
const BATCH = 200;
/** Characters in a line of the box that shows a comment. */
const LINE_LENGTH = 38;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** How many blocks of numbers the shapes of these comments need. */
export function blocksOf(comments: Comment[]): number {
  return Math.ceil((comments.length + 1) / BLOCK);
}

/** The texts of a sheet's comments, in pieces. */
export function* commentsPart(comments: Comment[], author: string): Generator<string> {
  yield `<comments xmlns="${MAIN}"><authors><author>${xmlText(author)}</author></authors><commentList>`;
  for (let at = 0; at < comments.length; at += BATCH) {
    let piece = '';
    for (const { row, column, text } of comments.slice(at, at + BATCH)) {
      piece +=
        `<comment ref="${columnName(column)}${row + 1}" authorId="0"><text><r><rPr><sz val="9"/><rFont val="Tahoma"/></rPr>` +
        `<t xml:space="preserve">${xmlText(text)}</t></r></text></comment>`;
    }
    yield piece;
  }
  yield '</commentList></comments>';
}

/** The boxes of a sheet's comments, in pieces, without which spreadsheets show none. `block` is the first free block of numbers. */
export function* drawingPart(comments: Comment[], block: number): Generator<string> {
  const blocks = Array.from({ length: blocksOf(comments) }, (_, at) => block + at).join(',');
  yield (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" ' +
    'xmlns:x="urn:schemas-microsoft-com:office:excel">' +
    `<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="${blocks}"/></o:shapelayout>` +
    '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">' +
    '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>'
  );
  for (let at = 0; at < comments.length; at += BATCH) {
    let piece = '';
    for (const [offset, comment] of comments.slice(at, at + BATCH).entries())
      piece += shape(comment, block * BLOCK + at + offset + 1);
    yield piece;
  }
  yield '</xml>';
}

function shape({ row, column, text }: Comment, id: number): string {
  const lines = text.split('\n').reduce((sum, line) => sum + Math.ceil((line.length + 1) / LINE_LENGTH), 1);
  const anchor = [column + 1, 15, Math.max(0, row - 1), 4, column + 5, 15, Math.max(0, row - 1) + lines + 1, 4].join(
    ', ',
  );
  return (
    `<v:shape id="_x0000_s${id}" type="#_x0000_t202" style="position:absolute;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">` +
    '<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>' +
    '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
    `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor>` +
    `<x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`
  );
}
