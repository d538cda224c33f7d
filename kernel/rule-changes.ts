import { copyBytes } from './bytes';
import { endOf, keepColumn, startOf } from './columns';
import { brandHash, keepBrandHash } from './part-key';
import { hasNone } from './rule-cells';
import * as settings from './settings';

/*
 * What rules change in a row, where that is plain: the name, the brand, tags that it does not have. A change: begin and end of the new name and of the new brand, 0
 * for none; the hash of the folded brand; begin and end of the tags that are added, with marks between them; how many these are; how texts are folded, the hashes of
 * the folded tags that are added and removed, and how many there are of both.
 */
const NAME: u32 = 0;
const NAME_END: u32 = 4;
const BRAND: u32 = 8;
const BRAND_END: u32 = 12;
const BRAND_HASH: u32 = 16;
const ADDED: u32 = 24;
const ADDED_END: u32 = 28;
const ADDED_COUNT: u32 = 32;
const FOLDING: u32 = 36;
const TAG_HASHES: u32 = 40;
const TAG_COUNT: u32 = 44;

/** How many bytes rows may still become longer in this chunk. */
export let room: i32 = 0;

/** The columns of the row, and the hash of its brand, before it was changed. */
let nameBefore: u64 = 0;
let brandBefore: u64 = 0;
let tagsBefore: u64 = 0;
let hashBefore: u64 = 0;
let bytesBefore: u32 = 0;

/** Begins to change a row. */
export function beginChanges(): void {
  nameBefore = columnOf(settings.nameAt);
  brandBefore = columnOf(settings.brandAt);
  tagsBefore = columnOf(settings.tagsAt);
  hashBefore = brandHash;
  bytesBefore = bytes();
}

/** Takes the changes of the row back. */
export function dropChanges(): void {
  putBack(settings.nameAt, nameBefore);
  putBack(settings.brandAt, brandBefore);
  putBack(settings.tagsAt, tagsBefore);
  keepBrandHash(hashBefore);
}

/** Whether there is room for the row as it is now. */
export function isThereRoom(): bool {
  const left = room - <i32>(bytes() - bytesBefore);
  if (left < 0) return false;
  room = left;
  return true;
}

/** Changes the row; false when only the slow path can. */
export function changeRow(change: u32): bool {
  if (load<u32>(change, NAME) != 0 && settings.nameAt != settings.NONE)
    keepColumn(settings.nameAt, load<u32>(change, NAME), load<u32>(change, NAME_END));
  if (load<u32>(change, BRAND) != 0 && settings.brandAt != settings.NONE) {
    keepColumn(settings.brandAt, load<u32>(change, BRAND), load<u32>(change, BRAND_END));
    keepBrandHash(load<u64>(change, BRAND_HASH));
  }
  return load<u32>(change, TAG_COUNT) == 0 || settings.tagsAt == settings.NONE || changeTags(change);
}

/** Adds tags behind those of the row, if it has none of these, and none that are removed. */
function changeTags(change: u32): bool {
  const column = settings.tagsAt;
  if (settings.uploadedSeparator == settings.NONE) return false;
  const from = startOf(column);
  const to = endOf(column);
  const isKept =
    from == to ||
    hasNone(load<u32>(change, FOLDING), from, to, load<u32>(change, TAG_HASHES), load<u32>(change, TAG_COUNT));
  if (!isKept || tagsIn(from, to) + load<u32>(change, ADDED_COUNT) > settings.maxTags) return false;
  const added = load<u32>(change, ADDED);
  const addedEnd = load<u32>(change, ADDED_END);
  if (added == addedEnd) return true;
  if (to - from + addedEnd - added >= settings.MAX_REPAIRED) return false;
  const target = settings.listBuffer(column);
  let out = from == target || from == to ? target + (to - from) : copyBytes(from, to, target);
  if (out > target) store<u8>(out++, <u8>settings.uploadedSeparator);
  keepColumn(column, target, copyBytes(added, addedEnd, out));
  return true;
}

function tagsIn(from: u32, to: u32): u32 {
  if (from == to) return 0;
  let count: u32 = 1;
  for (let at = from; at < to; at += 1) if (load<u8>(at) == settings.uploadedSeparator) count += 1;
  return count;
}

function columnOf(column: u32): u64 {
  return column == settings.NONE ? 0 : load<u64>(settings.columnAt(column));
}

function putBack(column: u32, text: u64): void {
  if (column != settings.NONE) store<u64>(settings.columnAt(column), text);
}

/** How many bytes the columns have that may change. */
function bytes(): u32 {
  return lengthOf(settings.nameAt) + lengthOf(settings.brandAt) + lengthOf(settings.tagsAt);
}

function lengthOf(column: u32): u32 {
  return column == settings.NONE ? 0 : endOf(column) - startOf(column);
}
