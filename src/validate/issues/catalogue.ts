import { printable } from '../../wording/printable.ts';
import type { Issue, Severity } from '../../model.ts';

type IssueKind = {
  title: string;
  /** What it means and what to do about it; Markdown for docs/issues.md. */
  description: string;
  severity: Severity;
  /** The message with named placeholders; every placeholder is a fact that `createIssue` demands. */
  message: string;
};

/** Every issue that reading a supplier's file can find; docs/issues.md is generated from it. */
export const ISSUES = {
  'file-empty': {
    title: 'The file is empty',
    description: 'There is not one line of text in the file. Ask the supplier to send it again.',
    severity: 'error',
    message: 'The file is empty. Ask the supplier to send it again.',
  },
  'no-rows': {
    title: 'No rows below the header',
    description:
      'The file has a header and nothing else, so there is nothing to upload. The last good data stays live.',
    severity: 'error',
    message: 'The file has a header (line {line}) but no rows. Ask the supplier to send it again.',
  },
  'column-missing': {
    title: 'A required column is missing',
    description:
      'No column of the header has one of the accepted spellings, so the whole file is rejected. Add the spelling that ' +
      'this supplier uses, or the position of the column, to `feeds.NAME.columns`; or give `feeds.NAME.defaults` a ' +
      'value that fills the column. Case, spaces, underscores and quotes make no difference between spellings.',
    severity: 'error',
    message: 'The column "{column}" is missing. Accepted spellings: {accepted}. Columns of the file: {found}. {advice}',
  },
  'column-ambiguous': {
    title: 'Two columns for one',
    description:
      'More than one column of the header has an accepted spelling. The first is used. To use another one, give its ' +
      'position under `feeds.NAME.columns`.',
    severity: 'warning',
    message:
      'Several columns fit "{column}": {found}. The first is used; ' +
      'give a position under feeds.NAME.columns.{column} to use another one.',
  },
  'brand-empty': {
    title: 'The brand is empty',
    description: 'An offer without a brand cannot be found by anyone. The row is dropped; fill the cell.',
    severity: 'error',
    message: 'The brand is empty. Fill it in; a row without a brand is dropped.',
  },
  'oem-empty': {
    title: 'The article number is empty',
    description: 'An offer without an article number cannot be found by anyone. The row is dropped; fill the cell.',
    severity: 'error',
    message: 'The article number is empty. Fill it in; a row without a number is dropped.',
  },
  'value-empty': {
    title: 'A required cell is empty',
    description: 'The column is marked `required` in the `offer.columns` settings. The row is dropped; fill the cell.',
    severity: 'error',
    message: 'The cell of the required column "{column}" is empty. Fill it in; the row is dropped.',
  },
  'too-many-tags': {
    title: 'Too many tags',
    description:
      'The service refuses an offer with more than 20 tags. Tags are counted after trimming and without repetitions. ' +
      'The row is dropped; with `onTooManyTags: truncate` the first 20 are kept and this is only a warning.',
    severity: 'error',
    message: '{count} tags, but at most {max} are allowed; {consequence}.',
  },
  'wrong-cell-count': {
    title: 'Wrong number of cells',
    description:
      'The row has fewer or more cells than the header, so it is not certain which cell belongs to which column. The ' +
      'row is dropped. Often a delimiter stands inside a cell that is not quoted, or the line is a heading or a total. ' +
      'Empty cells at the end of a row do no harm.',
    severity: 'error',
    message:
      'The row has {count} cells instead of {expected}. Quote cells that contain the delimiter; fill up rows that are short.',
  },
  'unclosed-quote': {
    title: 'A quote is opened and never closed',
    description:
      'A cell begins with a quotation mark and no matching one ends it. The line is dropped and reading goes on with ' +
      'the next line. Close the quote, or double a quotation mark that belongs to the text (`"5"" hose"`).',
    severity: 'error',
    message: 'A quote is opened in this line and never closed. Close it, or double a quotation mark inside a cell.',
  },
  'row-too-long': {
    title: 'The row is too long',
    description:
      'The row is longer than `limits.rowLength` allows and is dropped; the rows after it are read. The file is probably ' +
      'damaged here, often by a line end that is missing.',
    severity: 'error',
    message: 'The row has {count} characters, but at most {max} (limits.rowLength) are allowed. It is dropped.',
  },
  'cell-too-long': {
    title: 'The cell is too long',
    description: 'The cell is longer than `limits.cellLength` allows. The row is dropped; shorten the text.',
    severity: 'error',
    message: 'The cell has {count} characters, but at most {max} (limits.cellLength) are allowed. Shorten it.',
  },
  undecodable: {
    title: 'Bytes that are not text',
    description:
      'Some bytes mean nothing in the charset of the file, or the file already carries replacement characters (�). ' +
      'The row is dropped. When many rows are hit by such bytes, the charset is wrong: set `feeds.NAME.dialect.charset`.',
    severity: 'error',
    message:
      'The cell holds bytes that are not {charset} text, or replacement characters (�). If this is frequent, set ' +
      'feeds.NAME.dialect.charset; where the file itself has lost its letters, ask the supplier to export it again.',
  },
  'repeated-header': {
    title: 'The header again',
    description: 'The row repeats the header, as in lists that were joined from several sheets. It is not an offer.',
    severity: 'error',
    message: 'The row repeats the header and is dropped.',
  },
  footer: {
    title: 'A line below the table',
    description:
      'The line is a total or a count (`Total: 12 345 positions`, `Итого`, `Summe`), not an offer. It is not uploaded, and ' +
      'it does not reject the file with `onBadRow: reject-file`. There is nothing to do.',
    severity: 'error',
    message: 'The line is a total below the table, not an offer; it is not uploaded.',
  },
  duplicate: {
    title: 'The same part twice',
    description:
      'Brand and article number were already met further up; case, spaces, dashes and dots make no difference. The ' +
      'first row wins. Duplicates are counted apart from rejected rows.',
    severity: 'warning',
    message: 'The part of line {line} was already offered in line {first}; the first one is used.',
  },
  'scientific-notation': {
    title: 'A number damaged by a spreadsheet',
    description:
      'The article number looks like `1,23E+11`: a spreadsheet has shortened a long number and its digits are lost. ' +
      'The row is kept. Ask the supplier to format the column as text and to export it again.',
    severity: 'warning',
    message: 'The number looks shortened by a spreadsheet. Format the column as text and export the file again.',
  },
  'number-became-date': {
    title: 'A date where a number was',
    description:
      'The article number looks like `01.03.2026` or `1-Mar`: a spreadsheet took the number for a date. The row is kept, ' +
      'for the number cannot be told any more. Ask the supplier to format the column as text and to export it again.',
    severity: 'warning',
    message: 'The number is a date: a spreadsheet changed it. Format the column as text and export the file again.',
  },
  'leading-zero-lost': {
    title: 'A leading zero is gone',
    description:
      'The delivery of this feed that is live has the same part with zeros at the beginning of its number; a spreadsheet ' +
      'took the number for an amount. The row is kept. Ask the supplier to format the column as text and to export it again.',
    severity: 'warning',
    message:
      'The number has lost its leading zero: what is live has it with one. Format the column as text and export the file again.',
  },
  'spreadsheet-error': {
    title: 'The message of a failed formula',
    description:
      'A spreadsheet wrote `#REF!`, `#N/A`, `#NAME?` or the like in place of a value. In a required column this costs the ' +
      'row; elsewhere it is a warning, and the cell is uploaded as it is. Ask the supplier to mend the formula.',
    severity: 'error',
    message: 'A formula of the supplier’s spreadsheet has failed here. Mend it and export the file again.',
  },
  'lookalike-letters': {
    title: 'Letters of another alphabet',
    description:
      'A brand or an article number mixes Cyrillic and Latin letters that look the same (`ОС 90` with a Cyrillic О and С), so ' +
      'nobody finds it who types it. A number whose letters are all Cyrillic is named when they all look Latin, it has digits ' +
      'and its brand is Latin. The row is kept as it is; with `feeds.NAME.repair: [lookalikes]` the letters are changed.',
    severity: 'warning',
    message: 'Cyrillic and Latin letters that look the same are mixed up: {letters}. {remedy}',
  },
  mojibake: {
    title: 'Text decoded wrongly before it reached us',
    description:
      'The text looks like UTF-8 that somebody read in another charset (`Ð¤Ð¸Ð»ÑŒÑ‚Ñ€` for `Фильтр`) and saved. The ' +
      'row is kept as it is; with `feeds.NAME.repair: [mojibake]` the text is repaired where that is certain. Better ask ' +
      'the supplier to repair the export.',
    severity: 'warning',
    message: 'The text looks garbled by a wrong charset in the supplier’s system. {remedy}',
  },
  'control-character': {
    title: 'Invisible characters were removed',
    description:
      'Control characters, zero-width characters and the like were removed from the cell. The row is kept. Control ' +
      'characters that are marks of windows-1252 (`–`, `™`, `…`) in a text taken for ISO-8859-1 are such marks again ' +
      'with `feeds.NAME.repair: [control-characters]`. (Tabs and line breaks inside a cell become a space without an issue.)',
    severity: 'warning',
    message: '{count} invisible characters were {fate}: {before} became {after}. {proposal}',
  },
} as const satisfies Record<string, IssueKind>;

