import { meaningsOf } from '../../columns/column-names.ts';
import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import { foldExactName } from '../../config/schema/match-names.ts';
import type { AcceptedColumn, ColumnMapping, EarlierHeader } from '../../model.ts';

/**
 * Doubts the columns that the settings find by position where another name stands than in the live delivery: the supplier may
 * have moved them. Not where the position was changed since, or a person accepted it for this header. Pure.
 */
export function doubtMoved(
  mapping: ColumnMapping[],
  {
    columns,
    earlier,
    accepted,
  }: { columns: ColumnSettings[]; earlier: EarlierHeader | null; accepted: AcceptedColumn[] },
): ColumnMapping[] {
  if (earlier === null) return mapping;
  return mapping.map((one) => {
    const { key, column, position } = one;
    const isSet = columns.some((other) => other.key === key && other.position === position);
    const isSameSetting = earlier.mapping.some((other) => other.key === key && other.position === position);
    const isAccepted = accepted.some((other) => other.key === key && other.position === position);
    const [then, now] = [earlier.columns[position - 1] ?? '', column ?? ''];
    // Where no header was seen, the name that the settings mean is no change.
    const isNamed = earlier.columns.length === 0 && meaningsOf(now).some(({ meaning }) => meaning === key);
    if (!isSet || !isSameSetting || isAccepted || isNamed || foldExactName(then) === foldExactName(now)) return one;
    const evidence = `the settings name position ${position}, which was ${shown(then)} in the live delivery and is ${shown(now)} now`;
    return { ...one, sure: false, evidence };
  });
}

function shown(name: string): string {
  return name.trim() === '' ? 'without a name' : `"${name.trim().slice(0, 60)}"`;
}
