import type { RowPlace, RunRowFacts, RunRows } from '../../jobs/rows/run-rows.ts';
import { placeWords, rowPlaceWords } from '../../wording/files/place.ts';
import { printable } from '../../wording/printable.ts';
import { pageWords } from './page-option.ts';

/** A page of a run's rows for a terminal: each with its verdict, why, and the line as the supplier wrote it. */
export function showRows(found: RunRows): string {
  const { group, total, matches, supplierLines, notes } = found;
  const counts = matches === total ? `${total}` : `${total} by the account, ${matches} shown here`;
  return [
    `${group}: ${counts}. ${matches === 0 ? '' : pageWords(found)}`.trimEnd(),
    ...notes.map(printable),
    ...(supplierLines.missing === null || found.rows.length === 0
      ? []
      : [printable(`The supplier's own lines are not shown. ${supplierLines.missing}`)]),
    ...found.rows.flatMap(rowLines),
  ].join('\n');
}

function rowLines(row: RunRowFacts): string[] {
  const { line, key, cells, verdict, reasons, winner, supplierLine } = row;
  const place = line === null ? 'no line' : rowPlaceWords({ ...row, line });
  const { brand: _brand, oem: _oem, ...others } = cells;
  const more = Object.values(others).filter((cell) => cell !== '');
  const part = [key.brand, key.oem, ...more].filter((cell) => cell !== '').join(' | ');
  const written = supplierLine?.text?.split('\n') ?? (supplierLine === null ? [] : [supplierLine.cells.join(' | ')]);
  return [
    printable(`${place}  ${verdict}  ${part}`.trimEnd()),
    ...(winner === null ? [] : [printable(`    ${winnerWords(winner)} has the part`)]),
    ...reasons.map(({ code, message }) => printable(`    ${code === null ? '' : `${code}: `}${message}`)),
    ...written.map((text) => printable(`    > ${text}`)),
  ];
}

function winnerWords({ feed, file, sheet, line }: RowPlace): string {
  return `${feed}, ${file ?? 'its file'}, ${placeWords({ sheet, line })},`;
}
