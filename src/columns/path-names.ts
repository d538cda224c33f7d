import { meaningsOf, type Meaning, type NamedMeaning } from './column-names.ts';

/** Parts of paths that only say that something is in them. */
const PLAIN_PART =
  /^(?:value|values|text|content|label|title|name|nom|nombre|nazwa|naam|наименование|название|名称|名|nev)$/i;

/** What is within these is not what the record itself is: analogs, the cars that a part fits, who sells it. */
const OTHERS = new Set<Meaning>(['tags', 'vehicleMake', 'vehicleModel', 'supplier', 'warehouse']);

/** What may stand around the fields of an offer without saying more of them: `product/brand`. */
const NEUTRAL = new Set<Meaning>(['name', 'comment', 'oem', 'internalCode', 'other']);

/** The parts of the name of a field in a record: `producer/@name` has two. */
function partsOf(path: string): string[] {
  return path.split('/').map((part) => part.replace(/^@/, ''));
}

/**
 * The exact name of a field in a record: the last part of its path, unless what is around it says what it is: `brand` of
 * `product/@brand`, nothing of `brand/name` and of `analogs/brand`. Pure.
 */
export function ownName(path: string): string {
  const parts = partsOf(path);
  const around = parts.slice(0, -1);
  return around.some((part) => wholeMeanings(part).some(({ meaning }) => !NEUTRAL.has(meaning))) ? '' : parts.at(-1)!;
}

/**
 * What the name of a field in a record means: all of the path as one name (`brand/name`), else its last part, unless that says
 * nothing by itself or belongs to something else within the record (`analogs/code`). Pure.
 */
export function meaningsOfPath(path: string): NamedMeaning[] {
  const parts = partsOf(path);
  if (parts.length === 1) return meaningsOf(parts[0]!);
  const [around, last] = [parts.slice(0, -1), parts.at(-1)!];
  const whole = wholeMeanings(`${parts.at(-2)} ${last}`);
  if (whole.length > 0) return whole;
  const before = around.map(wholeMeanings).filter((found) => found.length > 0);
  if (PLAIN_PART.test(last) && before.length > 0) return before.at(-1)!;
  const own = meaningsOf(last);
  if (own.length === 0) return meaningsOf(path);
  return before.flat().some(({ meaning, strength }) => strength === 'strong' && OTHERS.has(meaning))
    ? own.map((one) => ({ ...one, whole: false }))
    : own;
}

function wholeMeanings(name: string): NamedMeaning[] {
  return meaningsOf(name).filter(({ whole }) => whole);
}
