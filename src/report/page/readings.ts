import { html, type Html } from '../../wording/html.ts';
import { comparedRows, readingName, type ComparedRow } from '../../wording/files/side-by-side.ts';
import type { ReportInput } from '../input.ts';
import { section, table, value } from './parts.ts';

/** The readings of a file whose dialect is not certain, side by side on the same rows. */
export function readingsSection({ answer: { readings }, language }: ReportInput): Html {
  const rows = comparedRows(readings);
  if (rows.length === 0) return html``;
  const { say } = language;
  const columns = [
    { head: say('report.place'), cell: ({ place }: ComparedRow) => place },
    ...readings.map((reading, at) => ({
      head: readingName(reading),
      cell: ({ texts }: ComparedRow) => value(texts[at] ?? '', language),
    })),
  ];
  return section('readings', say('report.readings.title'), [table(say('report.readings.rows'), columns, rows)]);
}
