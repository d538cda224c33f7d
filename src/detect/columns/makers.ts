import { readFileSync } from 'node:fs';
import type { Makers } from './judge-column.ts';

/** What a maker makes: many makers of vehicles offer parts under their own name, too. */
export type MakerKind = 'parts' | 'vehicles' | 'both';

type Maker = { kind: MakerKind; ambiguous: boolean };

const LEGAL_FORM =
  /[\s,]+(?:gmbh|ag|kg|se|ltd|llc|inc|corp|co|company|group|b\.?v|n\.?v|s\.?p\.?a|s\.?r\.?l|s\.?a|a\.?s|a\/s|sp\. ?z ?o\.? ?o|s\.?r\.?o|ооо|оао|зао|ао)\.?$/iu;

let makers: Map<string, Maker> | undefined;
let noMakers: Set<string> | undefined;

/** What is known of a cell, of the cells of the last while: brands repeat, and a file's are looked up in many places. */
type Known = { maker: Maker | undefined; isNoEvidence: boolean };
const known = new Map<string, Known>();
const MOST_KNOWN = 5_000;

/**
 * Looks up what the maker that a cell names makes. Case, blanks, punctuation, diacritics and a legal form behind the name do not
 * matter; of two names, as in `KNECHT/MAHLE` or `HANS PRIES (TOPRAN)`, one must be known. Null for an unknown maker, and for
 * names that are ordinary words (`isNoMakerEvidence`).
 */
export function makerKind(cell: string): MakerKind | null {
  const { maker } = knownOf(cell);
  return maker === undefined || maker.ambiguous ? null : maker.kind;
}

/**
 * Whether a cell says nothing about its column: it is an ordinary word that is a maker's name too (`Optimal`, `Ring`), or what
 * suppliers write where they know no maker (`OEM`, `CHINA`, `б/н`). Such cells count neither for nor against a column of makers.
 */
export function isNoMakerEvidence(cell: string): boolean {
  return knownOf(cell).isNoEvidence;
}

/**
 * What is known of makers where these brands are live already: nobody lists all makers. The lists go first, and a brand without
 * two letters in a row is no evidence.
 */
export function makersWith(brands: string[]): Makers {
  const live = new Set(brands.filter((brand) => /\p{L}{2}/u.test(brand)).flatMap(keysOf));
  const isLive = (cell: string) => live.has(keyOf(cell)) && !isNoMakerEvidence(cell);
  return { makerKind: (cell) => makerKind(cell) ?? (isLive(cell) ? 'parts' : null), isNoMakerEvidence };
}

function knownOf(cell: string): Known {
  const before = known.get(cell);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  noMakers ??= new Set(spellingsIn('no-makers.txt').flatMap(keysOf));
  const key = keyOf(cell);
  const maker = makerOf(cell, key);
  const found = { maker, isNoEvidence: noMakers.has(key) || maker?.ambiguous === true };
  known.set(cell, found);
  return found;
}

function makerOf(cell: string, key: string): Maker | undefined {
  makers ??= readMakers();
  const found = makers.get(key);
  if (found !== undefined || !/[/(,;.\s]/.test(cell)) return found;
  const name = cell.trim();
  const bare = name.replace(LEGAL_FORM, '');
  const withoutForm = bare === name ? undefined : makers.get(keyOf(bare));
  if (withoutForm !== undefined || !/[/(),;]/.test(cell)) return withoutForm;
  const names = cell.split(/[/(),;]/).map((name) => makers?.get(keyOf(name)));
  return names.find((maker) => maker?.ambiguous === false);
}

function readMakers(): Map<string, Maker> {
  const read = new Map<string, Maker>();
  for (const kind of ['parts', 'vehicles'] as const) {
    for (const spelling of spellingsIn(`${kind}.txt`)) {
      for (const key of keysOf(spelling)) {
        const known = read.get(key);
        const ambiguous = spelling.endsWith('?') || known?.ambiguous === true;
        read.set(key, { kind: known === undefined || known.kind === kind ? kind : 'both', ambiguous });
      }
    }
  }
  return read;
}

function spellingsIn(file: string): string[] {
  return readFileSync(new URL(`./makers/${file}`, import.meta.url), 'utf8')
    .trim()
    .split(/ = |\n/);
}

/** A name as written, and with umlauts as two letters. */
function keysOf(name: string): string[] {
  if (!/[ÄÖÜäöü]/.test(name)) return [keyOf(name)];
  const lower = name.toLowerCase();
  return [keyOf(name), keyOf(lower.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue'))];
}

const BASE: Record<string, string> = { ł: 'l', ø: 'o', ı: 'i', ß: 'ss' };

function keyOf(name: string): string {
  const lower = name.toLowerCase();
  if (/^[\0-\x7f]*$/.test(lower)) return lower.replaceAll(/[^a-z0-9]+/g, '');
  const bare = lower.normalize('NFKD').replaceAll(/[\u0300-\u036f]+/g, '');
  return bare.replaceAll(/[łøıß]/g, (letter) => BASE[letter]!).replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
