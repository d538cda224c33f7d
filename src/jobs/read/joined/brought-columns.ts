import { foldExactName } from '../../../config/schema/match-names.ts';

/** A column that a partner brings: where it is in the partner, from 0, and what it is called among those of the list. */
export type BroughtColumn = { place: number; name: string };

/** A partner's columns: those that are compared are not brought. `wanted`: names, or positions from 1; null: all that have a name. */
export type PartnerColumns = {
  role: string;
  header: boolean;
  columns: string[];
  width: number;
  keys: number[];
  wanted: (string | number)[] | null;
};

/**
 * The columns that a partner brings to those that are `there`. A name that is there already gets that of the partner behind it, because the
 * columns of the list stay as they are. Pure; answers what is wanted and missing.
 */
export function broughtColumns(partner: PartnerColumns, there: string[]): BroughtColumn[] | { missing: string } {
  const { role, header, columns, width, keys, wanted } = partner;
  const count = header ? columns.length : width;
  const all = Array.from({ length: count }, (_, place) => place);
  const places: number[] = [];
  for (const one of wanted ?? []) {
    const fits = (at: number) => foldExactName(columns[at]!) === foldExactName(String(one));
    const named = typeof one === 'number' ? [one - 1] : columns.keys().filter(fits).toArray();
    const place = named.find((at) => !places.includes(at)) ?? named[0] ?? -1;
    if (place < 0 || place >= count) return { missing: String(one) };
    if (!places.includes(place)) places.push(place);
  }
  const brought =
    wanted !== null
      ? places
      : all.filter((place) => !keys.includes(place) && (!header || columns[place]!.trim() !== ''));
  const taken = new Set(there.map(foldExactName));
  const numbers = new Map<string, number>();
  return brought.map((place) => {
    const written = header ? columns[place]!.trim() : '';
    const name = freeName(written === '' ? `${role} ${place + 1}` : written, role, { taken, numbers });
    taken.add(foldExactName(name));
    return { place, name };
  });
}

/** Names that are taken, and the numbers that each has got so far: a header may repeat one of them thousands of times. */
type Names = { taken: Set<string>; numbers: Map<string, number> };

function freeName(name: string, role: string, { taken, numbers }: Names): string {
  const folded = foldExactName(name);
  let free = name;
  let at = numbers.get(folded) ?? 1;
  for (; taken.has(foldExactName(free)); at += 1) free = at === 1 ? `${name} (${role})` : `${name} (${role} ${at})`;
  numbers.set(folded, at);
  return free;
}
