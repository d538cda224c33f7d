import { stripNumber } from '../../../parts/strip-number.ts';
import { createRowCheck } from '../../checks/check-row.ts';
import type { ScannedRow } from '../../scan/scan-rows.ts';
import type { Plan } from './plan.ts';

/** Finds brand and number of a row as its supplier wrote them; `oem`: its number in the output, where a row may have several. */
export type WrittenPart = (row: ScannedRow, oem: string) => string;

/** Creates what finds the parts of rows as they are written; null where the output has them so. */
export function createWrittenPart({ settings, map, habits, wraps, charset, dialect }: Plan): WrittenPart | null {
  const { spellings, strip, rules } = settings;
  if (spellings === null && strip === null && rules.length === 0) return null;
  const plain = { ...settings, spellings: null, strip: null, rules: [] };
  const parts = { firstLine: () => undefined };
  const check = createRowCheck(plain, { map, habits, wraps, charset, delimiter: dialect.delimiter, parts });
  const [brandAt, oemAt] = ['brand', 'oem'].map((key) => settings.columns.findIndex((column) => column.key === key));
  return (row, oem) => {
    const first = check(row);
    const all = [first.cells, ...first.otherNumbers.map((number) => check(row, number).cells)];
    const cells = all.find((one) => stripNumber(one[oemAt!] ?? '', strip) === oem) ?? first.cells;
    return `${cells[brandAt!] ?? ''} ${cells[oemAt!] ?? ''}`;
  };
}
