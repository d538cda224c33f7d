import type { Demand } from '../parts/demand.ts';
import { partKey } from '../parts/part-key.ts';
import type { CauseExample, RowCause, RunAnswer, Severity } from '../model.ts';
import { partNamer, type Named, type ReportInput, type StoredIssue, type StoredRejection } from './input.ts';

/** Causes that are told apart; whatever else there is becomes one cause without a code and a text. */
const MOST_CAUSES = 500;
/** Brands that a cause counts, and those that it names. */
const MOST_BRANDS = 2_000;
const SHOWN_BRANDS = 5;
const EXAMPLES = 3;
const VALUE_LENGTH = 500;
const TEXT_LENGTH = 300;

type Kind = Pick<RowCause, 'code' | 'column' | 'text' | 'by' | 'severity'>;

/** A row with a cause, and whether the whole file has it. */
type Found = Kind & { example: CauseExample; ofFile: boolean };

type Tally = Kind & {
  rows: number;
  ofFile: boolean;
  last: string | null;
  brands: Map<string, { brand: string; rows: number }>;
  examples: CauseExample[];
};

/**
 * The issues and rejections of a run by cause: what costs rows first, the whole file before many rows and these before few; its examples are the
 * rows in most demand. A cause of the whole file has no rows. Both streams are read to their ends; memory does not grow with them.
 */
export async function groupCauses(
  input: Pick<ReportInput, 'issues' | 'rejections' | 'columns' | 'demand'> & { answer?: Pick<RunAnswer, 'dialect'> },
): Promise<RowCause[]> {
  const tallies = new Map<string, Tally>();
  const partOf = partNamer(input.columns.issues);
  for await (const issue of input.issues()) add(tallies, foundHere(issue, partOf(issue)), input.demand);
  const ofFiles = input.answer?.dialect?.format === 'files';
  for await (const rejection of input.rejections()) add(tallies, foundThere(rejection, ofFiles), input.demand);
  return [...tallies.values()].sort(byLoss).map(causeOf);
}

function foundHere(issue: StoredIssue, { brand, oem }: Named): Found {
  const { code, severity, column, value, file, sheet = null, line, cells = [] } = issue;
  const example = { file, sheet, line, brand, oem, value: value?.slice(0, VALUE_LENGTH).toWellFormed() ?? null };
  // What is found of a row comes with its cells; a header has a line and none.
  return { code, column, text: null, by: 'us', severity, example, ofFile: line === null || cells.length === 0 };
}

function foundThere(rejection: StoredRejection, ofFiles: boolean): Found {
  const { code, sheet, line, brand, oem } = rejection;
  const file = ofFiles ? (rejection.file ?? undefined) : undefined;
  const text = wordsAlone(rejection) || (code === null ? '…' : null);
  const example = { file, sheet, line, brand, oem, value: null };
  return { code, column: null, text, by: 'service', severity: 'error', example, ofFile: false };
}

