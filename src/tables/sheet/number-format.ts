import type { DateParts } from './date-text.ts';
import { powerFormat, type PowerFormat } from './scientific.ts';

/**
 * What a number format means for a cell: nothing, a date, a power of ten, a mask that makes a text of a whole number, or a number
 * of decimals.
 */
export type NumberFormat =
  | { kind: 'plain' }
  | { kind: 'date'; parts: DateParts }
  | PowerFormat
  | { kind: 'mask'; tokens: MaskToken[]; places: number }
  | { kind: 'decimals'; whole: number; places: number };

/** A literal text, or a digit's place: `0` is always shown, `?` at least as a blank, `#` only when there is a digit. */
export type MaskToken = { literal: string } | { place: '0' | '#' | '?' };

export const PLAIN: NumberFormat = { kind: 'plain' };
const DAY: NumberFormat = { kind: 'date', parts: { date: true, time: false, elapsed: false } };
const CLOCK: NumberFormat = { kind: 'date', parts: { date: false, time: true, elapsed: false } };
const DAY_AND_CLOCK: NumberFormat = { kind: 'date', parts: { date: true, time: true, elapsed: false } };
const ELAPSED: NumberFormat = { kind: 'date', parts: { date: false, time: true, elapsed: true } };

const TWO_DECIMALS = 2;

/** The format of a number that programs know without being told; what is not a date shows the plain number. */
export function builtInFormat(id: number): NumberFormat {
  if (id === 11 || id === 48) return { kind: 'power', decimals: id === 11 ? 2 : 1, exponent: id === 11 ? 2 : 1 };
  if (id === TWO_DECIMALS) return { kind: 'decimals', whole: 1, places: 2 };
  if (id === 46) return ELAPSED;
  if (id === 22) return DAY_AND_CLOCK;
  const isClock = (id >= 18 && id <= 21) || id === 45 || id === 47 || (id >= 32 && id <= 33) || (id >= 75 && id <= 77);
  if (isClock || id === 79 || id === 80) return CLOCK;
  const isDay = (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) || (id >= 71 && id <= 74);
  return isDay || id === 78 || id === 81 ? DAY : PLAIN;
}

/**
 * What a format code means. A date shows parts of dates; a mask shows whole numbers with leading zeros or between literal
 * texts, as part numbers are shown; decimals are always as many. What shows prices, quantities, percents, units or currencies is the plain number.
 */
export function parseFormat(code: string): NumberFormat {
  const section = firstSection(code);
  if (GENERAL.test(section)) return PLAIN;
  return powerFormat(section) ?? dateFormat(section) ?? decimalFormat(section) ?? maskFormat(section) ?? PLAIN;
}

/** Some writers leave the name of the general format in the language of their user. */
const GENERAL = /^\s*(?:general|standard|standaard|estándar|основной|общий)\s*$/iu;

/** The section for numbers above zero; quotes, backslashes and brackets may hide a semicolon. */
function firstSection(code: string): string {
  return /^(?:"[^"]*"?|\\.|[_*].|\[[^\]]*\]|[^;"\\[_*]|[[\\_*])*/su.exec(code)?.[0] ?? code;
}

/** Everything that is shown as it stands, and colours, conditions and locales. */
const LITERALS = /"[^"]*"?|\\.|[_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gisu;

