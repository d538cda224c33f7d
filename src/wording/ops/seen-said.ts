import type { MergedTags, SignalCells, Signals } from '../../model.ts';
import { inFile, type Place } from '../files/place.ts';
import type { Language } from '../language/language.ts';

/** Which columns of prices and stock were seen, and what their cells said: label and text, in the reader's language. */
export function seenSaid({ seen, comparedWith, compared }: Signals, language: Language): [string, string][] {
  const { say } = language;
  const { price, stock } = seen;
  const said: [string, string][] = [];
  if (price !== null) {
    const { currency } = price;
    const more = currency === null ? [] : [say('ops.seen.currency', { currency })];
    said.push([say('ops.seen.price'), [cellsSaid(price, language), ...more].join(', ')]);
  }
  if (stock !== null) {
    const inStock = say('ops.seen.inStock', { count: stock.inStock });
    said.push([say('ops.seen.stock'), `${cellsSaid(stock, language)}, ${inStock}`]);
  }
  if (price !== null) {
    const text =
      comparedWith === null ? say('ops.seen.nothing') : say('ops.seen.run', { count: compared, run: comparedWith });
    said.push([say('ops.seen.compared'), text]);
  }
  return said;
}

function cellsSaid(
  { column, position, known, notGiven, unreadable, examples }: SignalCells,
  language: Language,
): string {
  const { say, list } = language;
  const name = column === null ? say('ops.seen.numbered', { position }) : say('quoted', { text: column });
  const said = say('ops.seen.cells', { column: name, known, missing: notGiven, unreadable });
  return examples.length === 0 ? said : `${said} (${list(examples.map((text) => say('quoted', { text })))})`;
}

/** Which rows got tags of other feeds, and what fell out because of the limit, in the reader's language. */
export function mergedTagsSaid({ rows, cut, examples }: MergedTags, language: Language): string[] {
  const { say } = language;
  const united = say('ops.merged.rows', { count: rows });
  if (cut === 0) return [united];
  const shown = examples.map(({ feed, file, sheet, line, brand, oem, dropped }) =>
    say('ops.merged.lost', {
      brand,
      oem,
      feed,
      place: placeSaid({ file, sheet, line }, language),
      tags: dropped.join(', '),
    }),
  );
  return [united, say('ops.merged.cut', { count: cut, examples: shown.join('; '), more: cut - examples.length })];
}

function placeSaid({ file, sheet, line }: Place, { say }: Language): string {
  return inFile(file, sheet === null ? say('report.place.line', { line }) : say('report.place.sheet', { sheet, line }));
}
