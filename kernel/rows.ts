import { copyBytes, writeNumber } from './bytes';
import { cellCount, cutRow, innerBreaks, isCoded, nextRow } from './cells';
import {
  beginColumns,
  cleanColumn,
  cleaned,
  dropped,
  emptied,
  emptyColumn,
  endOf,
  failed,
  FINE,
  forgetDropped,
  garbled,
  HAS_MANY_TAGS,
  IS_EMPTY,
  keepColumn,
  keepFailed,
  readColumn,
  SHOWS_PATTERN,
  STANDS_FOR_NOTHING,
  startOf,
  tagCount,
} from './columns';
import {
  addLookalikes,
  addWarnings,
  EMPTY,
  failedIn,
  openFindings,
  placeholderIn,
  TAGS,
  undecodableIn,
} from './findings';
import {
  hasCellWithoutName,
  hasLongCell,
  hasNoWord,
  isPlainWord,
  mayBeNumberName,
  namesNoColumn,
} from './column-names';
import { isFormulaError, isUndecodable } from './damage';
import { nextInvisible } from './invisible';
import { isLoneHeading } from './lone-headings';
import { hasCyrillic, mixesAlphabets, UNCHANGED, unmixedEnd } from './lookalikes';
import {
  brandChange,
  forgetBrands,
  hasDigit,
  hashNumber,
  isSoundNumber,
  mayBeSentence,
  numberChange,
  parseBrand,
  parseNumber,
  parseWordNumber,
  partHash,
} from './part-key';
import { needsSlowPath } from './patterns';
import { IN_BRAND, IN_NUMBER, judgePlaceholder, mayBePlaceholder, NOTHING, SOMETHING, UNCERTAIN } from './placeholders';
import { configurePlainRows, isBrandRepeated, isHeader, plainCells, parseCutRow, parsePlainRow } from './plain-rows';
import { beginRow, hasAmount, mayBeFooter, mayBeLone, isOnlyFault, refuse, refuseCount, fault } from './refusals';
import { IS_LEFT_OUT, IS_OPEN, judgeRow, openRules, STAYS } from './rules';
import * as settings from './settings';
import { spelled, spelledEnd } from './spellings';
import { forgetKnownTags, forgetTags } from './tags';
import { countDropped, countSpelled, countUnwrapped, openUnwrap, unwrapRow } from './unwrap';

/** Where parsing continues: the next row, where it ends if it is a heading, and its line, the output, the list of entries, the index. */
export let rowAt: u32 = 0;
export let rowEnd: u32 = 0;
export let line: u32 = 0;
export let outAt: u32 = 0;
export let entryAt: u32 = 0;
let indexAt: u32 = 0;
let indexEnd: u32 = 0;

/** Whether a default that fills a column shows a slow-path pattern: then every row is for the slow path. */
let fastPathDisabled: bool = false;

const DONE: i32 = 0;
/** The next row is for the slow path: it is unusual, or its end is not in the index. */
const UNUSUAL: i32 = 1;
/** The next row is a heading alone, and ends before `rowEnd`. */
const HEADING: i32 = 2;
/** The rules have to be asked what becomes of the row of the last entry. */
const ASKED: i32 = 3;

/** Whether the rules have to be asked what becomes of the row that was kept last. */
let isAsked: bool = false;

const LF: u32 = 10;
const TAB: u32 = 9;

/** Loads the settings at `from`. */
export function configure(from: u32): void {
  const before = settings.columns;
  settings.readSettings(from);
  // What is known of brands and tags depends on the patterns, which are others for text that is not UTF-8.
  if (settings.columns != before) {
    forgetBrands();
    forgetKnownTags();
  }
  fastPathDisabled = false;
  hasDefaults = false;
  for (let column: u32 = 0; column < settings.columnCount; column += 1) {
    if (settings.placeOf(column) != settings.NONE) continue;
    hasDefaults = true;
    const text = settings.fallbackOf(column);
    const end = text + settings.fallbackLength(column);
    const isMixed = column == settings.oemAt ? hasCyrillic(text, end) : mixesAlphabets(text, end);
    const isPart = column == settings.brandAt || column == settings.oemAt;
    if ((isPart && isMixed) || needsSlowPath(settings.automatonOf(column), text, end)) fastPathDisabled = true;
  }
  configurePlainRows(fastPathDisabled);
}

