import type { ColumnMapping } from '../../model.ts';
import { columnInWords } from './accepted-column.ts';

/**
 * Required columns of a file of which detection is not sure: what is proposed, the keys for which nothing is, and what has
 * changed since the live delivery, if anything.
 */
export type UnsureColumns = { proposed: ColumnMapping[]; missing: string[]; changes?: string | null };

/** A column with its evidence: `brand ← "Producator": 98 % of 1,204 values are known makers`. */
export function mappingText(mapping: ColumnMapping): string {
  return `${columnInWords(mapping)}: ${mapping.evidence}`;
}

/** Each column with its evidence, as a label and a text: those that are used, and those that are only proposed. */
export function mappingLines(mapping: ColumnMapping[]): ['column' | 'proposed', string][] {
  return mapping.map((one) => [one.sure ? 'column' : 'proposed', mappingText(one)]);
}

/** Why a file is not read although columns are proposed, and the setting that would have it read. `feed`: `NAME` when none is known. */
export function unsureColumnsText({ proposed, missing, changes = null }: UnsureColumns, feed = 'NAME'): string {
  const open = missing.length === 0 ? '' : ` No column looks like ${missing.map((key) => `"${key}"`).join(' or ')}.`;
  const since = changes === null ? '' : ` They have changed since the live delivery: ${changes}.`;
  return (
    `It is not certain what the columns mean.${since} Proposed: ${proposed.map(mappingText).join('; ')}.${open} ` +
    `To confirm it, write under feeds.${feed}: ${columnsSetting(proposed, missing)}`
  );
}

/** The line of YAML that names columns: `columns: { brand: ["Producator"], oem: 2 }`. */
function columnsSetting(
  mapping: Pick<ColumnMapping, 'key' | 'column' | 'position'>[],
  missing: string[] = [],
): string {
  const named = mapping.map(({ key, column, position }) => `${key}: ${column === null ? position : yamlName(column)}`);
  const hasHeader = mapping.some(({ column }) => column !== null);
  return `columns: { ${[...named, ...missing.map((key) => `${key}: ${hasHeader ? '[NAME]' : 'POSITION'}`)].join(', ')} }`;
}

/** JSON is YAML; `${` would be taken for a variable of the environment. */
function yamlName(name: string): string {
  return `[${JSON.stringify(name).replaceAll('${', () => '$${')}]`;
}
