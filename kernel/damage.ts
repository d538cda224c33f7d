import { areEqual } from './bytes';
import { needsSlowPath } from './patterns';
import * as settings from './settings';

/* What damaged a cell that shows a slow-path pattern, where it is plain and nothing else is wrong with the cell. */

const HASH: u8 = 35;
/** Fewer hashes are no number for which a column was too narrow. */
const LEAST_HASHES: u32 = 3;
/* U+FFFD in UTF-8. */
const FIRST: u8 = 0xef;
const REST: u16 = 0xbdbf;
const LOST_BYTES: u32 = 3;

/** Whether a text is the message of a failed formula, as spreadsheets write it. */
export function isFormulaError(from: u32, to: u32): bool {
  if (from == to || load<u8>(from) != HASH) return false;
  const length = to - from;
  for (let error = settings.formulaErrors; load<u8>(error) != 0; error += 1 + <u32>load<u8>(error)) {
    if (<u32>load<u8>(error) == length && areEqual(error + 1, from, length)) return true;
  }
  let at = from;
  while (at < to && load<u8>(at) == HASH) at += 1;
  return at == to && length >= LEAST_HASHES;
}

/** Whether a text has replacement characters, and shows no pattern before, between and behind them. */
export function isUndecodable(automaton: u32, from: u32, to: u32): bool {
  let piece = from;
  for (let at = from; at + LOST_BYTES <= to; at += 1) {
    if (load<u8>(at) != FIRST || load<u16>(at, 1) != REST) continue;
    if (needsSlowPath(automaton, piece, at)) return false;
    piece = at + LOST_BYTES;
  }
  return piece > from && !needsSlowPath(automaton, piece, to);
}
