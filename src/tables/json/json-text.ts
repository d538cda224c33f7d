import { checkUtf8, headOf, markedEncoding, wrongEncoding } from '../encoding.ts';
import type { TableInput } from '../table-file.ts';
import { textPieces } from '../text-pieces.ts';
import type { JsonText } from './parse-json.ts';

/**
 * How a JSON file is read: as UTF-8 or UTF-16, and as NDJSON when its first two lines begin with a brace each where other JSON
 * cannot have one. Throws `file-rejected` when its bytes are not UTF-8.
 */
export async function jsonText(input: TableInput): Promise<JsonText> {
  const marked = markedEncoding(await headOf(input, 4));
  const encoding = marked ?? { charset: 'utf-8', bom: false };
  if (encoding.charset === 'utf-8') {
    const { badLine } = await checkUtf8(input);
    if (badLine !== null) throw wrongEncoding(input.name, 'is JSON, which is UTF-8', badLine);
  }
  return { input, encoding, isLines: /^\{[^[{:,]\{$/.test(await lineEdges(input, encoding)) };
}

/** The first and last character of the first line that is not blank, and the first of the next one. */
async function lineEdges(input: TableInput, encoding: JsonText['encoding']): Promise<string> {
  let [first, last] = ['', ''];
  let isOver = false;
  for await (const piece of textPieces(input, encoding)) {
    for (let at = 0; at < piece.length; at++) {
      const isBlank = /\s/.test(piece[at]!);
      if (first === '' && !isBlank) first = piece[at]!;
      if (isOver && !isBlank) return first + last + piece[at]!;
      if (first === '' || isOver) continue;
      const end = piece.indexOf('\n', at);
      last =
        piece
          .slice(at, end < 0 ? undefined : end)
          .trimEnd()
          .at(-1) ?? last;
      isOver = end >= 0;
      at = end < 0 ? piece.length : end;
    }
  }
  return first + last;
}
