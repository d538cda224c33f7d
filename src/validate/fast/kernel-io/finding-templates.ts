import type { Issue } from '../../../model.ts';
import { cellCountIssue, duplicateIssue } from '../../checks/check-row.ts';
import { emptyIssue, tagsIssue } from '../../checks/check-cell.ts';
import { issueLine, type IssuesLayout } from '../../issues/issue-line.ts';
import type { Put, Table } from './kernel-settings.ts';

/** The line of an issue that kernels write themselves; null: they leave such rows to the careful path. */
export type FindingTemplate = { code: Issue['code']; address: number } | null;

/** Where issues go; `names`: what the cells of a row are called there. */
type Target = { layout: IssuesLayout; names: string[] };

/** A default that stands for a cell in an issue's value; the kernel writes it as it is. */
const PLAIN_DEFAULT = /^[\p{L}\d][\p{L}\d ._-]*$/u;

/* Marks in the places of what differs: the line, a number, the value, the cells. */
const LINE = 2 ** 40;
const COUNT = '\ue001';
const VALUE = '\ue002';
const CELLS = '\ue003';

/** The words of kernel/findings.ts for what is to be written. */
const [END, TEXT, LINE_PIECE, COUNT_PIECE, VALUE_PIECE, CELLS_PIECE] = [0, 1, 2, 3, 4, 5];
const PIECES: Record<string, number> = {
  [String(LINE)]: LINE_PIECE,
  [COUNT]: COUNT_PIECE,
  [VALUE]: VALUE_PIECE,
  [CELLS]: CELLS_PIECE,
};

/** The templates of all kinds, in the order of kernel/findings.ts: numbers of cells, tags, duplicates, each empty column. */
export function findingTemplates(put: Put, { settings, map, dialect }: Table, target: Target): FindingTemplate[] {
  const place = { line: LINE, value: VALUE };
  const isWritten = dialect.delimiter! >= ' ';
  const tags = settings.columns.find(({ list }) => list)?.key ?? '';
  const hasOneList = settings.columns.filter(({ list }) => list).length === 1;
  const parts = settings.columns.filter(({ key }) => key === 'brand' || key === 'oem');
  const hasPlainParts = parts.every(({ fallback }) => fallback === null || PLAIN_DEFAULT.test(fallback));
  const issues = [
    isWritten ? cellCountIssue(place, COUNT, map.leastCells) : null,
    settings.onTooManyTags === 'reject' && hasOneList ? tagsIssue({ ...place, column: tags }, COUNT, settings) : null,
    hasPlainParts ? duplicateIssue(LINE, VALUE, COUNT) : null,
    ...settings.columns.map(({ key }) => emptyIssue(key, { line: LINE, column: key, value: '' })),
  ];
  return issues.map((issue) =>
    issue === null ? null : { code: issue.code, address: put(pieces(put, lineOf(issue, target))) },
  );
}

/** An issue with all marks; where issues are only counted, nothing. */
function lineOf(issue: Issue, { layout, names }: Target): string {
  if (layout === null) return '';
  const line = issueLine({ ...issue, cells: [CELLS] }, layout, names);
  return layout === 'csv'
    ? line.replace(`${CELLS}${','.repeat(names.length)}`, CELLS)
    : line.replace(`["${CELLS}"]`, `[${CELLS}]`);
}

function pieces(put: Put, line: string): Uint8Array {
  const words = line.split(new RegExp(`(${Object.keys(PIECES).join('|')})`)).flatMap((text) => {
    const piece = PIECES[text];
    if (piece !== undefined) return [piece, 0, 0];
    const bytes = Buffer.from(text);
    return bytes.length === 0 ? [] : [TEXT, put(bytes), bytes.length];
  });
  return new Uint8Array(Uint32Array.from([...words, END]).buffer);
}
