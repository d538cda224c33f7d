import pc from 'picocolors';
import type { ColumnMapping, Issue } from '../../model.ts';
import { HEADINGS } from '../../wording/columns/accepted-column.ts';
import { mappingLines } from '../../wording/columns/unsure-columns.ts';
import { changeText, fileLines, joinedLines, skippedLines } from '../../wording/account.ts';
import { dialectText } from '../../wording/files/dialect.ts';
import { placeWords } from '../../wording/files/place.ts';
import { seenLines, signalLines } from '../../wording/signal-words.ts';
import { comparisonLines } from '../../wording/files/side-by-side.ts';
import { counted, grouped, leftOutInWords, offersRead, readInWords } from '../../wording/words.ts';
import { leftOutText } from '../../wording/reasons/rule-reasons.ts';
import { printable } from '../../wording/printable.ts';
import type { CheckAnswer } from './check-answer.ts';

/** The answer for people: the outcome first. */
export function describeAnswer(answer: CheckAnswer, color: boolean): string {
  const { bold, green, red, yellow } = pc.createColors(color);
  const { wouldBe, reason, file, dialect, mapping, rows, droppedColumns } = answer;
  const result =
    wouldBe === 'uploaded'
      ? `${bold(green('accepted'))}: ${grouped(rows.accepted)} of ${counted(offersRead(rows), 'row')} would be uploaded`
      : `${bold(wouldBe === 'held' ? yellow('would be held') : red('rejected'))}: ${printable(reason ?? '')}`;
  const losses = `${grouped(rows.rejectedLocally)} rejected + ${counted(rows.duplicates, 'duplicate')}`;
  const lines = [
    result,
    `file     ${printable(file)}`,
    ...(dialect === null ? [] : [`dialect  ${printable(dialectText(dialect))}`]),
    ...mappingLines(mapping).map(([label, text]) => `${label.padEnd(8)} ${printable(text)}`),
    ...(rows.change === undefined ? [] : [`changes  ${changeText(rows.change)}`]),
    `rows     ${readInWords(rows)} = ${grouped(rows.accepted)} accepted + ${losses}${leftOutInWords(rows)}`,
  ];
  lines.push(...fileLines(answer.files).map((text) => `of       ${printable(text)}`));
  lines.push(...joinedLines(answer.joined).map((text) => `joined   ${printable(text)}`));
  if (answer.leftOut.length > 0) lines.push(`left out ${printable(leftOutText(answer.leftOut))}`);
  lines.push(...skippedLines(answer.skipped).map((text) => `skipped  ${printable(text)}`));
  if (droppedColumns.length > 0)
    lines.push(`dropped  ${counted(droppedColumns.length, 'column')}: ${listed(droppedColumns)}`);
  lines.push(...answer.notes.map((note) => `note     ${printable(note)}`));
  if (answer.signals !== null)
    lines.push(...seenLines(answer.signals).map(([label, text]) => `${label.padEnd(8)} ${printable(text)}`));
  if (answer.marked?.file != null)
    lines.push(`marked   ${printable(answer.marked.file)}: ${counted(answer.marked.rows, 'row')} with mistakes`);
  return [...lines, ...describeReadings(answer), ...describeSignals(answer), ...describeIssues(answer)].join('\n');
}

function describeReadings({ readings }: CheckAnswer): string[] {
  return readings.length === 0 ? [] : ['', ...comparisonLines(readings).map(printable)];
}

function describeSignals({ signals }: CheckAnswer): string[] {
  return signals === null ? [] : signalLines(signals).flatMap((line, at) => (at === 0 ? ['', line] : [line]));
}

function listed(names: string[]): string {
  const shown = names.slice(0, 10).map(printable).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}

/** Every code with its examples; what the reason says already is not repeated. */
function describeIssues({ issues, sample, reason, mapping }: CheckAnswer): string[] {
  const lines: string[] = [];
  for (const [code, count] of Object.entries(issues).sort((a, b) => b[1] - a[1])) {
    const examples = sample.filter((issue) => issue.code === code);
    const severities = new Set(examples.map(({ severity }) => (severity === 'info' ? 'note' : severity)));
    lines.push('', `${printable(code)}: ${counted(count, severities.size === 1 ? [...severities][0]! : 'issue')}`);
    lines.push(
      ...examples
        .filter(({ message }) => reason?.includes(message) !== true)
        .map((issue) => describeIssue(issue, mapping)),
    );
    if (count > examples.length) lines.push(`  … and ${grouped(count - examples.length)} more`);
  }
  return lines;
}

function describeIssue({ file, sheet, line, column, value, message }: Issue, mapping: ColumnMapping[]): string {
  const position = mapping.find((one) => one.key === column && one.position !== HEADINGS)?.position ?? null;
  const place = [line === null ? (file ?? null) : placeWords({ file, sheet, line }, position), column]
    .filter((part) => part !== null)
    .join(', ');
  const shown =
    value === null || value === '' ? '' : ` [${printable(value.length > 80 ? `${value.slice(0, 80)}…` : value)}]`;
  return `  ${place === '' ? '' : `${place}: `}${printable(message)}${shown}`;
}