/** Whether columns have defaults, which a row before may have changed. */
let hasDefaults: bool = false;

/** Gives the columns that stand in no cell their defaults. */
function keepDefaults(): void {
  for (let column: u32 = 0; column < settings.columnCount; column += 1) {
    const text = settings.fallbackOf(column);
    if (settings.placeOf(column) == settings.NONE) keepColumn(column, text, text + settings.fallbackLength(column));
  }
}

/** Begins a chunk of rows whose structure is in an index (`indexBytes`). */
export function open(index: u32, indexCount: u32, out: u32, entries: u32): void {
  indexAt = index;
  indexEnd = index + indexCount * 4;
  outAt = out;
  entryAt = entries;
  openFindings();
  openUnwrap();
  openRules();
}

/** The slow path has written output up to `out` and entries up to `entries`. */
export function resume(out: u32, entries: u32): void {
  outAt = out;
  entryAt = entries;
}

/**
 * Parses the rows from `at` on that begin before `to`; 0 when all are parsed, 1 when the row at `rowAt` is for the slow path, 2 when it is a heading
 * alone, 3 when rules have to be asked what becomes of the row before it.
 */
export function parseRows(at: u32, to: u32, firstLine: u32): i32 {
  rowAt = at;
  line = firstLine;
  while (indexAt < indexEnd && load<u32>(indexAt) < at) indexAt += 4;
  while (rowAt < to) {
    forgetDropped();
    forgetTags();
    isAsked = false;
    if (hasDefaults) keepDefaults();
    let index = indexAt + (plainCells << 2);
    let next = load<u32>(index - 4) + 1;
    let breaks: u32 = 0;
    if (parsePlainRow(rowAt, indexAt, line)) {
      keepRow(indexAt);
    } else {
      index = cutRow(rowAt, indexAt);
      if (index == 0) return UNUSUAL;
      next = nextRow;
      breaks = innerBreaks;
      if (!unwrapRow()) return UNUSUAL;
      forgetDropped();
      if (parseCutRow(rowAt, line)) {
        keepRow(0);
      } else if (isLoneHeading() && breaks == 0) {
        rowEnd = next;
        return HEADING;
      } else if (!parseRow()) {
        return UNUSUAL;
      }
      countUnwrapped();
    }
    if (dropped != 0) countDropped();
    indexAt = index;
    rowAt = next;
    line += 1 + breaks;
    if (isAsked) return ASKED;
  }
  return DONE;
}

/** Checks the row that was cut, and writes it or what is wrong with it; false when the row is for the slow path. */
function parseRow(): bool {
  forgetDropped();
  if (cellCount == 1 || fastPathDisabled || nextRow - rowAt > settings.maxRow) return false;
  if (cellCount < settings.leastCells || cellCount > settings.mostCells) {
    return innerBreaks == 0 && refuseCount(line, rowAt);
  }
  if (cellCount < settings.neededCells) return false;
  beginRow();
  beginColumns();
  for (let column: u32 = 0; column < settings.columnCount; column += 1) {
    if (!parseColumn(column)) return false;
  }
  if (isHeader()) return false;
  const part = judgePart();
  if (part == UNCERTAIN || (part == SOMETHING && !parsePart())) return false;
  const hasWarnings = (cleaned | emptied | failed | garbled) != 0;
  if (fault != settings.NONE) return !hasWarnings && refuse(line, rowAt);
  if (brandChange != UNCHANGED || numberChange != UNCHANGED) {
    if (hasWarnings || !addLookalikes(line)) return false;
    if (numberChange != UNCHANGED && settings.replacesLookalikes != 0 && !replaceNumber()) return false;
  }
  if (hasWarnings && !addWarnings(line)) return false;
  keepRow(0);
  return true;
}

