import type { ColumnSettings } from '../../../config/schema/feed-settings.ts';
import type { Issue, TablePart } from '../../../model.ts';
import { cellCountIssue, duplicateIssue, leftOutIssue, lookalikesIssue } from '../../checks/row-issues.ts';
import {
  emptyIssue,
  formulaIssue,
  invisibleIssue,
  mojibakeIssue,
  undecodableIssue,
  writtenAs,
} from '../../checks/check-cell.ts';
import { placeholderIssue, whereIn } from '../../checks/check-value.ts';
import { tagsIssue } from '../../marks/check-tags.ts';
import { proposal, remedy } from '../../checks/repair.ts';
import { issueLine, type IssuesLayout } from '../../issues/issue-line.ts';
import type { Put, Table } from './kernel-settings.ts';

/** The line of an issue that kernels write themselves; null where such rows are left to the slow path. */
export type FindingTemplate = { code: Issue['code']; address: number } | null;

/** How issues are written; `names` are the names of a row's cells there. */
type Target = { layout: IssuesLayout; names: string[]; table: Pick<TablePart, 'file' | 'sheet'> };

/** A default that may appear in an issue's value; the kernel writes it unescaped. */
const PLAIN_DEFAULT = /^[\p{L}\d][\p{L}\d ._-]*$/u;

/* Placeholders for what differs: the line, a number, the value, the cells, letters in quotes, what the value becomes, a text with
 * its invisible characters spelled out, and without them, a garbled text as it was before, a text with printable characters in place of
 * controls. */
const LINE = 2 ** 40;
const COUNT = '\ue001';
const VALUE = '\ue002';
const CELLS = '\ue003';
const LETTERS = '\ue004';
const AFTER = '\ue005';
const VISIBLE = '\ue006';
const CLEANED = '\ue007';
const MENDED = '\ue009';
const READ = '\ue00a';
/** What stands for the key of a column, while the text is the same for each. */
const COLUMN = '\ue008';

/** The pieces of a template, as numbered in kernel/findings.ts. */
const [END, TEXT] = [0, 1];
const PIECES: Record<string, number> = {
  [String(LINE)]: 2,
  [COUNT]: 3,
  [VALUE]: 4,
  [CELLS]: 5,
  [LETTERS]: 6,
  [AFTER]: 7,
  [VISIBLE]: 8,
  [CLEANED]: 9,
  [MENDED]: 10,
  [READ]: 11,
};

/**
 * The templates of all kinds, in the order of kernel/findings.ts: cell count, tags, duplicates, lookalike letters of number and brand,
 * then each column where it is empty, has invisible characters, a failed formula, what cannot be decoded, a garbled text that can be mended,
 * one that cannot, or control characters that are printable, then where it stands for nothing; then each rule.
 */
