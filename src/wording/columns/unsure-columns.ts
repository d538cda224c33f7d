import type { ColumnMapping } from '../../model.ts';
import { columnInWords, HEADINGS } from './accepted-column.ts';

/** Required columns of a file of which detection is not sure. */
export type UnsureColumns = {
  proposed: ColumnMapping[];
  /** The keys for which nothing is proposed. */
  missing: string[];
  /** The keys whose column has the name of another one, so that only its position tells which is meant. */
  ambiguous: string[];
  /** What has changed since the live delivery, if anything. */
  changes?: string | null;
};

/** A column with its evidence: `brand ← "Producator": 98 % of 1,204 values are known makers`. */
export function mappingText(mapping: ColumnMapping): string {
  return `${columnInWords(mapping)}: ${mapping.evidence}`;
}

/** Each column with its evidence, as a label and a text: those that are used, and those that are only proposed. */
export function mappingLines(mapping: ColumnMapping[]): ['column' | 'proposed', string][] {
  return mapping.map((one) => [one.sure ? 'column' : 'proposed', mappingText(one)]);
}

/** Why a file is not read although columns are proposed, and the setting that would have it read. `feed`: `NAME` when none is known. */
export function unsureColumnsText(unsure: UnsureColumns, feed = 'NAME'): string {
  const { proposed, missing, changes = null } = unsure;
  const open = missing.length === 0 ? '' : ` No column looks like ${missing.map((key) => `"${key}"`).join(' or ')}.`;
  const since = changes === null ? '' : ` They have changed since the live delivery: ${changes}.`;
  const todo = missing.length === 0 ? 'To confirm it,' : 'Name what is missing, and';
  return (
    `It is not certain what the columns mean.${since} Proposed: ${proposed.map(mappingText).join('; ')}.${open} ` +
    `${todo} write \`${columnsSetting(unsure)}\` under feeds.${feed}`
  );
}

/** The line of YAML that names columns: `columns: { brand: ["Producator"], oem: 2 }`. */
function columnsSetting({ proposed, missing, ambiguous }: UnsureColumns): string {
  const found = proposed.map(({ key, column, position }) => {
    const byPosition = column === null || ambiguous.includes(key);
    if (position === HEADINGS) return `${key}: { from: headings }`;
    return `${key}: ${byPosition ? position : yamlName(column)}`;
  });
  const open = proposed.some(({ column }) => column !== null) ? '[NAME]' : 'POSITION';
  return `columns: { ${[...found, ...missing.map((key) => `${key}: ${open}`)].join(', ')} }`;
}

/** A list of one name; JSON is YAML, and `${` would be taken for a variable of the environment. */
export function yamlName(name: string): string {
  return `[${JSON.stringify(name).replaceAll('${', () => '$${')}]`;
}
