import { partKey } from '../../parts/part-key.ts';
import type { PartName, PartsChange } from '../../model.ts';

/**
 * A way in which all parts may have changed. `before`: the key by which a live part is looked up; null: by its part key. `after`: the
 * key under which a new part would have been live, null where it cannot have changed so.
 */
export type Way = {
  change: PartsChange;
  before: ((part: PartName) => string) | null;
  after: (part: PartName) => string | null;
};

/** Letters and digits of an ending or a beginning that all numbers may have. */
const LONGEST_AFFIX = 12;
/** This share of the numbers has it. */
const MOST = 0.5;

/** Letters of other alphabets, and the Latin ones that look the same, in the same order: Cyrillic, then Greek. */
const LOOK_ALIKES = 'АВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const LOOKED_LIKE = 'ABEKMHOPCTYXIJSABEZHIKMNOPTYX';
const alike = new Map(LOOK_ALIKES.split('').map((letter, at) => [letter, LOOKED_LIKE[at]!]));
const ANY_ALIKE = new RegExp(`[${LOOK_ALIKES}]`, 'g');

/** The ways that may explain why the parts of a delivery are others, the most telling first. `gone`, `added`: samples of both sides. */
export function waysToChange(gone: PartName[], added: PartName[]): Way[] {
  return [
    ...affixWays(gone, added),
    { change: { what: 'zeros', isNew: true }, before: zerosKey, after: zerosKey },
    { change: { what: 'letters' }, before: lettersKey, after: lettersKey },
    { change: { what: 'marks' }, before: marksKey, after: marksKey },
    { change: { what: 'swapped' }, before: null, after: ({ brand, oem }) => partKey(oem, brand) },
    { change: { what: 'brand-before', isNew: true }, before: null, after: withoutBrand },
    {
      change: { what: 'brand-before', isNew: false },
      before: withoutBrand,
      after: ({ brand, oem }) => partKey(brand, oem),
    },
    { change: { what: 'brand' }, before: numberKey, after: numberKey },
  ];
}

/** Endings and beginnings that most numbers of one side share; the longest first, as `.0` also ends in `0`. */
function affixWays(gone: PartName[], added: PartName[]): Way[] {
  const ways: Way[] = [];
  for (const text of sharedEnds(added, 'end')) {
    const after = ({ brand, oem }: PartName) => {
      const number = oem.trim();
      return number.endsWith(text) && number.length > text.length
        ? partKey(brand, number.slice(0, -text.length))
        : null;
    };
    ways.push({ change: { what: 'ending', text, isNew: true }, before: null, after });
  }
  for (const text of sharedEnds(added, 'start')) {
    const after = ({ brand, oem }: PartName) => {
      const number = oem.trim();
      return number.startsWith(text) && number.length > text.length ? partKey(brand, number.slice(text.length)) : null;
    };
    ways.push({ change: { what: 'beginning', text, isNew: true }, before: null, after });
  }
  for (const text of sharedEnds(gone, 'end')) {
    const after = ({ brand, oem }: PartName) => partKey(brand, oem.trim() + text);
    ways.push({ change: { what: 'ending', text, isNew: false }, before: null, after });
  }
  for (const text of sharedEnds(gone, 'start')) {
    const after = ({ brand, oem }: PartName) => partKey(brand, text + oem.trim());
    ways.push({ change: { what: 'beginning', text, isNew: false }, before: null, after });
  }
  const isZeros = ({ change }: Way) => change.what === 'beginning' && /^0+$/.test(change.text);
  return ways.filter((way) => !isZeros(way));
}

function sharedEnds(parts: PartName[], side: 'start' | 'end'): string[] {
  const counts = new Map<string, number>();
  for (const { oem } of parts) {
    const number = oem.trim();
    for (let length = 1; length <= Math.min(LONGEST_AFFIX, number.length - 1); length++) {
      const text = side === 'end' ? number.slice(-length) : number.slice(0, length);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([, count]) => count >= parts.length * MOST)
    .map(([text]) => text)
    .sort((a, b) => b.length - a.length);
}

function zerosKey({ brand, oem }: PartName): string {
  const [brandKey = '', number = ''] = partKey(brand, oem).split('\t');
  return `${brandKey}\t${number.replace(/^0+/, '')}`;
}

function lettersKey({ brand, oem }: PartName): string {
  return withoutLookAlikes(partKey(brand, oem));
}

function marksKey({ brand, oem }: PartName): string {
  return partKey(brand, oem.replaceAll(/[^\p{L}\p{N}]+/gu, ''));
}

function numberKey({ oem }: PartName): string {
  return partKey('', oem);
}

/** The key of a part without its brand at the beginning of its number: of a number without it that of no part. */
function withoutBrand({ brand, oem }: PartName): string {
  const [brandKey = '', number = ''] = partKey(brand, oem).split('\t');
  const isThere = brandKey !== '' && number.startsWith(brandKey) && number.length > brandKey.length;
  return isThere ? `${brandKey}\t${number.slice(brandKey.length).replace(/^[/_:|]+/, '')}` : '';
}

/** A text in capital letters in which letters that look alike are the same, and wide ones are narrow. */
function withoutLookAlikes(text: string): string {
  return text.normalize('NFKC').replaceAll(ANY_ALIKE, (letter) => alike.get(letter) ?? letter);
}
