import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import type { AcceptedColumn, AcceptedColumns, ColumnLook, ColumnMapping, EarlierHeader } from '../../model.ts';
import { columnEvidence, type CellChange } from '../../wording/columns/column-evidence.ts';
import { changeOf, contradictionOf } from './column-look.ts';
import { compareWithLive, isSame, lossOf, type LiveParts } from './live-parts.ts';
import type { FoundTable } from './column-profile.ts';

/** What the accepted columns of a table are compared with. */
export type Compared = {
  columns: ColumnSettings[];
  table: FoundTable;
  /** What each column of the table looks like. */
  looks: ColumnLook[];
  accepted: AcceptedColumns | undefined;
  earlier: EarlierHeader | null;
  /** What is live of the feed. */
  parts: LiveParts | undefined;
  /** Maps the columns as if only these had been accepted. */
  remap: (accepted: AcceptedColumns) => Promise<ColumnMapping[]>;
};

/**
 * Doubts the required columns that a person accepted where their cells are no longer such: neither as they were then, nor as in the
 * live delivery. The header says nothing of that, least of all where there is none. Another column is proposed if one fits.
 */
export async function doubtChanged(mapping: ColumnMapping[], compared: Compared): Promise<ColumnMapping[]> {
  const { accepted, remap } = compared;
  if (accepted === undefined) return mapping;
  const used = accepted.columns.filter((one) => isUsed(one, mapping, compared));
  if (used.length === 0) return mapping;
  const changes = await changesOf(used, mapping, compared);
  if (changes.size === 0) return mapping;
  const kept = accepted.columns.filter(({ key }) => !changes.has(key));
  const other = await remap({ ...accepted, columns: kept });
  const proposed = other.filter(({ key }) => changes.has(key));
  proposed.push(...lookingAlike(used, [...mapping.filter(({ key }) => !changes.has(key)), ...proposed], compared));
  const taken = new Set(proposed.map(({ position }) => position));
  return compared.columns.flatMap(({ key }) => {
    const change = changes.get(key);
    const now = mapping.find((one) => one.key === key);
    if (change === undefined) return now === undefined || taken.has(now.position) ? [] : [now];
    const { column, position } = now!;
    const found = proposed.find((one) => one.key === key);
    if (found === undefined && taken.has(position)) return [];
    const isMoved = found !== undefined && found.position !== position;
    const evidence = columnEvidence({
      code: 'changed',
      accepted,
      column: column === null ? `column ${position}` : `"${column}"`,
      change,
      instead: isMoved ? found.evidence : null,
    });
    return [{ ...(found ?? now!), sure: false, evidence }];
  });
}

/** For columns that nothing speaks for, the only free one that looks as they did. */
function lookingAlike(used: AcceptedColumn[], known: ColumnMapping[], { table, looks }: Compared): ColumnMapping[] {
  return used.flatMap(({ key, look, position: before }) => {
    if (look === undefined || known.some((one) => one.key === key)) return [];
    const isFree = (at: number) => !known.some(({ position }) => position === at + 1);
    const [at, ...more] = looks.flatMap((now, index) =>
      isFree(index) && now.values > 0 && changeOf(key, look, now) === null ? [index] : [],
    );
    if (at === undefined || more.length > 0) return [];
    const column = table.header[at]?.trim() || null;
    const evidence = `its cells look like those of column ${before} did`;
    return [{ key, column, position: at + 1, sure: false, evidence }];
  });
}

/** A required column that is found where a person said it is. */
function isUsed({ key, position }: AcceptedColumn, mapping: ColumnMapping[], { columns }: Compared): boolean {
  const column = columns.find((one) => one.key === key);
  const isNeeded = column?.required === true && column.fallback === null && column.position === null;
  return isNeeded && mapping.some((one) => one.key === key && one.position === position && one.sure);
}

async function changesOf(
  used: AcceptedColumn[],
  mapping: ColumnMapping[],
  compared: Compared,
): Promise<Map<string, CellChange>> {
  const { looks } = compared;
  const live = await liveSharesOf(mapping, compared);
  const changes = new Map<string, CellChange>();
  for (const one of used) {
    const now = looks[one.position - 1];
    const share = one.key === 'brand' || one.key === 'oem' ? (live?.[one.key] ?? null) : null;
    if (now === undefined || (share !== null && isSame(share))) continue;
    const loss = share === null || (one.key === 'brand' && now.makers >= MOSTLY) ? null : lossOf(share);
    const change = lookChange(one, now, compared) ?? loss;
    if (change !== null) changes.set(one.key, change);
  }
  return changes;
}

/** New brands are brands, too. */
const MOSTLY = 50;

function lookChange({ key, look }: AcceptedColumn, now: ColumnLook, { earlier }: Compared): CellChange | null {
  const inLive = earlier?.mapping.find((one) => one.key === key && one.sure);
  const live = inLive === undefined ? undefined : earlier?.looks?.[inLive.position - 1];
  const before = [look, live].filter((one) => one !== undefined);
  const changes = before.map((then) => changeOf(key, then, now));
  // Nobody compared the cells of earlier versions' acceptances with anything.
  if (before.length === 0) return contradictionOf(key, now);
  return changes.includes(null) ? null : changes[0]!;
}

/** The ids of runs begin with their time, to the second; of two in one second nobody knows which was first. */
const TIME = 'yyyymmdd-hhmmss'.length;

function mayBeBefore(run: string, than: string): boolean {
  return run !== than && run.slice(0, TIME) <= than.slice(0, TIME);
}

/** What was live before the columns were accepted may have been read from other ones. */
async function liveSharesOf(mapping: ColumnMapping[], { table, accepted, earlier, parts }: Compared) {
  if (parts === undefined || earlier === null || accepted === undefined) return null;
  if (mayBeBefore(earlier.run ?? '', accepted.run)) return null;
  const at = (key: string) => (mapping.find((one) => one.key === key && one.sure)?.position ?? 0) - 1;
  const [brandAt, oemAt] = [at('brand'), at('oem')];
  if (brandAt < 0 || oemAt < 0) return null;
  return compareWithLive(
    table.rows.map((cells) => ({
      brand: cells[brandAt] ?? '',
      number: cells[oemAt] ?? '',
      others: cells.filter((_, at) => at !== brandAt && at !== oemAt),
    })),
    parts,
  );
}
