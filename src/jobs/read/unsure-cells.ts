import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Detection, ShownCell } from '../../model.ts';
import type { UnsureCells } from '../../wording/columns/unsure-cells.ts';
import { placeIn } from '../../wording/files/place.ts';
import { shortened } from '../../wording/printable.ts';

/** Longer cells are cut where they are shown. */
const LONGEST_EXAMPLE = 120;

/** What nobody has said about several values in one cell: several marks that fit, several numbers; null when nothing is open. */
export function unsureCells(
  { marks, parts, mapping }: Detection,
  { tagMark, numbers, split }: ReadSettings,
): UnsureCells | null {
  const placed = ({ line, text }: ShownCell) => ({
    ...(line === null ? { sheet: null, line } : placeIn(parts, line)),
    value: shortened(text, LONGEST_EXAMPLE),
  });
  // A file whose numbers are said to be whole has no names in them.
  if (split === null && numbers === null && marks?.split != null) {
    const { split: kind, column, position, example, evidence } = marks.split;
    const isKnown = mapping.some(({ key, sure }) => key === 'oem' && sure);
    return { kind, marks: [], column: isKnown ? null : (column ?? position), evidence, example: placed(example) };
  }
  if (numbers === null && marks?.numbers?.example != null) {
    const { separators, example, evidence } = marks.numbers;
    return { kind: 'numbers', marks: separators, column: null, evidence, example: placed(example) };
  }
  if (tagMark !== null || marks?.tags?.rival == null) return null;
  const { separator, rival, example, evidence } = marks.tags;
  return { kind: 'tags', marks: [separator, rival], column: null, evidence, example: placed(example) };
}
