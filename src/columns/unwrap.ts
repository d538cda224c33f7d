import type { ColumnWrap, Wraps } from '../model.ts';
import { withoutMarkup } from './markup.ts';

/**
 * What can be taken off a value: what stands around it, of a list its empty and repeated tags, and the spelling of a brand that stands for another.
 * The kernel numbers the kinds in the same way.
 */
export const WRAP_KINDS = [
  'backslashes',
  'formula',
  'pair',
  'apostrophe',
  'decimals',
  'tags',
  'markup',
  'typography',
  'spelling',
] as const;
export type WrapKind = (typeof WRAP_KINDS)[number];

/** A value without what stood around it, and which kinds that was. */
type Unwrapped = { text: string; kinds: WrapKind[] };

/** Takes off what stands around a value; null when nothing does. */
export type Unwrap = (cell: string) => Unwrapped | null;

const EQUALS = 0x3d;
const SPACE = 0x20;
const TEXT = String.raw`"(?:[^"]|"")*"`;
/** One text of a formula, as it is or in the function for texts. */
const TERM = `(?:${TEXT}|[TТ]\\(${TEXT}\\))`;
/** A formula that only says which text a cell has: `="0012"`, `="0012"&""`, `=T("0012")`. */
const FORMULA = new RegExp(`^ *=(${TERM}(?:&${TERM})*) *$`, 'iu');
const TEXTS = new RegExp(TEXT, 'g');
/** A link in a spreadsheet: where it leads, which text is shown. */
const LINK = new RegExp(`^ *=HYPERLINK\\(${TEXT}[,;] *(${TEXT})\\) *$`, 'i');

const WIDE = /[\uff01-\uff5e]/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
const TYPOGRAPHY = new RegExp(`${WIDE.source}|${DASHES.source}`);
/** How far a wide letter is behind the plain one. */
const WIDE_BY = 0xfee0;
/** Kana, ideographs, Hangul. */
const EAST_ASIAN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

const BACKSLASHED = /\\(.)/gsu;
/** What a backslash before a character stands for; breaks and tabs would become blanks anyway. */
const MEANT: Record<string, string> = { t: ' ', n: ' ', r: ' ', b: ' ', f: ' ', v: ' ', 0: '', Z: '' };
const THEMSELVES = new Set(['\\', '"', "'"]);

/**
 * How the values of a column are unwrapped, which is the one at this index of the cells. `isPart`: it has brands or article numbers, which
 * are searched for by the plain letters that they stand for; other texts keep theirs.
 */
export function createUnwrap({ backslashes, columns }: Wraps, index: number, isPart = true): Unwrap {
  const column = columns.find(({ position }) => position === index + 1) ?? null;
  if (column === null && !backslashes && !isPart) return unwrapAlone;
  return (cell) => unwrap(cell, { column, backslashes, isPart });
}

/** Takes off what is part of no value, whatever the column has. */
function unwrapAlone(cell: string): Unwrapped | null {
  return mayBeFormula(cell) || cell.includes('&') || cell.includes('<')
    ? unwrap(cell, { column: null, backslashes: false, isPart: false })
    : null;
}

/** The text of a cell of which nothing else is known. */
export function textAlone(cell: string): string {
  return unwrapAlone(cell)?.text ?? cell;
}

function mayBeFormula(cell: string): boolean {
  const first = cell.charCodeAt(0);
  return first === EQUALS || (first === SPACE && cell.trimStart().startsWith('='));
}

function unwrap(
  cell: string,
  { column, backslashes, isPart }: { column: ColumnWrap | null; backslashes: boolean; isPart: boolean },
): Unwrapped | null {
  const kinds: WrapKind[] = [];
  let text = cell;
  const take = (kind: WrapKind, found: string | null) => {
    if (found === null) return;
    text = found;
    kinds.push(kind);
  };
  if (backslashes) take('backslashes', withoutBackslashes(text));
  if (mayBeFormula(text)) take('formula', withoutFormula(text));
  take('markup', withoutMarkup(text));
  if (column !== null) {
    if (column.pair !== null) take('pair', withoutPair(text, column.pair));
    const lead = leadOf(column);
    if (lead !== null) take('apostrophe', withoutLead(text, lead));
  }
  if (isPart) take('typography', withoutTypography(text));
  if (column !== null && column.decimals !== null) take('decimals', withoutDecimals(text, column.decimals));
  return kinds.length === 0 ? null : { text, kinds };
}

/** A cell without the backslashes of a database; null when it has none. Only a whole cell is `\N`, which is no value. */
function withoutBackslashes(cell: string): string | null {
  if (!cell.includes('\\')) return null;
  if (trimSpaces(cell) === String.raw`\N`) return '';
  const text = cell.replaceAll(BACKSLASHED, (written, character: string) =>
    THEMSELVES.has(character) ? character : (MEANT[character] ?? written),
  );
  return text === cell ? null : text;
}

/** The text of a formula that is nothing but a text, else null. */
function withoutFormula(cell: string): string | null {
  const terms = (FORMULA.exec(cell) ?? LINK.exec(cell))?.[1];
  if (terms === undefined) return null;
  return terms
    .match(TEXTS)!
    .map((text) => text.slice(1, -1).replaceAll('""', '"'))
    .join('');
}

/** The text inside a pair that stands around all of it, else null. */
export function withoutPair(cell: string, [open, close]: [string, string]): string | null {
  const text = trimSpaces(cell);
  if (text.length < open.length + close.length || !text.startsWith(open) || !text.endsWith(close)) return null;
  const inside = text.slice(open.length, -close.length);
  return inside.includes(open) || inside.includes(close) ? null : inside;
}

/** What stands in front of the values of a column: an apostrophe, or what was written for one. */
export function leadOf({ apostrophe, lead }: ColumnWrap): string | null {
  return lead ?? (apostrophe ? "'" : null);
}

/** The text behind an apostrophe or what was written for one, else null. */
export function withoutLead(cell: string, lead: string): string | null {
  const text = trimSpaces(cell);
  return text.startsWith(lead) ? text.slice(lead.length) : null;
}

/** The plain letters, digits and hyphens for wide ones and for dashes of typesetting; null when there are none, or when ideographs stand among them. */
function withoutTypography(cell: string): string | null {
  if (!TYPOGRAPHY.test(cell) || EAST_ASIAN.test(cell)) return null;
  const narrow = (wide: string) => String.fromCharCode(wide.charCodeAt(0) - WIDE_BY);
  return cell.replaceAll(WIDE, narrow).replaceAll('\u3000', ' ').replaceAll(DASHES, '-');
}

/** A number without the decimals that say nothing, else null. */
function withoutDecimals(cell: string, decimals: string): string | null {
  const text = trimSpaces(cell);
  if (!text.endsWith(decimals)) return null;
  const number = text.slice(0, -decimals.length);
  return /^\d+$/.test(number) ? number : null;
}

/** Spaces alone, which files have around cells; other blanks go later. */
function trimSpaces(cell: string): string {
  return cell.replace(/^ +/, '').replace(/ +$/, '');
}
