import type { JoinSettings } from '../../../config/schema/feed-settings.ts';
import { patternOf } from '../../../pull/choose/pattern.ts';
import { fitsEntry } from '../../../pull/unpack/unpack-all.ts';

/** Which file of a delivery is the list, by its place among them, and which one each partner of it is; partners as they are configured. */
export type FoundRoles = { list: number; partners: number[] };

/** What is wrong with the files of a delivery, as a part of a sentence. */
export type RoleProblem = { problem: string; missing: string | null };

/** Finds which file is which by the patterns of the configuration: one for each, and none beside them. Pure. */
export function findRoles(names: string[], { files }: Pick<JoinSettings, 'files'>): FoundRoles | RoleProblem {
  const places: number[] = [];
  for (const { role, pattern, isEntry } of files) {
    const matches = isEntry ? (name: string) => fitsEntry(name, pattern) : fileMatcher(pattern);
    const found = names.flatMap((name, at) => (matches(name) ? [at] : []));
    const what = places.length === 0 ? `the list (${role}: ${pattern})` : `${role} (${pattern})`;
    const [at] = found;
    if (at === undefined) return { problem: `no file is ${what}`, missing: role };
    if (found.length > 1) {
      const several = found.map((one) => names[one]!);
      return { problem: `several files may be ${what}: ${several.slice(0, SHOWN).join(', ')}`, missing: null };
    }
    if (places.includes(at)) {
      const other = files[places.indexOf(at)]!;
      return { problem: `${names[at]} may be ${what}, but is ${other.role} (${other.pattern})`, missing: null };
    }
    places.push(at);
  }
  const beside = names.filter((_, at) => !places.includes(at));
  if (beside.length > 0) return { problem: `nothing says what ${beside.slice(0, SHOWN).join(', ')} is`, missing: null };
  const [list, ...partners] = places as [number, ...number[]];
  return { list, partners };
}

/** What fits the name of a file, in whatever folder of an archive it is. */
function fileMatcher(pattern: string): (name: string) => boolean {
  const { matches } = patternOf(pattern);
  return (name) => matches(name.slice(name.lastIndexOf('/') + 1));
}

const SHOWN = 20;
