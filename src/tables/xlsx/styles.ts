import { builtInFormat, parseFormat, PLAIN, type NumberFormat } from '../sheet/number-format.ts';
import type { Package } from '../package/package.ts';
import { readSmallPart } from '../package/small-part.ts';

/** Characters; Excel allows 255. */
const LONGEST_FORMAT = 1000;
/** Formats that are known by their codes, and styles of cells; Excel allows 250 and 65,490. */
const MOST_FORMATS = 65_536;
const MOST_STYLES = 1_000_000;

/** What the number format of each style of cells means, by the style's number. Throws `file-rejected`. */
export async function readStyles(parts: Package, part: string): Promise<NumberFormat[]> {
  const ids: number[] = [];
  const codes = new Map<number, string>();
  await readSmallPart(parts, part, (element, attributes, parent) => {
    if (element === 'numFmt' && parent === 'numFmts') {
      if (codes.size < MOST_FORMATS) codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
    } else if (element === 'xf' && parent === 'cellXfs' && ids.length < MOST_STYLES)
      ids.push(Number(attributes['numFmtId'] ?? 0));
  });
  const formats = new Map<number, NumberFormat>();
  const formatOf = (id: number): NumberFormat => {
    const code = codes.get(id);
    if (code === undefined) return builtInFormat(id);
    return code.length > LONGEST_FORMAT ? PLAIN : parseFormat(code);
  };
  return ids.map((id) => {
    const format = formats.get(id) ?? formatOf(id);
    formats.set(id, format);
    return format;
  });
}
