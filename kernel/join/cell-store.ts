import { copyBytes } from '../bytes';
import { allocate, allocateUsed } from './memory';

const LF: u8 = 10;
/** Answered for what is not kept. */
export const NOT_KEPT: u32 = 0xffffffff;

/** Cells of rows in blocks, each ended by LF. JavaScript reads its fields as words in this order. */
@unmanaged
export class CellStore {
  /** The length of a block as a power of two, how many there may be, and how many there are. */
  bits: u32;
  most: u32;
  count: u32;
  /** The place of what is kept next. */
  end: u32;
  /** The longest that was kept, here or in a file. */
  longest: u32;
  /** Where the addresses of the blocks are. */
  blocks: u32;
}

/** Creates a store of so many blocks; 0 when there is no memory. */
export function createStore(bits: u32, most: u32): CellStore {
  const store = changetype<CellStore>(allocate(offsetof<CellStore>()));
  const blocks = allocate(most << 2);
  if (changetype<u32>(store) == 0 || blocks == 0) return changetype<CellStore>(0);
  store.bits = bits;
  store.most = most;
  store.blocks = blocks;
  return store;
}

/** Keeps [from, from + length) and answers its place; NOT_KEPT when it does not fit. */
export function keepCells(cells: CellStore, from: u32, length: u32): u32 {
  const block: u32 = 1 << cells.bits;
  if (length >= block) return NOT_KEPT;
  if (cells.end + length + 1 > cells.count << cells.bits && !addBlock(cells)) return NOT_KEPT;
  const place = cells.end;
  const target = addressOf(cells, place);
  copyBytes(from, from + length, target);
  store<u8>(target + length, LF);
  cells.end = place + length + 1;
  cells.longest = max(cells.longest, length);
  return place;
}

function addBlock(cells: CellStore): bool {
  if (cells.count == cells.most) return false;
  const block = allocateUsed(1 << cells.bits);
  if (block == 0) return false;
  cells.end = cells.count << cells.bits;
  store<u32>(cells.blocks + (cells.count << 2), block);
  cells.count += 1;
  return true;
}

/** Whether what is at a place is in memory. */
// @inline
export function isInMemory(cells: CellStore, place: u32): bool {
  return place < cells.end;
}

// @inline
export function addressOf(cells: CellStore, place: u32): u32 {
  return load<u32>(cells.blocks + ((place >> cells.bits) << 2)) + (place & ((1 << cells.bits) - 1));
}

/** Copies the cells at an address to `target` and answers where they end there; writes up to 16 bytes past them. */
export function copyCells(address: u32, target: u32): u32 {
  let from = address;
  let out = target;
  let ends = copySixteen(from, out);
  while (ends == 0) {
    from += 16;
    out += 16;
    ends = copySixteen(from, out);
  }
  return out + ctz(ends);
}

/** Copies 16 bytes, and answers which of them are LF. */
// @inline
function copySixteen(from: u32, target: u32): u32 {
  const bytes = v128.load(from);
  v128.store(target, bytes);
  return <u32>i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(LF)));
}