/** Whether brand or number certainly stands for nothing, and nothing else is unusual about them: then that is noted. */
function judgePart(): u32 {
  const brand = judgeHalf(settings.brandAt, IN_BRAND);
  const number = judgeHalf(settings.oemAt, IN_NUMBER);
  if (brand == SOMETHING && number == SOMETHING) return SOMETHING;
  if (brand == UNCERTAIN || number == UNCERTAIN || settings.oemAt == settings.NONE) return UNCERTAIN;
  const column = brand == NOTHING ? settings.brandAt : settings.oemAt;
  const cell = settings.cellAt(settings.placeOf(column));
  if (!settings.isRequired(column) || isCoded(cell) || !isOnlyFault(placeholderIn(column), 0, cell)) return UNCERTAIN;
  const brandAt = settings.brandAt;
  if (brandAt != settings.NONE && needsSlowPath(settings.automatonOf(brandAt), startOf(brandAt), endOf(brandAt)))
    return UNCERTAIN;
  const oemAt = settings.oemAt;
  const automaton = settings.automatonOf(oemAt);
  if (number == NOTHING) {
    // Two faults, the message of a failed formula, or the name of a column.
    if (brand == NOTHING || needsSlowPath(automaton, startOf(oemAt), endOf(oemAt))) return UNCERTAIN;
    if (!hasAmount() && !(hasNoWord(startOf(oemAt), endOf(oemAt)) && hasLongCell())) return UNCERTAIN;
  } else if (!isSoundNumber(automaton, startOf(oemAt), endOf(oemAt))) {
    return UNCERTAIN;
  }
  // A row with a digit is no line of marks, and marks are no word of a footer.
  const isMark = settings.placeOf(column) == 0 && !isLetter(<u32>load<u8>(startOf(column)));
  return !isMark && mayBeFooter() ? UNCERTAIN : NOTHING;
}

function judgeHalf(column: u32, place: u32): u32 {
  if (column == settings.NONE || settings.placeOf(column) == settings.NONE) return SOMETHING;
  const from = startOf(column);
  const to = endOf(column);
  return from < to && mayBePlaceholder(from, to) ? judgePlaceholder(from, to, place) : SOMETHING;
}

/** A letter or a digit, or a byte of a character beyond ASCII. */
function isLetter(byte: u32): bool {
  return byte >= 0x80 || (byte | 32) - 97 < 26 || byte - 48 < 10;
}

/** Replaces the letters of another alphabet in the number; false when the row is for the slow path. */
function replaceNumber(): bool {
  const text = settings.unmixedBuffer();
  keepColumn(settings.oemAt, text, unmixedEnd);
  return hashNumber(text, unmixedEnd);
}

/** Reads the cell of a configured column; false when the row is for the slow path. */
function parseColumn(column: u32): bool {
  const place = settings.placeOf(column);
  if (place == settings.NONE) return true;
  const cell = settings.cellAt(place);
  const from = load<u32>(cell);
  const to = load<u32>(cell, 4);
  if (to - from > settings.maxCell) return false;
  const found = nextInvisible(from, to) < to ? cleanColumn(column, from, to, cell) : readColumn(column, from, to, cell);
  if (found == FINE) return true;
  if (found == STANDS_FOR_NOTHING) {
    if (settings.isRequired(column)) return isOnlyFault(placeholderIn(column), 0, cell);
    emptyColumn(column);
    return true;
  }
  if (found == SHOWS_PATTERN) return noteDamage(column, cell);
  if (found == IS_EMPTY) return isOnlyFault(EMPTY + column, 0, settings.NONE);
  return found == HAS_MANY_TAGS && isOnlyFault(TAGS, tagCount, cell);
}

/** Notes what damaged the cell of a column that shows a slow-path pattern; false when the row is for the slow path. */
function noteDamage(column: u32, cell: u32): bool {
  if (isCoded(cell)) return false;
  const from = startOf(column);
  const to = endOf(column);
  if (settings.isList(column)) return isCleaned(column, cell);
  if (isUndecodable(settings.automatonOf(column), from, to)) return isOnlyFault(undecodableIn(column), 0, cell);
  if (!isFormulaError(from, to)) return isCleaned(column, cell);
  if (settings.isRequired(column)) return isOnlyFault(failedIn(column), 0, cell);
  keepFailed(column);
  return true;
}

function isCleaned(column: u32, cell: u32): bool {
  return cleanColumn(column, load<u32>(cell), load<u32>(cell, 4), cell) == FINE;
}

