import type { Detection } from '../model.ts';
import { decodeText } from '../text-decode.ts';
import { hasLooseQuotes } from './loose-quotes.ts';
import type { TableShape } from './swallowed-rows.ts';
import type { ScanDialect } from './text-view.ts';

/** So many characters tell how a file uses quotes. */
const BEGINNING = 1_000_000;

/** What a scanner has to know of a file: judged by its beginning, so that every part of it is read by the same rule. */
export async function tableShapeOf(path: string, detection: Detection, dialect: ScanDialect): Promise<TableShape> {
  const { charset, bom, headerLine, columns } = detection;
  let beginning = '';
  for await (const text of decodeText(path, charset, bom)) {
    beginning += text;
    if (beginning.length >= BEGINNING) break;
  }
  return {
    width: columns.length === 0 ? null : columns.length,
    looseQuotes: hasLooseQuotes(beginning, dialect, headerLine),
  };
}
