import { html, type Html } from '../../wording/html.ts';
import type { RunAnswer } from '../../model.ts';
import { comparedRows, readingName, type ComparedRow } from '../../wording/files/side-by-side.ts';
import { section, table, value } from './parts.ts';

/** The readings of a file whose dialect is not certain, side by side on the same rows. */
export function readingsSection({ readings }: RunAnswer): Html {
  const rows = comparedRows(readings);
  if (rows.length === 0) return html``;
  const columns = [
    { head: 'Row', cell: ({ place }: ComparedRow) => place },
    ...readings.map((reading, at) => ({
      head: readingName(reading),
      cell: ({ texts }: ComparedRow) => value(texts[at] ?? ''),
    })),
  ];
  return section('readings', 'How the file may be read', [table('Readings of the file', columns, rows)]);
}