/** Hashes brand and number; false when they show a slow-path pattern or only the slow path can fold them. */
function parsePart(): bool {
  let isFirst = false;
  let from: u32 = 0;
  let to: u32 = 0;
  let automaton: u32 = 0;
  const brandAt = settings.brandAt;
  if (brandAt != settings.NONE) {
    from = startOf(brandAt);
    to = endOf(brandAt);
    automaton = settings.automatonOf(brandAt);
    isFirst = settings.placeOf(brandAt) == 0 && from < to;
  }
  // Before letters of the brand are replaced.
  if (settings.brandPlace() == settings.NONE ? mayBeLone() : isBrandRepeated()) return false;
  if (!parseBrand(automaton, from, to, isFirst) || (!isFirst && mayBeFooter())) return false;
  const oemAt = settings.oemAt;
  if (oemAt == settings.NONE) return parseNumber(0, 0);
  from = startOf(oemAt);
  to = endOf(oemAt);
  if (mayBeSentence(from, to) || needsSlowPath(settings.automatonOf(oemAt), from, to)) return false;
  return hasDigit(from, to) ? parseNumber(from, to) : isOfferWithoutDigit(from, to) && parseWordNumber(from, to);
}

/** Whether a row whose number has no digit is certainly an offer: no header, none whose brand is the number, none that has its brand twice. */
function isOfferWithoutDigit(from: u32, to: u32): bool {
  if (settings.brandPlace() == settings.NONE || !isPlainWord(from, to) || !hasLongCell()) return false;
  if (mayBeNumberName(from, to) || (!namesNoColumn(from, to) && !isNoHeader())) return false;
  const brand = startOf(settings.brandAt);
  const brandEnd = endOf(settings.brandAt);
  let digits: u32 = 0;
  let isSame = brandEnd - brand == to - from;
  for (let at = brand; at < brandEnd; at += 1) {
    const byte = <u32>load<u8>(at);
    if (byte - 48 < 10) digits += 1;
    if (isSame && (byte | 32) != ((<u32>load<u8>(from + (at - brand))) | 32)) isSame = false;
  }
  return digits < LEAST_SWAPPED && !isSame;
}

/** Whether the row is no header, whatever its number names: its brand names no column, and another cell is no name as a whole. */
function isNoHeader(): bool {
  const place = settings.brandPlace();
  const brand = settings.cellAt(place);
  const isOther = namesNoColumn(load<u32>(brand), load<u32>(brand, 4));
  return isOther && hasCellWithoutName(place, settings.placeOf(settings.oemAt));
}

/** A brand with as many digits may be a number that changed places with it. */
const LEAST_SWAPPED: u32 = 4;

/** Writes an entry: hash, line, and where the row is in output and input. */
function keepEntry(): void {
  store<u64>(entryAt, partHash());
  store<u32>(entryAt, line, 8);
  store<u32>(entryAt, outAt, 12);
  store<u32>(entryAt, rowAt, 16);
  entryAt += 20;
}

/**
 * Writes the row whose columns are known, with the brand that its brand stands for, unless a rule leaves it out. `index`: where the positions are of a
 * row that is not cut into cells, else 0.
 */
function keepRow(index: u32): void {
  if (spelled != 0) {
    keepColumn(settings.brandAt, spelled, spelledEnd);
    countSpelled();
  }
  const fate = settings.rules == 0 ? STAYS : judgeRow(rowAt, index, line);
  if (fate == IS_LEFT_OUT) return;
  isAsked = fate == IS_OPEN;
  keepEntry();
  writeRow();
}

/** Writes the columns; adjacent ones are copied at once. */
function writeRow(): void {
  let out = outAt;
  if (settings.numbered != 0) {
    out = writeNumber(line, out);
    store<u8>(out, TAB);
    out += 1;
  }
  const end = settings.columnAt(settings.columnCount);
  for (let column = settings.columnAt(0); column < end;) {
    const from = load<u32>(column);
    let last = column;
    while (last + 8 < end && load<u32>(last, 8) == load<u32>(last, 4) + 1) last += 8;
    const to = load<u32>(last, 4);
    copyBytes(from, to, out);
    for (; column <= last; column += 8) store<u8>(out + load<u32>(column, 4) - from, TAB);
    out += to - from + 1;
  }
  store<u8>(out - 1, LF);
  outAt = out;
}
