import { areEqual } from './bytes';
import * as settings from './settings';

/*
 * A table of slots of 24 bytes: the hash of a folded spelling, that of the brand that it stands for, and where the text of that brand begins
 * and ends; a slot whose text ends at 0 is free. The lower bits of a spelling's hash give the slot where probing begins.
 */
const SLOT: u32 = 24;
const BRAND_HASH: u32 = 8;
const TEXT: u32 = 16;
const TEXT_END: u32 = 20;

/** Where the brand is that the brand of the row stands for, and its end; 0 when it stands for itself. */
export let spelled: u32 = 0;
export let spelledEnd: u32 = 0;

/** Notes what the brand of the row stands for. */
// @inline
export function keepSpelled(from: u32, to: u32): void {
  spelled = from;
  spelledEnd = to;
}

/** Looks up the brand [from, to), whose folded text has this hash, and notes what it stands for; returns the hash of that. */
export function findSpelled(hash: u64, from: u32, to: u32): u64 {
  spelled = spelledEnd = 0;
  if (settings.spellings == 0) return hash;
  let number = (<u32>hash) & settings.spellingMask;
  let slot = settings.spellings + number * SLOT;
  while (load<u32>(slot, TEXT_END) != 0) {
    if (load<u64>(slot) == hash) {
      const text = load<u32>(slot, TEXT);
      const end = load<u32>(slot, TEXT_END);
      if (end - text != to - from || !areEqual(text, from, to - from)) keepSpelled(text, end);
      return load<u64>(slot, BRAND_HASH);
    }
    number = (number + 1) & settings.spellingMask;
    slot = settings.spellings + number * SLOT;
  }
  return hash;
}
