import { copyBytes } from '../bytes';
import { transcode } from '../transcode';
import { rows, settings } from './areas';
import { BATCH, begin, readBatch, refuseFull, rowAt, Row, take, taken, touchAll, touchSlots } from './batch';
import { addressOf, copyCells, isInMemory } from './cell-store';
import { SLACK } from './memory';
import { findPart, isMarked, loadValue, mark, PartIndex, slotOf } from './part-index';
import { MOST_MET, Partner } from './partner';

/** Where the rows end that were written. */
export let outEnd: u32 = 0;
/** How many of them have a number that no partner has. */
export let withoutAny: u32 = 0;

/**
 * Writes the plain rows from `from` on to `target`, each with the cells of its partners; answers where the first row begins that was not taken,
 * because it is not plain or there may be no room for it before `targetEnd`. Changes nothing that other kernels read: see `markMet`.
 */
export function joinRows(first: Partner, from: u32, to: u32, target: u32, targetEnd: u32): u32 {
  const longest = longestOf(first);
  begin();
  outEnd = target;
  withoutAny = 0;
  let at = from;
  let goesOn = true;
  while (goesOn) {
    const count = readBatch(at, to);
    for (let partner: Partner | null = first; partner !== null; partner = partner.next) findBatch(partner, count);
    let joined: u32 = 0;
    while (joined < count && joinRow(first, joined, longest, targetEnd)) joined += 1;
    at = take(joined, count, at);
    goesOn = count != 0 && joined == count && hasRoomForMet();
  }
  return at;
}

function hasRoomForMet(): bool {
  return taken + BATCH <= MOST_MET || refuseFull();
}

/** Marks the parts that were met by the rows that were joined since the last call. */
export function markMet(first: Partner): void {
  for (let partner: Partner | null = first; partner !== null; partner = partner.next) {
    const end = partner.met + (partner.metCount << 2);
    for (let at = partner.met; at < end; at += 4) mark(partner.index, load<u32>(at));
    partner.metCount = 0;
  }
}

/** The most bytes that partners bring to a row. */
function longestOf(first: Partner): u32 {
  let sum = SLACK;
  for (let partner: Partner | null = first; partner !== null; partner = partner.next)
    sum += max(partner.cells.longest, partner.emptiesEnd - partner.empties) + SLACK;
  return sum;
}

/** Finds the slots of a batch and the cells that they stand for. */
function findBatch(partner: Partner, count: u32): void {
  touchSlots(partner.index, rows, count);
  for (let number: u32 = 0; number < count; number += 1) {
    const row = rowAt(number);
    const slot = row.isKeyed == 0 ? 0 : slotOf(partner.index, row.hash);
    const value = slot == 0 ? 0 : loadValue(slot);
    const isKept = value != 0 && isInMemory(partner.cells, value - 1);
    store<u32>(partner.found + (number << 2), value == 0 ? 0 : slot);
    store<u32>(partner.cellsAt + (number << 2), isKept ? addressOf(partner.cells, value - 1) : 0);
  }
  touchAll(partner.cellsAt, count);
}

/** Writes a row of the batch; false when it is not to be taken. */
// @inline
function joinRow(first: Partner, number: u32, longest: u32, targetEnd: u32): bool {
  const row = rowAt(number);
  if (<u64>outEnd + 3 * <u64>(row.next - row.start) + longest > targetEnd) return refuseFull();
  if (!canJoin(first, number, row)) return false;
  outEnd = copyOwn(row.start, row.end, outEnd);
  let isMissing = row.isKeyed;
  for (let partner: Partner | null = first; partner !== null; partner = partner.next) {
    const slot = load<u32>(partner.found + (number << 2));
    if (slot == 0) {
      outEnd = copyBytes(partner.empties, partner.emptiesEnd, outEnd);
      partner.missing += row.isKeyed;
    } else {
      outEnd = copyCells(load<u32>(partner.cellsAt + (number << 2)), outEnd);
      store<u32>(partner.met + (partner.metCount << 2), slot);
      partner.metCount += 1;
      partner.joined += 1;
      isMissing = 0;
    }
  }
  withoutAny += isMissing;
  outEnd = copyBytes(row.end, row.next, outEnd);
  return true;
}

/** Whether the cells of all partners are at hand. */
// @inline
function canJoin(first: Partner, number: u32, row: Row): bool {
  for (let partner: Partner | null = first; partner !== null; partner = partner.next) {
    const slot = load<u32>(partner.found + (number << 2));
    if (slot == 0 ? partner.showsMissing != 0 && row.isKeyed != 0 : load<u32>(partner.cellsAt + (number << 2)) == 0)
      return false;
  }
  return true;
}

/** Copies bytes of the file, which become UTF-8. */
// @inline
function copyOwn(from: u32, to: u32, target: u32): u32 {
  return settings.charset == 0 ? copyBytes(from, to, target) : transcode(from, to, target, settings.charset);
}

/** Passes over the plain rows from `from` on whose part was met or is not in an index; answers where the first other row begins. */
export function passRows(index: PartIndex, from: u32, to: u32): u32 {
  begin();
  let at = from;
  let goesOn = true;
  while (goesOn) {
    const count = readBatch(at, to);
    touchSlots(index, rows, count);
    let passed: u32 = 0;
    while (passed < count && isPassed(index, rowAt(passed))) passed += 1;
    at = take(passed, count, at);
    goesOn = count != 0 && passed == count;
  }
  return at;
}

// @inline
function isPassed(index: PartIndex, row: Row): bool {
  if (row.isKeyed == 0) return true;
  const slot = findPart(index, <u32>(row.hash >> 32), <u32>row.hash);
  return slot == 0 || isMarked(slot);
}
