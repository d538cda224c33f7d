import { shortened } from '../../wording/printable.ts';

/** Physical lines of a text, from 1. */
export type LineRange = { first: number; last: number };

/**
 * The texts of ranges of physical lines, which rise and do not overlap, with line feeds between their lines; each is cut at `longest`
 * characters. Lines end as an editor counts them: with `\r\n`, `\n` or a lone `\r`. Reads no further than the last range.
 */
export async function textsOfLines(
  pieces: AsyncIterable<string>,
  ranges: LineRange[],
  longest: number,
): Promise<string[]> {
  const texts = ranges.map(() => '');
  let [at, line] = [0, 0];
  for await (const batch of physicalLines(pieces, longest)) {
    for (const text of batch) {
      line += 1;
      while (at < ranges.length && ranges[at]!.last < line) at += 1;
      if (at === ranges.length) return texts.map((found) => shortened(found, longest));
      const { first } = ranges[at]!;
      if (line < first || texts[at]!.length > longest) continue;
      texts[at] = line === first ? text : `${texts[at]}\n${text}`;
    }
  }
  return texts.map((found) => shortened(found, longest));
}

/** The lines of a text that comes in pieces, without their ends; of a line that is longer than `longest` only its beginning is kept. */
async function* physicalLines(pieces: AsyncIterable<string>, longest: number): AsyncGenerator<string[]> {
  let rest = '';
  for await (const piece of pieces) {
    const text = rest + piece;
    // A carriage return at the end may be half of a line end.
    const held = text.endsWith('\r') ? '\r' : '';
    const lines = unixText(held === '' ? text : text.slice(0, -1)).split('\n');
    rest = lines.pop()!.slice(0, longest + 1) + held;
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') yield unixText(rest).split('\n');
}

function unixText(text: string): string {
  if (!text.includes('\r')) return text;
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}
