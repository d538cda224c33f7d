import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import { foldExactName } from '../../config/schema/match-names.ts';
import { nameWords } from '../../columns/name-words.ts';
import type { ColumnEvidence, ContentEvidence } from '../../wording/columns/column-evidence.ts';
import { profilesOf, type ColumnProfile, type FoundTable } from './column-profile.ts';
import { doubtOfName } from './doubt-of-name.ts';
import { judgeColumns, type Judged } from './judge/judge-columns.ts';
import { JUDGES } from './judge/judges.ts';
import { makersIn, type Makers } from './judge/makers-in.ts';
import { isIdByName } from './judge/number-names.ts';

/** Where a column of the offer file is, and why. */
export type Found = { index: number; sure: boolean; evidence: ColumnEvidence };

/** A table, the columns that are open in it, and those found by exact names that may be doubted. */
type Open = { table: FoundTable; open: ColumnSettings[]; doubtful: ColumnSettings[]; makers: Makers };

/** Adds to what was found the columns that are judged, and doubts those whose exact names their cells contradict. */
export function judgeOpen(found: Map<string, Found>, { table, open, doubtful, makers }: Open): void {
  const profiles = profilesOf(table);
  const exact = new Map([...found].map(([key, { index }]) => [key, profiles[index]!]));
  const used = new Set(exact.values());
  const unused = profiles.filter((profile) => !used.has(profile));
  const misnamed = doubtful.filter((column) => {
    const { key } = column;
    const doubt = doubtOfName(column, exact.get(key)!, unused, makers);
    if (doubt === null) return false;
    const evidence: ColumnEvidence = { code: 'judged', named: true, content: doubt.content, rival: null };
    found.set(key, { ...found.get(key)!, sure: false, evidence });
    return true;
  });
  // What contradicts its name may be another of the columns that are looked for.
  const swapped = misnamed.length + open.length < 2 ? [] : misnamed.map(({ key }) => nameless(exact.get(key)!));
  const judged = judgeColumns([...misnamed, ...open], [...unused, ...swapped], { table, makers });
  const isBrandMissing = open.some(({ key, required }) => key === 'brand' && required) && !judged.has('brand');
  if (isBrandMissing && table.header.length > 0 && areOnlyDigits(judged.get('oem'), profiles)) judged.delete('oem');
  const number = judged.get('oem');
  const isNumberOpen = open.some(({ key, required }) => key === 'oem' && required);
  if (isNumberOpen && (number === undefined || isListsOwnCode(profiles[number.index]!))) {
    const name = profiles[(found.get('name') ?? judged.get('name'))?.index ?? -1];
    const others = [...judged].flatMap(([key, { index }]) => (key === 'name' ? [] : index));
    const untaken = unused.filter(({ index }) => !others.includes(index));
    const named = numberUnderName(name, untaken, makers);
    // What is the number is not the name as well.
    if (name !== undefined && name.index === named.get('oem')?.index) {
      found.delete('name');
      judged.delete('name');
    }
    for (const [key, one] of named) judged.set(key, one);
  }
  const brands = profiles[(found.get('brand') ?? judged.get('brand'))?.index ?? -1];
  for (const [key, best] of judged) {
    const owner = misnamed.find((other) => other.key !== key && exact.get(other.key)!.index === best.index);
    // A column that another one still holds is no proposal.
    if (owner !== undefined && !judged.has(owner.key)) continue;
    const own = misnamed.some((doubted) => doubted.key === key) ? exact.get(key)! : null;
    const sure = best.sure && table.header.length > 0 && own === null;
    const other = profiles[best.index]!;
    const isKept =
      own !== null &&
      (areNamedAlike(own, other) || (key === 'oem' && isBesideOriginal(own, { other, brands, makers })));
    const rival = own === null ? best.evidence.rival : nameOf(isKept ? other : own);
    const index = isKept ? own.index : best.index;
    found.set(key, { ...best, index, sure, evidence: { ...best.evidence, rival } });
  }
}

/**
 * Numbers without letters, which nothing but their looks speaks for, not even a name for codes: without a brand beside them they are
 * anybody's.
 */
