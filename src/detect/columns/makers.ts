import { readFileSync } from 'node:fs';
import type { Makers } from './judge-column.ts';

/** What a maker makes: many makers of vehicles offer parts under their own name, too. */
export type MakerKind = 'parts' | 'vehicles' | 'both';

type Maker = { kind: MakerKind; ambiguous: boolean };

const LEGAL_FORM =
  /[\s,]+(?:gmbh|ag|kg|se|ltd|llc|inc|corp|co|company|group|b\.?v|n\.?v|s\.?p\.?a|s\.?r\.?l|s\.?a|a\.?s|a\/s|sp\. ?z ?o\.? ?o|s\.?r\.?o|ооо|оао|зао|ао)\.?$/iu;

let makers: Map<string, Maker> | undefined;
let noMakers: Set<string> | undefined;

/**
 * Looks up what the maker that a cell names makes. Case, blanks, punctuation, diacritics and a legal form behind the name do not
 * matter; of two names, as in `KNECHT/MAHLE` or `HANS PRIES (TOPRAN)`, one must be known. Null for an unknown maker, and for
 * names that are ordinary words (`isNoMakerEvidence`).
 */
export function makerKind(cell: string): MakerKind | null {
  const maker = makerOf(cell);
  return maker === undefined || maker.ambiguous ? null : maker.kind;
}

/**
 * Whether a cell says nothing about its column: it is an ordinary word that is a maker's name too (`Optimal`, `Ring`), or what
 * suppliers write where they know no maker (`OEM`, `CHINA`, `б/н`). Such cells count neither for nor against a column of makers.
 */
export function isNoMakerEvidence(cell: string): boolean {
  noMakers ??= new Set(spellingsIn('no-makers.txt').flatMap(keysOf));
  return noMakers.has(keyOf(cell)) || makerOf(cell)?.ambiguous === true;
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

function makerOf(cell: string): Maker | undefined {
  makers ??= readMakers();
  const found = makers.get(keyOf(cell));
  if (found !== undefined || !/[/(,;.\s]/.test(cell)) return found;
  const bare = makers.get(keyOf(cell.trim().replace(LEGAL_FORM, '')));
  if (bare !== undefined) return bare;
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
