import { meaningsOf, type Meaning } from '../columns/column-names.ts';
import { foldExactName } from '../config/schema/match-names.ts';
import type { SignalSettings } from '../config/schema/schema.ts';
import type { SignalColumn } from '../model.ts';

/** What is seen of a delivery beside what is uploaded. */
export type SignalKind = keyof SignalSettings;

/** Where the columns are; `problems`: those that are set and not there, or that could be several. */
export type FoundSignals = Record<SignalKind, SignalColumn | null> & { problems: SignalProblem[] };

/** A column that cannot be used; `found`: those that it could be, as `"Preis" (4)`, or all of them when it is missing. */
export type SignalProblem = { kind: SignalKind; problem: 'missing' | 'ambiguous'; wanted: string; found: string };

/** A table as the header shows it, and the places (from 0) of columns that are uploaded. */
type Table = { header: string[]; width: number; used: number[] };

const MEANINGS: Record<SignalKind, Meaning> = { price: 'price', stock: 'quantity' };

/** Finds the columns that are seen: by the names or the position that are set, or by what the header is known to mean. Pure. */
export function findSignals(settings: SignalSettings, table: Table): FoundSignals {
  const found: FoundSignals = { price: null, stock: null, problems: [] };
  for (const kind of ['price', 'stock'] as const) {
    const setting = settings[kind];
    if (setting === 'off') continue;
    const places = setting === 'auto' ? knownPlaces(kind, table) : writtenPlaces(setting, table);
    const [first] = places;
    if (first !== undefined && places.length === 1) found[kind] = columnAt(first, table);
    else if (places.length > 1) found.problems.push(problemOf(kind, 'ambiguous', setting, places, table));
    else if (setting !== 'auto') {
      const all = table.header.map((_name, at) => at);
      found.problems.push(problemOf(kind, 'missing', setting, all, table));
    }
  }
  return found;
}

function columnAt(place: number, { header }: Table): SignalColumn {
  const name = header[place]?.trim() ?? '';
  return { column: name === '' ? null : name, position: place + 1 };
}

function writtenPlaces(setting: SignalSettings[SignalKind], { header, width }: Table): number[] {
  if (typeof setting === 'number') return setting <= Math.max(width, header.length) ? [setting - 1] : [];
  const wanted = new Set([setting].flat().map(foldExactName));
  return header.flatMap((name, at) => (wanted.has(foldExactName(name)) ? [at] : []));
}

/** The columns whose names say best that they are the one: the whole name before a word of it. */
function knownPlaces(kind: SignalKind, { header, used }: Table): number[] {
  const weights = header.map((name, at) => (used.includes(at) ? 0 : weightOf(name, MEANINGS[kind])));
  const best = Math.max(0, ...weights);
  return best === 0 ? [] : weights.flatMap((weight, at) => (weight === best ? [at] : []));
}

/** 3 for the whole name, 2 for a word of it, 1 for a name of other columns as well, 0 when it means something else as much. */
function weightOf(name: string, meaning: Meaning): number {
  const weights = new Map<Meaning, number>();
  for (const { meaning: means, whole, strength } of name.trim() === '' ? [] : meaningsOf(name)) {
    const weight = strength === 'weak' ? 1 : whole ? 3 : 2;
    weights.set(means, Math.max(weights.get(means) ?? 0, weight));
  }
  const own = weights.get(meaning) ?? 0;
  const isRivalled = [...weights].some(([other, weight]) => other !== meaning && other !== 'currency' && weight >= own);
  return isRivalled ? 0 : own;
}

/** So many columns are named in a message. */
const SHOWN = 20;

function problemOf(
  kind: SignalKind,
  problem: SignalProblem['problem'],
  setting: SignalSettings[SignalKind],
  places: number[],
  { header }: Table,
): SignalProblem {
  const names = places.slice(0, SHOWN).map((at) => `"${(header[at] ?? '').trim().slice(0, 60)}" (column ${at + 1})`);
  if (places.length > SHOWN) names.push(`and ${places.length - SHOWN} more`);
  const wanted = typeof setting === 'number' ? `position ${setting}` : [setting].flat().join(', ');
  return { kind, problem, wanted, found: names.length === 0 ? 'none with a name' : names.join(', ') };
}
