import { meaningsOf, type Meaning, type NamedMeaning } from './column-names.ts';

/** Parts of paths that only say that something is in them. */
const PLAIN_PART =
  /^(?:value|values|text|content|label|title|name|nom|nombre|nazwa|naam|наименование|название|名称|名|nev)$/i;

/** What is within these is not what the record itself is: analogs, the cars that a part fits, who sells it. */
const OTHERS = new Set<Meaning>(['tags', 'vehicleMake', 'vehicleModel', 'supplier', 'warehouse']);

/** What says which part a record is of: within other parts it says that of them. */
const OF_PARTS = new Set<Meaning>(['brand', 'oem', 'internalCode']);

/** What has a name or a value within it: `producer/name`. Other words only hold fields: `data/name`. */
const NAMED_BY_PARTS = new Set<Meaning>([
  ...OTHERS,
  'brand',
  'oem',
  'group',
  'country',
  'currency',
  'price',
  'quantity',
]);

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
  const [around, last] = [parts.slice(0, -1), parts.at(-1)!];
  if (around.some((part) => saysOther(part) || certainMeanings(part).includes('brand'))) return '';
  // `vehicle/brand` is another thing than a brand.
  const joined = around.length === 0 ? [] : wholeMeanings(`${around.at(-1)} ${last}`);
  const own = new Set(wholeMeanings(last).map(({ meaning }) => meaning));
  return joined.length === 0 || joined.some(({ meaning }) => own.has(meaning)) ? last : '';
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
  const holder = around.findLast((part) => certainMeanings(part).some((meaning) => NAMED_BY_PARTS.has(meaning)));
  if (PLAIN_PART.test(last) && holder !== undefined) return wholeMeanings(holder);
  const own = meaningsOf(last);
  if (own.length === 0) return meaningsOf(path);
  const other = around.findLast(saysOther);
  if (other === undefined) return own;
  const within = own.map((one) => Object.assign({}, one, { meaning: meaningWithin(other, one.meaning), whole: false }));
  return [...new Map(within.map((one) => [one.meaning, one])).values()];
}

/** Whether a name says that other parts are within it: analogs, crosses, replacements, numbers of the vehicle's maker. Pure. */
export function namesOtherParts(name: string): boolean {
  return certainMeanings(name).includes('tags');
}

/** What a field means within something else: numbers of other parts are tags, their makers are nothing that an offer has. */
function meaningWithin(other: string, meaning: Meaning): Meaning {
  if (!OF_PARTS.has(meaning)) return meaning;
  return meaning !== 'brand' && namesOtherParts(other) ? 'tags' : 'other';
}

function saysOther(part: string): boolean {
  return certainMeanings(part).some((meaning) => OTHERS.has(meaning));
}

function certainMeanings(part: string): Meaning[] {
  return wholeMeanings(part).flatMap(({ meaning, strength }) => (strength === 'strong' ? meaning : []));
}

function wholeMeanings(name: string): NamedMeaning[] {
  return meaningsOf(name).filter(({ whole }) => whole);
}
