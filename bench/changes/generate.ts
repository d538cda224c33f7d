import { closeSync, openSync, writeSync } from 'node:fs';

/** The files of the bench: rows of a feed as they are kept, a delivery of changes as it was read, and what results. */
export const BASE = 'base.tsv';
export const CHANGES = 'changes.tsv';
export const RESULT = 'result.tsv';

/** The keys of the cells. */
export const COLUMNS = ['brand', 'oem', 'name', 'tags'];

/**
 * Writes the accepted rows of a feed, and changes of which four in ten change a part, three in ten bring one that stays as it is, two in ten
 * remove one, and one in ten is new; the same at every run.
 */
export function generateChanges(rows: number, changes: number, path: (name: string) => string): void {
  write(path(BASE), rows, (row) => `${row + 2}\t${cells(row, 'pads')}\n`);
  const every = Math.max(1, Math.floor(rows / changes));
  write(path(CHANGES), changes, (row) => {
    const part = row % 10 === 9 ? rows + row : row * every;
    const name = row % 10 < 4 ? 'pads, new' : 'pads';
    return `${row + 2}\t${cells(part, name)}\t${row % 10 === 7 || row % 10 === 8 ? '-' : ''}\n`;
  });
}

function cells(part: number, name: string): string {
  const number = String((part * 7919) % 1_000_000_007).padStart(10, '0');
  return `BRAND ${part % 500}\t${number}\tBrake ${name} ${part % 1000}\tbrakes,set ${part % 40}`;
}

function write(path: string, rows: number, rowOf: (row: number) => string): void {
  const file = openSync(path, 'w');
  let text = '';
  for (let row = 0; row < rows; row += 1) {
    text += rowOf(row);
    if (text.length < 1_000_000) continue;
    writeSync(file, text);
    text = '';
  }
  writeSync(file, text);
  closeSync(file);
}