export function findingTemplates(
  put: Put,
  { settings, map, dialect, charset }: Table,
  target: Target,
): FindingTemplate[] {
  const place = { line: LINE, value: VALUE };
  const isWritten = dialect.delimiter! >= ' ';
  const { columns } = settings;
  const lists = columns.filter(({ list }) => list);
  const parts = columns.filter(({ key }) => key === 'brand' || key === 'oem');
  const hasPlainParts = parts.every(({ fallback }) => fallback === null || PLAIN_DEFAULT.test(fallback));
  const inColumn = { ...place, column: COLUMN };
  const lookalikes = ['Cyrillic', 'Latin'].flatMap((alphabet) =>
    [true, false].map((isOne) =>
      lookalikesIssue(inColumn, { letters: LETTERS, isOne, alphabet, after: AFTER }, settings),
    ),
  );
  const cleaned = invisibleIssue(inColumn, { count: COUNT, before: VISIBLE, after: CLEANED });
  const failed = formulaIssue({ required: false }, inColumn, true);
  const failedRequired = formulaIssue({ required: true }, inColumn, true);
  const undecodable = columns.map(({ key }) =>
    undecodableIssue(inColumn, writtenAs(key, { settings, charset, writtenAs: map.writtenAs })),
  );
  const restores = settings.repair.includes('control-characters');
  const read = { count: COUNT, before: VISIBLE };
  const printable = restores
    ? invisibleIssue(inColumn, { ...read, fate: 'replaced', after: READ })
    : invisibleIssue(inColumn, { ...read, after: CLEANED, proposed: proposal('control-characters', READ) });
  const mends = settings.repair.includes('mojibake');
  const garbled = mojibakeIssue(inColumn, remedy('mojibake', mends, VISIBLE, MENDED));
  const lost = mojibakeIssue(inColumn, remedy('mojibake', mends, VISIBLE, null));
  const nothing = placeholderIssue(inColumn, true);
  const emptied = placeholderIssue(inColumn, false);
  const lines = new Map<Issue, string>();
  return [
    isWritten && map.broughtCells === 0 ? templateOf(cellCountIssue(place, COUNT, map.leastCells)) : null,
    settings.onTooManyTags === 'reject' && lists.length === 1
      ? templateOf(tagsIssue({ ...place, column: lists[0]!.key }, COUNT, settings))
      : null,
    hasPlainParts ? templateOf(duplicateIssue(LINE, VALUE, COUNT)) : null,
    ...['oem', 'brand'].flatMap((key) => lookalikes.map((issue) => templateOf(issue, key))),
    ...columns.map(({ key }) => templateOf(emptyIssue(key, { line: LINE, column: key, value: '' }))),
    ...columns.map(({ key }) => templateOf(cleaned, key)),
    ...columns.map(({ key, required }) => templateOf(required ? failedRequired : failed, key)),
    ...columns.map(({ key }, at) => templateOf(undecodable[at]!, key)),
    ...[garbled, lost, printable].flatMap((issue) => columns.map(({ key }) => templateOf(issue, key))),
    ...columns.map((column) =>
      judgesNothing(column) ? templateOf(column.required ? nothing : emptied, column.key) : null,
    ),
    ...settings.rules.map(({ name }) => (hasPlainParts ? templateOf(leftOutIssue(LINE, VALUE, name)) : null)),
  ];

  /**
   * Whether kernels judge what stands for nothing in a column. They know neither values that are kept nor the names of columns, and take a
   * row with an amount for none of these.
   */
  function judgesNothing(column: ColumnSettings): boolean {
    const where = whereIn(column);
    if (settings.keep.length > 0 || where === null) return false;
    return where === 'name' || where === 'tags' || (column.required && !map.header.some((name) => /\d/.test(name)));
  }

  /** The template of an issue; one of any column is written once, and gets its key then. */
  function templateOf(issue: Issue, key = ''): FindingTemplate {
    const line = lines.get(issue) ?? lineOf(issue, target);
    lines.set(issue, line);
    return { code: issue.code, address: put(pieces(put, line.replaceAll(COLUMN, key))) };
  }
}

/** The line of an issue with all placeholders; empty where issues are only counted. */
function lineOf(issue: Issue, { layout, names, table: { file, sheet } }: Target): string {
  if (layout === null) return '';
  const ofFile = file === undefined ? {} : { file };
  const line = issueLine({ ...issue, ...ofFile, sheet, cells: [CELLS] }, layout, names, file !== undefined);
  return layout === 'csv'
    ? line.replace(`${CELLS}${','.repeat(names.length)}`, CELLS)
    : line.replace(`["${CELLS}"]`, `[${CELLS}]`);
}

const BETWEEN_PIECES = new RegExp(`(${Object.keys(PIECES).join('|')})`);

/** Whether the name of a file or a sheet can stand in a template: some texts stand for what differs there. */
export function isPlainName(name: string): boolean {
  return !BETWEEN_PIECES.test(name) && !name.includes(COLUMN);
}

function pieces(put: Put, line: string): Uint8Array {
  const words = line.split(BETWEEN_PIECES).flatMap((text) => {
    const piece = PIECES[text];
    if (piece !== undefined) return [piece, 0, 0];
    const bytes = Buffer.from(text);
    return bytes.length === 0 ? [] : [TEXT, put(bytes), bytes.length];
  });
  return new Uint8Array(Uint32Array.from([...words, END]).buffer);
}