const QUOTED = /"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu;
const WORDS = /[^\s"“”„«»(),;:]+/gu;

/** What the service says with the values of the row taken out, so that one complaint about many rows is one text. */
function wordsAlone({ message, brand, oem }: StoredRejection): string {
  let text = message.slice(0, 10 * TEXT_LENGTH).replaceAll(/\s+/g, ' ');
  for (const value of [oem, brand]) text = value === null ? text : without(text, value.replaceAll(/\s+/g, ' ').trim());
  // What has a digit in it is a number, a part number, a date or a line.
  text = text.replaceAll(QUOTED, '…').replaceAll(WORDS, (word) => (/\p{N}/u.test(word) ? '…' : word));
  return text
    .replaceAll(/…(?:[\s.,;:/-]*…)+/g, '…')
    .slice(0, TEXT_LENGTH)
    .toWellFormed()
    .trim();
}

const WORD = /[\p{L}\p{N}]/u;

/** A text without a value, where that stands as words of its own. By hand: a pattern for each value takes a thousand times as long. */
function without(text: string, value: string): string {
  if (value.length < 2) return text;
  const folded = text.toLowerCase();
  // A brand may be spelled like a word of the sentence, and a few letters change their length with their case.
  const isExact = text.includes(value) || folded.length !== text.length;
  const [here, found] = isExact ? [text, value] : [folded, value.toLowerCase()];
  let left = '';
  let from = 0;
  for (let at = here.indexOf(found); at >= 0; at = here.indexOf(found, at + 1)) {
    const end = at + found.length;
    if (at < from || WORD.test(text.charAt(at - 1)) || WORD.test(text.charAt(end))) continue;
    left += `${text.slice(from, at)}…`;
    from = end;
  }
  return left + text.slice(from);
}

function add(tallies: Map<string, Tally>, found: Found, demand: Demand): void {
  const { example, ofFile, ...kind } = found;
  const tally = tallyOf(tallies, kind);
  const { file, sheet, line, brand } = example;
  if (ofFile) tally.ofFile = true;
  // A row that has the same issue twice is one row.
  const place = line === null ? null : `${file ?? ''}!${sheet ?? ''}!${line}`;
  if (place !== null && place === tally.last) return;
  tally.last = place;
  keepExample(tally, example, demand.of(example));
  if (ofFile) return;
  tally.rows += 1;
  const folded = partKey(brand ?? '', '');
  const known = tally.brands.get(folded);
  if (known !== undefined) known.rows += 1;
  else if (brand !== null && brand.trim() !== '' && tally.brands.size < MOST_BRANDS) {
    tally.brands.set(folded, { brand: brand.slice(0, VALUE_LENGTH).toWellFormed(), rows: 1 });
  }
}

/** Keeps the first rows among those in most demand. */
function keepExample({ examples }: Tally, example: CauseExample, demand: number | null): void {
  const last = examples.at(-1);
  if (examples.length === EXAMPLES && (demand ?? Infinity) >= (last?.demand ?? Infinity)) return;
  const at = examples.findIndex((one) => (one.demand ?? Infinity) > (demand ?? Infinity));
  examples.splice(at < 0 ? examples.length : at, 0, demand === null ? example : { ...example, demand });
  examples.length = Math.min(examples.length, EXAMPLES);
}

function tallyOf(tallies: Map<string, Tally>, kind: Kind): Tally {
  const told = tallies.get(keyOf(kind));
  if (told !== undefined) return told;
  const { by, severity } = kind;
  const own = tallies.size < MOST_CAUSES ? kind : { code: null, column: null, text: null, by, severity };
  const known = tallies.get(keyOf(own));
  if (known !== undefined) return known;
  const tally: Tally = { ...own, rows: 0, ofFile: false, last: null, brands: new Map(), examples: [] };
  tallies.set(keyOf(own), tally);
  return tally;
}

/** The words of a service tell causes apart only where it gives no code. */
function keyOf({ code, column, text, by, severity }: Kind): string {
  return [by, severity, code, column, code === null ? text : null].join('\t');
}

const SEVERITIES: Severity[] = ['error', 'warning', 'info'];

function byLoss(a: Tally, b: Tally): number {
  if (a.severity !== b.severity) return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
  if (a.severity === 'error' && a.ofFile !== b.ofFile) return a.ofFile ? -1 : 1;
  return b.rows - a.rows || (keyOf(a) < keyOf(b) ? -1 : 1);
}

function causeOf({ ofFile: _ofFile, last: _last, brands, ...cause }: Tally): RowCause {
  const named = [...brands.values()].sort((a, b) => b.rows - a.rows || (a.brand < b.brand ? -1 : 1));
  return {
    ...cause,
    brands: named.slice(0, SHOWN_BRANDS),
    moreBrands: Math.max(0, named.length - SHOWN_BRANDS),
  };
}
