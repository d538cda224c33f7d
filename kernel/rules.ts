import { cellCount, cutRow, isText, swapWritten } from './cells';
import { endOf, startOf } from './columns';
import { addLeftOut, mayAddLeftOut } from './findings';
import { brandHash, hashOfNumber } from './part-key';
import { cellEnd, cellStart, plainCells } from './plain-rows';
import { beginChanges, changeRow, dropChanges, isThereRoom } from './rule-changes';
import {
  ACTS,
  AMONG_BRANDS,
  AMONG_NUMBERS,
  answer,
  answerNumber,
  ASKS,
  beginCells,
  BELOW,
  COUNTS,
  FIELD_BYTES,
  fieldOf,
  HASHES,
  isAmong,
  keepCell,
  KIND,
  ON_NO,
  ON_YES,
  PLACE,
  READ,
  ROW,
  UNKNOWN,
  NO,
  NUMBER,
  NOTHING,
  OPEN,
  UNREADABLE,
  WHERE,
  YES,
} from './rule-cells';
import * as settings from './settings';

/*
 * Rules for rows, as src/validate/fast/kernel-io/rule-program.ts writes them: leaves that lead to one another, and in the end to what becomes of
 * the row. Rows of which only texts tell what becomes of them are judged by src/validate/fast/chunk/rule-row.ts.
 */

/* What becomes of a row: it stays, the rules have to be asked, or a rule leaves it out, by its place from there on. */
export const STAYS: u32 = 0;
export const IS_OPEN: u32 = 1;
export const IS_LEFT_OUT: u32 = 2;
/** Leaves are at higher addresses. */
const MOST_FATES: u32 = 1024;

/* Where the cells of a field are: nowhere, in a configured column, in the row of the supplier. */
const IN_COLUMN: u32 = 1;
const IN_ROW: u32 = 2;

/** The number of the row that is judged, and a bit for each rule that changes it. */
let row: u32 = 0;
let acting: u64 = 0;

/** Forgets what rules did to rows. */
export function openRules(): void {
  memory.fill(settings.ruleCounts, 0, settings.ruleFields - settings.ruleCounts);
}

/**
 * Judges the row whose columns are known, and changes them. Of a row that is not cut into cells, `index` is where its positions are, else 0. A row
 * that is left out is counted and listed; where it cannot be listed it is open.
 */
export function judgeRow(begin: u32, index: u32, line: u32): u32 {
  if (settings.strips != 0 && mayBeStripped()) return IS_OPEN;
  row += 1;
  acting = 0;
  beginCells();
  if (index == 0) swapWritten();
  const fate = followLeaves(begin, index);
  if (index == 0) swapWritten();
  if (acting != 0 && (fate != STAYS || !isThereRoom())) {
    dropChanges();
    return IS_OPEN;
  }
  if (fate == IS_OPEN) return IS_OPEN;
  if (fate != STAYS && !leaveOut(fate - IS_LEFT_OUT, begin, index, line)) return IS_OPEN;
  for (let rules = acting; rules != 0; rules &= rules - 1) increment(settings.ruleCounts + ((<u32>ctz(rules)) << 3));
  countNumbers();
  return min(fate, IS_LEFT_OUT);
}

function leaveOut(rule: u32, begin: u32, index: u32, line: u32): bool {
  // A row that is not cut has nothing around its values.
  if (!mayAddLeftOut(rule) || (index != 0 && cutRow(begin, index) == 0)) return false;
  if (!addLeftOut(rule, line)) return false;
  increment(settings.ruleCounts + (rule << 3));
  return true;
}

function followLeaves(begin: u32, index: u32): u32 {
  let next = load<u32>(settings.rules);
  while (next > MOST_FATES) {
    const asks = load<u32>(next, ASKS);
    let found: u32;
    if (asks == AMONG_BRANDS) {
      found = isAmong(next, brandHash) ? YES : NO;
    } else if (asks == AMONG_NUMBERS) {
      found = isAmong(next, hashOfNumber()) ? YES : NO;
    } else if (asks == ACTS) {
      if (acting == 0) beginChanges();
      acting |= (<u64>1) << load<u32>(next, NUMBER);
      if (!changeRow(load<u32>(next, HASHES))) return IS_OPEN;
      found = YES;
    } else {
      const field = fieldOf(next);
      if (load<u32>(field, ROW) != row) {
        store<u32>(field, row, ROW);
        if (!findCellOf(field, begin, index)) return IS_OPEN;
      }
      found = asks >= BELOW ? answerNumber(next, field, asks) : answer(next, field);
      if (found == UNKNOWN) return IS_OPEN;
    }
    next = found == YES ? load<u32>(next, ON_YES) : load<u32>(next, ON_NO);
  }
  return next;
}

/** Finds the cell of a field; false when only its text tells what it is. */
function findCellOf(field: u32, begin: u32, index: u32): bool {
  const where = load<u32>(field, WHERE);
  const place = load<u32>(field, PLACE);
  if (where == IN_COLUMN) return keepCell(field, startOf(place), endOf(place));
  if (where != IN_ROW || place >= (index == 0 ? cellCount : plainCells)) return keepCell(field, 0, 0);
  if (index != 0) return keepCell(field, cellStart(begin, index, place), cellEnd(index, place));
  const cell = settings.cellAt(place);
  return isText(cell) && keepCell(field, load<u32>(cell), load<u32>(cell, 4));
}

/** Whether something may be taken off the number, by its first and its last byte: a bit for each of both. */
function mayBeStripped(): bool {
  if (settings.oemAt == settings.NONE) return false;
  const first = <u32>load<u8>(startOf(settings.oemAt));
  const last = <u32>load<u8>(endOf(settings.oemAt) - 1);
  const begins = (<u32>load<u8>(settings.strips + (first >> 3))) >> (first & 7);
  const ends = (<u32>load<u8>(settings.strips + 32 + (last >> 3))) >> (last & 7);
  return ((begins | ends) & 1) != 0;
}

/** Counts the numbers of the row that were asked, those that are no numbers, and those that are not given. */
function countNumbers(): void {
  for (let field = settings.ruleFields; field < settings.ruleFieldsEnd; field += FIELD_BYTES) {
    if (load<u32>(field, READ) == 0 || load<u32>(field, ROW) != row) continue;
    const counts = load<u32>(field, COUNTS);
    increment(counts);
    const kind = load<u32>(field, KIND);
    if (kind == UNREADABLE || kind == OPEN) increment(counts + 4);
    else if (kind == NOTHING) increment(counts + 8);
  }
}

// @inline
function increment(count: u32): void {
  store<u32>(count, load<u32>(count) + 1);
}