export type IssueCode = keyof typeof ISSUES;

/** Where an issue was found. */
export type Place = { line: number | null; column?: string | null; value?: string | null };

/** The facts that a code's message needs beside line and column. */
type Facts<Code extends IssueCode> = Record<
  Exclude<Placeholder<(typeof ISSUES)[Code]['message']>, 'line' | 'column'>,
  string | number
>;
type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** Longer values are cut in issues, whose place is named anyway. */
const VALUE_LENGTH = 200;

/** An issue of the catalogue with its message filled in; `severity` is the catalogue's unless the case is milder. */
export function createIssue<Code extends IssueCode>(
  code: Code,
  place: Place,
  facts: Facts<Code>,
  severity: Severity = ISSUES[code].severity,
): Issue {
  const { line, column = null, value = null } = place;
  return { code, severity, line, column, value: value === null ? null : cut(value), message: fill(code, place, facts) };
}

/** The texts and the names of the placeholders of a message in turn; cut once for each code. */
const templates = new Map<IssueCode, string[]>();

function fill(code: IssueCode, { line, column = null }: Place, facts: Record<string, string | number>): string {
  let parts = templates.get(code);
  if (parts === undefined) {
    parts = ISSUES[code].message.split(/\{(\w+)\}/);
    templates.set(code, parts);
  }
  let message = parts[0]!;
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at]!;
    message += printable(String(facts[name] ?? (name === 'line' ? line : column))) + parts[at + 1]!;
  }
  return message.trimEnd();
}

function cut(value: string): string {
  return value.length > VALUE_LENGTH ? `${value.slice(0, VALUE_LENGTH).toWellFormed()}…` : value;
}
