import { OfferlineError } from '../../errors.ts';
import { builtInFormat, parseFormat, PLAIN, type NumberFormat } from '../sheet/number-format.ts';
import type { Package } from '../package/package.ts';
import { type OnElement, readSmallPart } from '../package/small-part.ts';

/** Characters; Excel allows 255. */
const LONGEST_FORMAT = 1000;
/** Formats that are known by their codes, and styles of cells; Excel allows 250 and 65,490. */
const MOST_FORMATS = 65_536;
const MOST_STYLES = 1_000_000;

/** What the number format of each style of cells means, by the style's number; `areDamaged`: of some it is not known. */
export type Styles = { formats: NumberFormat[]; areDamaged: boolean };

/** Reads the styles of cells, as far as they are whole: most cells do without. */
export async function readStyles(parts: Package, part: string): Promise<Styles> {
  const ids: number[] = [];
  const codes = new Map<number, string>();
  const onElement: OnElement = (element, attributes, parent) => {
    if (element === 'numFmt' && parent === 'numFmts') {
      if (codes.size < MOST_FORMATS) codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
    } else if (element === 'xf' && parent === 'cellXfs' && ids.length < MOST_STYLES)
      ids.push(Number(attributes['numFmtId'] ?? 0));
  };
  const areDamaged = await readSmallPart(parts, part, onElement).then(
    () => false,
    (error: unknown) => {
      const isDamage = error instanceof OfferlineError && error.details['code'] === 'workbook-broken';
      if (isDamage && error.details['dtd'] !== true) return true;
      throw error;
    },
  );
  const formats = new Map<number, NumberFormat>();
  const formatOf = (id: number): NumberFormat => {
    const code = codes.get(id);
    if (code === undefined) return builtInFormat(id);
    return code.length > LONGEST_FORMAT ? PLAIN : parseFormat(code);
  };
  const found = ids.map((id) => {
    const format = formats.get(id) ?? formatOf(id);
    formats.set(id, format);
    return format;
  });
  return { formats: found, areDamaged };
}
