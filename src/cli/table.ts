import Table from 'cli-table3';
import { fittingWidths, terminalColumns } from './fit.ts';
import { printable } from '../wording/printable.ts';
import type { Tone } from '../jobs/standing/tone.ts';
import { paint } from './tone.ts';

/** A cell: plain, or in the colour of what it says. */
export type Cell = string | { text: string; tone: Tone };

/** `numeric`: heads of the columns that stand at the right. `color`: only for what `Io.styled` writes. */
type TableOptions = { numeric?: string[]; columns?: number | undefined; color?: boolean };

/**
 * A plain table for terminals: aligned columns, no frames, so that it can be cut and pasted; no cell has a line break. Cells are cut
 * with … where a terminal is too narrow.
 */
export function table(
  head: string[],
  rows: Cell[][],
  { numeric = [], columns = terminalColumns(), color = false }: TableOptions = {},
): string {
  const texts = rows.map((row) => row.map((cell) => printable(typeof cell === 'string' ? cell : cell.text)));
  const cells = rows.map((row, at) =>
    row.map((cell, place) =>
      typeof cell === 'string' ? texts[at]![place]! : paint(cell.tone, texts[at]![place]!, color),
    ),
  );
  const widths = columns === undefined ? undefined : fittingWidths([head, ...texts], columns);
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
