const PAGE_BITS: u64 = 16;
/** An address behind the last byte must fit into 32 bits. */
const MOST: u64 = 0xffff0000;
/** Functions that copy may read and write so many bytes past the end of what they copy. */
export const SLACK: u32 = 64;

/** Where the memory begins that was not given out yet. */
let free: u64 = __heap_base;
/** Memory that came back, and where it ends. */
let spare: u32 = 0;
let spareEnd: u32 = 0;

/** Gives out zeroed memory with slack behind it; 0 when there is none left. */
export function allocate(bytes: u64): u32 {
  const at = (free + 15) & ~(<u64>15);
  const end = at + bytes + SLACK;
  if (end > MOST) return 0;
  const pages = <i32>((end + (((<u64>1) << PAGE_BITS) - 1)) >> PAGE_BITS);
  if (pages > memory.size() && memory.grow(pages - memory.size()) < 0) return 0;
  free = end;
  return <u32>at;
}

/** The same from memory that came back, as long as there is enough of it; not zeroed then. */
export function allocateUsed(bytes: u32): u32 {
  if (spareEnd - spare < bytes + SLACK) return allocate(bytes);
  const at = spare;
  spare += bytes + SLACK;
  return at;
}

/** Takes back memory. Only the larger one of two pieces is given out again. */
export function giveBack(from: u32, to: u32): void {
  if (to - from <= spareEnd - spare) return;
  spare = from;
  spareEnd = to;
}
