import { needsSlowPath } from './patterns';
import { trimEnd, trimStart } from './blanks';
import { cellCount, isCoded } from './cells';
import { addFinding, CELL_COUNT } from './findings';
import * as settings from './settings';

/** What is wrong with the row being parsed: the kind of the finding or NONE, its count, the cell or NONE. */
export let fault: u32 = 0;
let faultCount: u32 = 0;
let faultCell: u32 = 0;

/** Issues about rows with more cells show only some of them; the slow path writes those. */
const MOST_COUNTED: u32 = 100;

const SPACE: u32 = 32;
const DELETE: u32 = 127;
/* The first bytes of Latin, Greek and Cyrillic letters beyond ASCII. */
const FIRST_LETTERS: u32 = 0xc3;
const LAST_LETTERS: u32 = 0xe0;

/** Begins a row, with which nothing is wrong yet. */
export function beginRow(): void {
  fault = settings.NONE;
}

/** Notes what is wrong with a row; false when something else is wrong too. */
export function isOnlyFault(kind: u32, count: u32, cell: u32): bool {
  if (fault != settings.NONE) return false;
  fault = kind;
  faultCount = count;
  faultCell = cell;
  return true;
}

/** Lists what is wrong with a row, unless it may have a lone cell, which may be no offer; the value is the whole cell. */
export function refuse(line: u32, row: u32): bool {
  if (faultCell == settings.NONE) return !mayBeLone() && addFinding(fault, line, faultCount, row, row);
  return !isCoded(faultCell) && addFinding(fault, line, faultCount, load<u32>(faultCell), load<u32>(faultCell, 4));
}

/** Lists a row with too few or too many cells, of which several are not blank; the value is the whole row. */
export function refuseCount(line: u32, row: u32): bool {
  if (cellCount > MOST_COUNTED || mayHaveTypography() || mayBeFooter()) return false;
  if (mayBeLone() || (cellCount >= settings.leastCells && filledFrom(settings.mostCells) == 0)) return false;
  return addFinding(CELL_COUNT, line, cellCount, row, load<u32>(settings.cellAt(cellCount - 1), 4));
}

/* The first bytes of dashes and wide letters in UTF-8. */
const DASHES: u32 = 0xe2;
const WIDE: u32 = 0xef;

/** Whether brand or number may have letters that stand for others: these are taken off before the row is shown. */
function mayHaveTypography(): bool {
  return (
    mayHaveIn(settings.brandPlace()) ||
    mayHaveIn(settings.oemAt == settings.NONE ? settings.NONE : settings.placeOf(settings.oemAt))
  );
}

function mayHaveIn(place: u32): bool {
  if (place >= cellCount) return false;
  const end = load<u32>(settings.cellAt(place), 4);
  for (let at = load<u32>(settings.cellAt(place)); at < end; at += 1) {
    const byte = <u32>load<u8>(at);
    if (byte == DASHES || byte == WIDE) return true;
  }
  return false;
}

/** Whether a row has an amount, digits with a point or a comma: then it is no header. */
export function hasAmount(): bool {
  for (let cell: u32 = 0; cell < cellCount; cell += 1) {
    if (isAmount(load<u32>(settings.cellAt(cell)), load<u32>(settings.cellAt(cell), 4))) return true;
  }
  return false;
}

function isAmount(from: u32, to: u32): bool {
  if (from == to || <u32>load<u8>(from) - 48 > 9) return false;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    if (byte - 48 > 9 && byte != 44 && byte != 46) return false;
  }
  return true;
}

/** Whether only one cell of a row may be filled: then it may be no offer. */
export function mayBeLone(): bool {
  return filledFrom(0) < 2;
}

/** How many cells of a row, from this one on, are certainly not blank: at least 2 are as good as all. */
function filledFrom(first: u32): u32 {
  let filled: u32 = 0;
  for (let cell = first; cell < cellCount && filled < 2; cell += 1) {
    if (isFilled(load<u32>(settings.cellAt(cell)), load<u32>(settings.cellAt(cell), 4))) filled += 1;
  }
  return filled;
}

/** Whether a cell is certainly not blank: all blanks beyond ASCII begin with other bytes of UTF-8 than letters. */
export function isFilled(from: u32, to: u32): bool {
  if (from == to) return false;
  const byte = <u32>load<u8>(from);
  return (byte > SPACE && byte < DELETE) || (byte >= FIRST_LETTERS && byte < LAST_LETTERS);
}

/** Whether the row may be a footer: its first cell that is not blank, configured or not, shows a slow-path pattern. */
export function mayBeFooter(): bool {
  for (let cell: u32 = 0; cell < cellCount; cell += 1) {
    const end = load<u32>(settings.cellAt(cell), 4);
    const from = trimStart(load<u32>(settings.cellAt(cell)), end);
    const to = trimEnd(from, end);
    if (from < to) return needsSlowPath(settings.firstAutomaton, from, to);
  }
  return false;
}
