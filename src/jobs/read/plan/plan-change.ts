import type { ChangeMarks, ReadSettings } from '../../../config/schema/feed-settings.ts';
import type { Detection } from '../../../model.ts';
import { refusal } from '../../../io/refusal.ts';
import { namedColumns } from './named-columns.ts';

/** So many columns are named in a message. */
const SHOWN = 20;

/** Settings that read a delivery as changes: each row sets its part, or takes it away. */
export function asChanges(settings: ReadSettings): ReadSettings {
  return { ...settings, changes: { place: null, marks: settings.change } };
}

/** Finds the column in which the rows of a delivery of changes are marked. Throws `file-rejected` when there is none of the name, or several. */
export function planChange(settings: ReadSettings, detection: Detection, name: string): ReadSettings {
  const { changes } = settings;
  if (changes === undefined || changes.marks === null) return settings;
  const { column } = changes.marks;
  const found = namedColumns(column, detection);
  if (found.length === 1) return { ...settings, changes: { ...changes, place: found[0]! } };
  throw withoutMarks(changes.marks, found, detection, name);
}

function withoutMarks({ column }: ChangeMarks, found: number[], { columns }: Detection, file: string): Error {
  const places = found.length > 1 ? found : columns.map((_name, at) => at);
  const names = places.slice(0, SHOWN).map((at) => `"${(columns[at] ?? '').trim().slice(0, 60)}" (column ${at + 1})`);
  const shown = names.length === 0 ? 'it has no header' : names.join(', ');
  const message =
    found.length === 0
      ? `The rows of changes are marked in the column "${column}", which ${file} does not have (its columns: ${shown}), so nothing of it was taken. ` +
        'Name the column as the supplier does, or by its position, in feeds.NAME.change.column.'
      : `The rows of changes are marked in the column "${column}", which ${file} has several times (${shown}), so nothing of it was taken. ` +
        'Name the column as the supplier does, or by its position, in feeds.NAME.change.column.';
  return refusal('change-column', message, { file, column });
}
