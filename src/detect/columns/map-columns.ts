import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import { foldExactName, matchNames, namedByConfiguration } from '../../config/schema/match-names.ts';
import type { AcceptedColumns, ColumnMapping } from '../../model.ts';
import { columnEvidence, type ColumnEvidence } from '../../wording/columns/column-evidence.ts';
import { ownName } from '../../columns/path-names.ts';
import type { FoundTable } from './column-profile.ts';
import { JUDGES } from './judge/judges.ts';
import type { Makers } from './judge/makers-in.ts';
import { judgeOpen, type Found } from './judge-open.ts';

/** What is known beside the table. */
export type KnownBeside = {
  /** The columns that people accepted for its header. */
  accepted: AcceptedColumns | undefined;
  /** The feed's live delivery has the same header: what its exact names mean has been decided. */
  isLive: boolean;
  /** Asked for when needed. */
  makers: () => Promise<Makers>;
};

/**
 * Says which column of a file holds what: at most one entry for each offer column, none for one that the file lacks. The
 * configuration decides, then what people accepted, then the exact names that are known by default. What they leave open is
 * judged by names and content together; unless no other column can be meant, the best one is only proposed.
 */
export async function mapColumns(
  columns: ColumnSettings[],
  table: FoundTable,
  { accepted, isLive, makers }: KnownBeside,
): Promise<ColumnMapping[]> {
  const { header, width } = table;
  const cells = header.length > 0 ? header : Array.from<string>({ length: width }).fill('');
  const found = decidedColumns(columns, { cells, isOfRecords: table.isOfRecords === true }, accepted);
  const open = columns.filter(({ key, position }) => position === null && !found.has(key) && isJudged(key));
  const doubtful = isLive && header.length > 0 ? [] : columns.filter((column) => isDoubtful(column, found));
  if (open.length + doubtful.length > 0) {
    const isNeeded = [...open, ...doubtful].some(({ required }) => required);
    judgeOpen(found, { table, open, doubtful, makers: isNeeded ? await makers() : NO_MAKERS });
  }
  return columns.flatMap(({ key }) => {
    const one = found.get(key);
    if (one === undefined) return [];
    const name = cells[one.index]?.trim() ?? '';
    const column = name === '' ? null : name;
    return [{ key, column, position: one.index + 1, sure: one.sure, evidence: columnEvidence(one.evidence) }];
  });
}

/** The columns about which nothing is left to judge. */
function decidedColumns(
  columns: ColumnSettings[],
  { cells, isOfRecords }: { cells: string[]; isOfRecords: boolean },
  accepted: AcceptedColumns | undefined,
): Map<string, Found> {
  const found = exactColumns(columns, cells);
  if (isOfRecords) addLastParts(found, columns, cells);
  if (accepted === undefined) return found;
  const configured = exactColumns(namedByConfiguration(columns), cells);
  const places = [...configured.values()].map(({ index }) => index);
  const taken = accepted.columns.filter(({ key, position }) => !configured.has(key) && !places.includes(position - 1));
  for (const [key, { index }] of found) {
    if (taken.some(({ position }) => position - 1 === index)) found.delete(key);
  }
  const { who, at, reason } = accepted;
  for (const { key, position } of taken) {
    found.set(key, { index: position - 1, sure: true, evidence: { code: 'accepted', who, at, reason } });
  }
  return found;
}

/** Adds the columns of records whose last part is an exact name, as `@article` and `product/brand`, where one alone is. */
function addLastParts(found: Map<string, Found>, columns: ColumnSettings[], cells: string[]): void {
  const used = new Set([...found.values()].map(({ index }) => index));
  const names = cells.map((cell, index) => (used.has(index) ? '' : ownName(cell)));
  const open = columns.filter(({ key, position }) => position === null && !found.has(key));
  for (const [at, fits] of matchNames(open, names).entries()) {
    const [index, ...more] = fits;
    if (index === undefined || more.length > 0) continue;
    const evidence: ColumnEvidence = { code: 'known-name', name: cells[index]!.trim(), configured: false };
    found.set(open[at]!.key, { index, sure: true, evidence });
  }
}

function exactColumns(columns: ColumnSettings[], cells: string[]): Map<string, Found> {
  const matches = matchNames(columns, cells);
  return new Map(
    columns.flatMap((column, at) => {
      const { key, position } = column;
      const index = matches[at]![0];
      if (index === undefined) return [];
      const name = cells[index]?.trim() ?? '';
      const evidence: ColumnEvidence =
        position === null
          ? { code: 'known-name', name, configured: isConfigured(column, name) }
          : { code: 'set-position', position };
      return [[key, { index, sure: true, evidence }] as const];
    }),
  );
}

/** What only the judgement of brands asks for. */
const NO_MAKERS: Makers = { makerKind: () => null, isNoMakerEvidence: () => false };

/** Columns that a configuration adds have no meaning beyond their names. */
function isJudged(key: string): boolean {
  return Object.hasOwn(JUDGES, key);
}

/** A required column that was found by a name known by default. Names of the configuration are never doubted. */
function isDoubtful({ key, required }: ColumnSettings, found: Map<string, Found>): boolean {
  const evidence = found.get(key)?.evidence;
  return required && isJudged(key) && evidence?.code === 'known-name' && !evidence.configured;
}

function isConfigured({ configured }: ColumnSettings, name: string): boolean {
  const folded = foldExactName(name);
  return configured.some((spelling) => foldExactName(spelling) === folded);
}
