import { html, type Html } from '../../wording/html.ts';
import { readingPlace, readingText } from '../../wording/managers/reading-words.ts';
import type { SampleReading } from '../../model.ts';
import type { ReportInput } from '../input.ts';
import { section, table, value } from './parts.ts';

/** The readings of a file whose dialect is not certain, side by side on the same rows. */
export function readingsSection({ answer: { readings }, language }: ReportInput): Html {
  const [first] = readings;
  if (first === undefined) return html``;
  const { say } = language;
  const rows = first.rows.map(({ line }, at) => ({ line, at }));
  const columns = [
    { head: say('report.place'), cell: ({ line }: SampleRow) => readingPlace(line, language) },
    ...readings.map((reading) => ({
      head: readingText(reading, language),
      cell: ({ at }: SampleRow) => value(cellsOf(reading, at), language),
    })),
  ];
  return section('readings', say('report.readings.title'), [table(say('report.readings.rows'), columns, rows)]);
}

type SampleRow = { line: number | null; at: number };

/** The cells of a row, with bars between them. */
function cellsOf({ rows }: SampleReading, at: number): string {
  return rows[at]?.cells.join(' | ') ?? '';
}
