import { detect } from '../../../detect/detect.ts';
import type { DetectedPartner, Detection, JoinedFile, TablePart } from '../../../model.ts';
import type { AsText } from '../as-text.ts';
import { hintsOf, type Work } from '../read-text.ts';
import { cellDialect } from './written-cells.ts';
import { sourceOfText } from '../../../validate/scan/scan-text.ts';

/** A list as it was found, the text in which the cells of its partners stand behind its own, and what these are called. */
type Joined = {
  name: string;
  /** How the list is written, and how the text is that was joined to. */
  own: Detection;
  detection: Detection;
  table: AsText | null;
  path: string;
  accounts: JoinedFile[];
  found: DetectedPartner[];
};

/**
 * How a joined list is written. It is cut as the list is; what its columns mean is what the list says of its own, and of the others what they
 * look like.
 */
export async function detectJoined(joined: Joined, work: Work): Promise<Detection> {
  const { name, own, detection: list, table, path, accounts, found } = joined;
  const { header, headerLine, columns } = list;
  const { delimiter } = cellDialect(sourceOfText({ path, detection: list, settings: work.settings }).dialect);
  const known = table === null ? { charset: 'utf-8', delimiter } : { table: table.table };
  const seen = await detect(path, { ...hintsOf(work), ...known, header: header ? Math.max(1, headerLine) : false });
  const brought = accounts.flatMap((account) => account.columns);
  const sure = list.mapping.filter((column) => column.sure);
  const others = seen.mapping.filter(
    ({ key, position }) => !sure.some((column) => column.key === key || column.position === position),
  );
  const { quote, escape, newline, spacedQuotes, wholeLines } = list;
  const wanted = work.settings.columns.map(({ key }) => key);
  return {
    ...seen,
    quote,
    escape,
    newline,
    spacedQuotes,
    wholeLines,
    header,
    headerLine,
    passedOver: list.passedOver,
    format: 'files',
    delimiter,
    charset: 'utf-8',
    bom: false,
    parts: partsOf(name, own.parts),
    joined: { name, written: own, partners: found },
    columns: header ? [...columns, ...brought] : [],
    width: (header ? columns.length : list.width) + brought.length,
    mapping: [...sure, ...others].toSorted((a, b) => wanted.indexOf(a.key) - wanted.indexOf(b.key)),
    sure: true,
    headerSure: true,
    confidence: list.confidence,
    readings: [],
    evidence: [...accounts.map(broughtSentence), ...list.evidence],
  };
}

/** The sheets of the list, or the list itself, as places of its rows. */
export function partsOf(file: string, parts: TablePart[]): TablePart[] {
  return parts.length === 0 ? [{ file, sheet: null, line: 1 }] : parts.map((part) => ({ ...part, file }));
}

function broughtSentence({ file, columns }: JoinedFile): string {
  const names = columns.slice(0, SHOWN).map((name) => JSON.stringify(name));
  const more = columns.length > names.length ? `, and ${columns.length - names.length} more` : '';
  return `${JSON.stringify(file)} is joined to the list and brings ${names.join(', ')}${more}.`;
}

const SHOWN = 20;
