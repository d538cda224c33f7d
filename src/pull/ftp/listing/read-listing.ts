import type { Entry, ReadLine } from './entry.ts';
import { readEplf, readFacts } from './facts.ts';
import { readIbmI } from './ibm-i.ts';
import { type MvsReader, mvsReader } from './mvs.ts';
import { LONGEST_LINE, readUnix } from './unix.ts';
import { isVmsName, readVms } from './vms.ts';
import { readWindows } from './windows.ts';

/** A line that no reader knows, and the entry above it, of whose name it may be the rest. */
export type Unread = { line: string; above: Entry | undefined };

/** What a listing says, line by line. */
export type Listing = { entries: Entry[]; unread: Unread[] };

const READERS: ReadLine[] = [readUnix, readWindows, readEplf, readIbmI, readFacts];

/** `total 12`, as `ls` writes it in many languages. */
const TOTAL =
  /^(?:totale?|insgesamt|gesamt|итого|всего|разом|razem|celkem|spolu|összesen|toplam|totaal|totalt|yhteensä|σύνολο|общо|ukupno|合計|总用量|總計|总计|합계)[ \t]{0,4}:?[ \t]{0,4}\d[\d.,]{0,20}[KMG]?$/iu;

/**
 * Reads a listing as servers of many kinds write it: Unix, Windows, MLSD, EPLF, IBM i, OpenVMS, z/OS. `count` hears of each line, `now`
 * tells the year of times without one.
 */
export function readListing(text: string, now: number, count: () => void): Listing {
  const listing: Listing = { entries: [], unread: [] };
  const versions = new Set<string>();
  let mvs: MvsReader | null = null;
  let begun = '';
  let isFirst = true;
  for (const written of linesOf(text)) {
    count();
    const line = `${begun}${written}`;
    const isTop = isFirst && line.length <= LONGEST_LINE;
    isFirst = false;
    if (isTop) mvs = mvsReader(line);
    if (isTop && (mvs !== null || TOTAL.test(line))) continue;
    if (begun === '' && line.length <= LONGEST_LINE && isVmsName(line)) {
      begun = `${line.trimEnd()} `;
      continue;
    }
    begun = '';
    const vms = line.length > LONGEST_LINE ? null : readVms(line);
    const entry = line.length > LONGEST_LINE ? null : (mvs?.(line) ?? vms ?? readLine(line, now));
    if (entry === null) listing.unread.push({ line, above: listing.entries.at(-1) });
    // Each version of a file is listed, the newest first; the name alone asks for that one.
    else if (entry !== 'nothing' && (entry !== vms || !versions.has(entry.name))) listing.entries.push(entry);
    if (entry === vms && entry !== null && entry !== 'nothing') versions.add(entry.name);
  }
  if (begun !== '') listing.unread.push({ line: begun.trimEnd(), above: listing.entries.at(-1) });
  return listing;
}

function readLine(line: string, now: number): Entry | 'nothing' | null {
  for (const read of READERS) {
    const entry = read(line, now);
    if (entry !== null) return entry;
  }
  return null;
}

/** The lines of a text that are not empty, one at a time. */
function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end).replace(/\r$/u, '');
    if (line.trim() !== '') yield line;
    from = end === -1 ? text.length : end + 1;
  }
}
