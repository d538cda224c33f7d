import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import { foldExactName } from '../../config/schema/match-names.ts';
import type { AcceptedColumns, ColumnLook, ColumnMapping, EarlierHeader } from '../../model.ts';
import { columnEvidence, type CellChange } from '../../wording/columns/column-evidence.ts';
import { changeOf, lookOf, type Telling } from './column-look.ts';
import { profileColumn } from './column-profile.ts';
import type { Makers } from './judge/makers-in.ts';

/** What has changed of which column: its place from 1. */
export type CellChanges = Map<string, { position: number; change: CellChange }>;

/** What a file's columns are compared with: what its first rows look like, by place, and its header. */
type Beginning = { columns: ColumnSettings[]; header: string[]; looks: ColumnLook[] };

/**
 * The required columns whose cells are not what they are in the live delivery, although the header is the same: the supplier has
 * swapped cells. Names that the configuration gives are never doubted. Pure.
 */
export function changedSinceLive({
  columns,
  header,
  looks,
  earlier,
}: Beginning & { earlier: EarlierHeader }): CellChanges {
  const changes: CellChanges = new Map();
  for (const { key, position } of earlier.mapping.filter(({ sure }) => sure)) {
    const [then, now] = [earlier.looks?.[position - 1], looks[position - 1]];
    if (then === undefined || now === undefined || !isDoubtful(key, position, columns, header)) continue;
    const change = changeOf(key, then, now);
    if (change !== null) changes.set(key, { position, change });
  }
  return changes;
}

/**
 * What tells of a column that its cells are others further down. Lists are sorted: in one place all brands may be unknown, or all numbers
 * of one maker, so fewer things tell than between deliveries.
 */
const FURTHER_DOWN: Record<string, Telling> = {
  brand: { more: ['partNumbers', 'barcodes', 'prices'], less: ['lettered'] },
  oem: { more: ['makers', 'prices', 'phrases'], less: ['digits'] },
};
/** Fewer rows in a place say nothing; one brand whose name looks like a number stands in all of its rows. */
const LEAST_ROWS = 10;
const LEAST_DISTINCT = 30;

/**
 * The required columns whose cells are something else in other places of the file than in its first rows, as where two lists were
 * joined. `places`: the rows of each place. Names that the configuration gives are never doubted. Pure.
 */
export function changedFurtherDown({
  columns,
  header,
  looks,
  mapping,
  places,
  makers,
}: Beginning & { mapping: ColumnMapping[]; places: string[][][]; makers: Makers }): CellChanges {
  const changes: CellChanges = new Map();
  const known = mapping.filter(({ key, position, sure }) => sure && isDoubtful(key, position, columns, header));
  for (const rows of known.length === 0 ? [] : places.filter(({ length }) => length >= LEAST_ROWS)) {
    for (const { key, position } of known) {
      const then = looks[position - 1];
      const profile = profileColumn(
        rows.map((row) => row[position - 1] ?? ''),
        { index: position - 1, name: '' },
      );
      if (then === undefined || profile.values < LEAST_ROWS) continue;
      const now = lookOf(profile, makers);
      if (now.distinct < LEAST_DISTINCT) continue;
      const change = changeOf(key, then, now, FURTHER_DOWN);
      if (change !== null) changes.set(key, { position, change });
    }
  }
  return changes;
}

/** Columns whose cells have changed are sure no longer, unless a person accepted them for this header. Pure. */
export function doubtEach(
  mapping: ColumnMapping[],
  changes: CellChanges,
  accepted: AcceptedColumns | undefined,
  code: 'not-as-live' | 'not-as-above',
): ColumnMapping[] {
  return mapping.map((one) => {
    const changed = changes.get(one.key);
    const isAccepted = accepted?.columns.some(({ key, position }) => key === one.key && position === one.position);
    if (changed?.position !== one.position || isAccepted === true) return one;
    return { ...one, sure: false, evidence: columnEvidence({ code, change: changed.change }) };
  });
}

/** A required column that was found by a name that is known by default, or by its cells. */
function isDoubtful(key: string, position: number, columns: ColumnSettings[], header: string[]): boolean {
  const column = columns.find((one) => one.key === key);
  if (column === undefined || !column.required || column.position !== null || !Object.hasOwn(FURTHER_DOWN, key))
    return false;
  const name = foldExactName(header[position - 1] ?? '');
  return !column.configured.some((spelling) => foldExactName(spelling) === name);
}
