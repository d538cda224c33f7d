import { Settings } from './settings';

/* What all kernels on a memory share. */
export let settings: Settings = changetype<Settings>(0);
/** What each byte is in a key, as half words: see src/parts/part-hash.ts. */
export let folded: u32 = 0;
/** Which bytes a plain number or brand begins and ends with. */
export let letters: u32 = 0;
/** Which bytes of a cell are brought as they are. */
export let safe: u32 = 0;
/** The columns that a row brings, as words. */
export let broughtColumns: u32 = 0;

/* What this kernel has for itself. */
/** The rows of a batch. */
export let rows: u32 = 0;
/** Where the cells of a row begin and end in turn, without the quotes around them, as words. */
export let places: u32 = 0;

const SETTINGS_BYTES: u32 = 64;
const FOLDED_BYTES: u32 = 512;
const BYTE_TABLE: u32 = 256;
const COLUMNS_BYTES: u32 = 4096;
/** 64 rows of 32 bytes. */
const ROWS_BYTES: u32 = 2048;
const PLACES_BYTES: u32 = 8192;
/** What JavaScript has to allocate for each. */
export const SHARED_BYTES: u32 = SETTINGS_BYTES + FOLDED_BYTES + 2 * BYTE_TABLE + COLUMNS_BYTES;
export const OWN_BYTES: u32 = ROWS_BYTES + PLACES_BYTES;

/** Says where this kernel finds what it shares with others, and where it has room of its own. */
export function configure(shared: u32, own: u32): void {
  settings = changetype<Settings>(shared);
  folded = shared + SETTINGS_BYTES;
  letters = folded + FOLDED_BYTES;
  safe = letters + BYTE_TABLE;
  broughtColumns = safe + BYTE_TABLE;
  rows = own;
  places = rows + ROWS_BYTES;
}
