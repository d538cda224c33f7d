import Table from 'cli-table3';
import { fittingWidths, terminalColumns } from './fit.ts';
import { printable } from '../wording/printable.ts';

/**
 * A plain table for terminals: aligned columns, no frames, so that it can be cut and pasted; no cell has a line break. Cells are cut
 * with … where a terminal is too narrow.
 */
export function table(head: string[], rows: string[][], numeric: string[] = [], columns = terminalColumns()): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = columns === undefined ? undefined : fittingWidths([head, ...cells], columns);
  const none = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'];
  const inner = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'];
  const out = new Table({
    head,
    ...(widths === undefined ? {} : { colWidths: widths }),
    colAligns: head.map((name) => (numeric.includes(name) ? 'right' : 'left')),
    chars: { ...Object.fromEntries([...none, ...inner].map((key) => [key, ''])), middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  out.push(...cells);
  return out
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** A time as people at a terminal read it: UTC to the second. */
export function showTime(ms: number | null): string {
  return ms === null ? '' : new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
