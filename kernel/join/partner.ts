import { allocate } from './memory';
import { CellStore } from './cell-store';
import { PartIndex } from './part-index';
import { BATCH } from './batch';

/** A partner of a list. JavaScript writes and reads its fields as words in this order. */
@unmanaged
export class Partner {
  index: PartIndex;
  cells: CellStore;
  /** What is put behind a row that has no partner. */
  empties: u32;
  emptiesEnd: u32;
  /** Whether a row that has no partner is left to the slow path. */
  showsMissing: u32;
  /** How many rows have a partner, and how many have none. */
  joined: u32;
  missing: u32;
  /** The slots of the rows of a batch, 0 where there is none, as words. */
  found: u32;
  /** The partner after this one; 0 after the last one. */
  next: Partner | null;
  /** Where the cells of the rows of a batch are, 0 where they are not in memory, as words. */
  cellsAt: u32;
  /** The slots of parts that were met and are not marked yet, as words, and their number. */
  met: u32;
  metCount: u32;
}

/** So many rows are joined at most before their parts are marked. */
export const MOST_MET: u32 = 16384;

/** Creates a partner with nothing in it; 0 when there is no memory. */
export function createPartner(): u32 {
  const partner = allocate(offsetof<Partner>());
  const found = allocate(BATCH << 2);
  const met = allocate(MOST_MET << 2);
  const cellsAt = allocate(BATCH << 2);
  if (partner == 0 || found == 0 || cellsAt == 0 || met == 0) return 0;
  changetype<Partner>(partner).found = found;
  changetype<Partner>(partner).cellsAt = cellsAt;
  changetype<Partner>(partner).met = met;
  return partner;
}