function dateFormat(section: string): NumberFormat | null {
  const letters = section.replaceAll(LITERALS, '').toLowerCase();
  // Digits stand beside parts of a date only for fractions of a second.
  if (/[0#?]/.test(letters.replaceAll(/s[.,]0+/g, ''))) return null;
  const elapsed = /\[(?:h+|m+|s+)\]/.test(letters);
  // "am/pm" and "a/p" belong to a time; a month is an "m" beside neither hours nor seconds.
  const rest = letters.replaceAll(/am\/pm|a\/p/g, 'h');
  const time = elapsed || /[hs]/.test(rest);
  const date =
    /[dy]|mmm/.test(rest) || /(?:^|[^a-z])[eg]{1,4}(?![+-])(?:[^a-z]|$)/.test(rest) || (/m/.test(rest) && !time);
  if (!date && !time) return null;
  return { kind: 'date', parts: { date, time, elapsed: elapsed && !date } };
}

/** Digits that are always shown on both sides of a dot; a colour before them and room for a sign behind them say nothing. */
const DECIMALS = /^(?:\[[a-z]+\d*\])?#*(0+)\.(0+)(?:[_*].)*$/i;

function decimalFormat(section: string): NumberFormat | null {
  const [, whole, places] = DECIMALS.exec(section.trim()) ?? [];
  return whole === undefined || places === undefined
    ? null
    : { kind: 'decimals', whole: whole.length, places: places.length };
}

/** A number with the decimals that its format always shows; null for one that has more of them, which would be lost. */
export function fixedDecimals(digits: string, { whole, places }: { whole: number; places: number }): string | null {
  const [, number, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(digits) ?? [];
  if (number === undefined || decimals.length > places || places > MOST_DECIMALS || whole > MOST_DECIMALS) return null;
  return `${number.padStart(whole, '0')}.${decimals.padEnd(places, '0')}`;
}

/** Excel shows no more. */
const MOST_DECIMALS = 30;

/** Signs and letters of money and shares: what stands beside them is an amount. */
const MONEY =
  /^(?:[\p{Sc}%‰]|руб|р|коп|грн|тг|тнг|сом|лв|дин|so['ʻ’]?m|usd|eur|euro|rub|rur|uah|kzt|byn|byr|pln|czk|gbp|chf|cny|jpy|try|tl|ron|lei|huf|ft|bgn|sek|nok|dkk|zł|zl|kč|kc|kr|din|rsd|aed|sar|inr|rs)\.?$/iu;

/** Units of amounts: behind a number they are not part of it. */
const UNITS =
  /^(?:шт|ед|компл|к-т|уп|пар|пара|pcs|pc|pz|stk|st|szt|ks|db|pce|psc|ud|uds|kg|кг|г|гр|g|gr|т|t|mm|мм|cm|см|m|м|l|л|ml|мл|дн|дней|день|дня|days?|d|tage?|дня|ч|h|мес|лет|нед|weeks?|x|х)\.?$/iu;

function maskFormat(section: string): NumberFormat | null {
  const tokens = maskTokens(section);
  if (tokens === null || literalsOf(tokens).some((text) => isMadeOf(text, MONEY))) return null;
  const last = tokens.findLastIndex((token) => 'place' in token);
  const own = tokens.filter(
    (token, at) => at <= last || !('literal' in token) || !isMadeOf(token.literal, UNITS, MONEY),
  );
  const places = own.flatMap((token) => ('place' in token ? [token.place] : []));
  const zeros = places.filter((place) => place === '0').length;
  // A blank among optional digits groups thousands, as "# ##0" does.
  const isMask = places.length > 0 && (zeros > 1 || literalsOf(own).length > 0);
  return isMask ? { kind: 'mask', tokens: own, places: places.length } : null;
}

function literalsOf(tokens: MaskToken[]): string[] {
  return tokens.flatMap((token) => ('literal' in token && token.literal.trim() !== '' ? [token.literal] : []));
}

function isMadeOf(literal: string, ...kinds: RegExp[]): boolean {
  const words = literal.trim().split(/[\s/]+/);
  return words.every((word) => kinds.some((kind) => kind.test(word)));
}

/** The tokens of a section with neighbouring literals joined; null when it has more than digits and literals. */
function maskTokens(section: string): MaskToken[] | null {
  const tokens: MaskToken[] = [];
  const pieces = section.matchAll(/"([^"]*)"?|\\(.)|[_*].|\[([^\]]*)\]|([0#?])|(.)/gsu);
  for (const [whole, quoted, escaped, bracket, place, other] of pieces) {
    if (place !== undefined) tokens.push({ place: place as '0' });
    else if (bracket !== undefined) {
      // Conditions and currencies: the plain number; a colour or a locale says nothing.
      if (/^[<>=]|^\$[^-]/.test(bracket)) return null;
    } else if (quoted !== undefined || escaped !== undefined || /^[\s\-()/:!^&'~{}=+$]$/u.test(other ?? '')) {
      if (other === '/') return null;
      addLiteral(tokens, quoted ?? escaped ?? other ?? '');
    } else if (other !== undefined && /^[.,%eE@]$/.test(other)) return null;
    else if (other !== undefined) addLiteral(tokens, whole);
  }
  return tokens;
}

function addLiteral(tokens: MaskToken[], text: string): void {
  const last = tokens.at(-1);
  if (last !== undefined && 'literal' in last) last.literal += text;
  else tokens.push({ literal: text });
}

/** A whole number of at most 15 digits as a mask shows it; null when the mask does not fit it. */
export function maskedNumber(digits: string, format: { tokens: MaskToken[]; places: number }): string | null {
  if (!/^\d{1,15}$/.test(digits)) return null;
  const shown = digits === '0' ? '' : digits;
  const from = format.places - shown.length;
  let place = 0;
  let text = '';
  for (const token of format.tokens) {
    if ('literal' in token) {
      text += token.literal;
      continue;
    }
    // A number with more digits than places begins before the first of them.
    if (place === 0 && from < 0) text += shown.slice(0, -from);
    if (place >= from) text += shown[place - from] ?? '';
    else if (token.place !== '#') text += token.place === '0' ? '0' : ' ';
    place++;
  }
  return text;
}