function areOnlyDigits(judged: Judged | undefined, profiles: ColumnProfile[]): boolean {
  if (judged === undefined || judged.evidence.named) return false;
  const { means, lettered, name } = profiles[judged.index]!;
  return lettered < 0.5 && (!means.has('internalCode') || isIdByName(name));
}

/** The name of a code says that it is the list's own, and nothing else: `Internal reference`. */
function isListsOwnCode({ means }: ColumnProfile): boolean {
  return means.get('internalCode') === WHOLE && !means.has('oem');
}

/**
 * The number where the name of a part is its number, also where no other column says what it is: `Name` beside `Description`,
 * `Designation` beside measures. `name`: the column taken for the name so far, which may be either of them.
 */
function numberUnderName(
  name: ColumnProfile | undefined,
  unused: ColumnProfile[],
  makers: Makers,
): Map<string, Judged> {
  const all = name === undefined ? unused : [name, ...unused];
  const numbers = all.find((one) => one.means.get('name') === WHOLE && areNumbers(one, makers));
  if (numbers === undefined) return new Map();
  const texts = all.filter((one) => one !== numbers && isDescription(one, numbers));
  const described = texts.find(({ means }) => means.has('name')) ?? texts[0];
  const { partNumbers: share, values } = numbers;
  const judged = new Map([['oem', asJudged(numbers, { looks: 'part-numbers', share, values })]]);
  return described === undefined || described === name ? judged : judged.set('name', asJudged(described, null));
}

/** The weight of a whole name (`ColumnProfile.means`). */
const WHOLE = 3;

function asJudged({ index }: ColumnProfile, content: ContentEvidence | null): Judged {
  return { index, sure: false, evidence: { code: 'judged', named: false, content, rival: null } };
}

function areNumbers(profile: ColumnProfile, makers: Makers): boolean {
  const { lettered, digits, distinct, values, rows } = profile;
  if (lettered < 0.5 || digits < 0.8 || distinct < values * 0.9 || values < rows / 2) return false;
  const fitness = JUDGES['oem']!({ ...profile, means: new Map() }, makers);
  return fitness !== null && !fitness.contradicted && !fitness.isForRows && fitness.content >= 0.8;
}

/** Nearly as many texts as numbers, few of them again. */
function isDescription(profile: ColumnProfile, numbers: ColumnProfile): boolean {
  const { means, values, words, phrases, distinct, length } = profile;
  const mayBe = [...means.keys()].every((meaning) => meaning === 'name' || meaning === 'comment');
  const areTexts = Math.max(words, phrases) >= 0.5 && length >= 4;
  return mayBe && areTexts && values >= numbers.values * 0.9 && distinct >= values * 0.5;
}

/** Of two columns of one name, as in tables beside each other, the first one stands with the other columns of its table. */
function areNamedAlike(one: ColumnProfile, other: ColumnProfile): boolean {
  return one.name !== '' && foldExactName(one.name) === foldExactName(other.name);
}

/** Numbers of the vehicles' makers, by a word of their name. */
const ORIGINAL = /^(?:oes?|oem|ое|оем|orig.*|ориг.*|genuine)$/;

/** The numbers of makers of parts are their own: those of the originals, beside them, are not. */
function isBesideOriginal(
  own: ColumnProfile,
  { other, brands, makers }: { other: ColumnProfile; brands: ColumnProfile | undefined; makers: Makers },
): boolean {
  const isOriginal = ({ name }: ColumnProfile) => nameWords(name).some((word) => ORIGINAL.test(word));
  if (!isOriginal(other) || isOriginal(own)) return false;
  const areOfVehicles = brands !== undefined && makersIn(brands, makers).vehicles >= 0.5;
  return !areOfVehicles && JUDGES['oem']!(own, makers)?.plausible === true;
}

/** What people call a column. */
function nameOf({ name, index }: ColumnProfile): string {
  return name === '' ? `column ${index + 1}` : name;
}

/** A column as its cells alone show it. */
function nameless(profile: ColumnProfile): ColumnProfile {
  return { ...profile, means: new Map() };
}
