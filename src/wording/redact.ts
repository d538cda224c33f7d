import { isGuessable } from './credentials/guessable.ts';
import { credentialPlaces, endsThere } from './credentials/places.ts';
import { isTelling, waysOf } from './credentials/ways.ts';
import { decodeEscapes } from './escapes.ts';

/** What stands where a credential stood. */
const HIDDEN = '[secret]';
/** Escapes within escapes, such as HTML in JSON in a log, that are looked into. */
const ROUNDS = 4;

/** No other words hold one that is as long. */
const LONG_WORD = 8;

/** How a credential gives itself away, in small letters: `always` wherever it stands, `placed` where credentials stand and in what others write. */
type Needles = { always: string[]; placed: string[] };

/** Every credential of this process: code that reads one from outside adds it here, and no error, log or ledger shows it. */
const known = new Map<string, Needles>();

/** Forgets every credential: what this process does next is for another installation. */
export function forgetCredentials(): void {
  known.clear();
}

/**
 * Hides a credential in all texts that `redact` sees from now on, however it is written there; one that is guessable, only where
 * credentials stand.
 */
export function hideFromNowOn(credential: string): void {
  if (credential.trim() === '' || known.has(credential)) return;
  const { words, codes } = waysOf(credential, ROUNDS);
  const ways = [...new Set([...words, ...codes].map(small))];
  const telling = isGuessable(credential) ? new Set(codes.filter(isTelling).map(small)) : new Set(ways);
  known.set(credential, {
    always: ways.filter((way) => telling.has(way)),
    placed: ways.filter((way) => !telling.has(way)),
  });
}

/**
 * A text of ours without the credentials of this process: as they are, with the escapes of JSON, HTML and addresses (also within
 * each other and in part), in base64 and hex. Guessable ones are taken out where credentials stand: elsewhere they are words.
 */
export function redact(text: string): string {
  return hidden(text, placedOnes);
}

/** A text that a server wrote, which may repeat what it was given: without credentials, guessable ones also, short ones as whole words. */
export function redactForeign(text: string): string {
  return hidden(text, wordsAmong);
}

type View = { text: string; folded: string };
type Finder = (view: View, needles: string[]) => Iterable<[number, number]>;

function hidden(text: string, findGuessable: Finder): string {
  if (known.size === 0 || text === '') return text;
  const all = [...known.values()];
  const [always, placed] = [all.flatMap((one) => one.always), all.flatMap((one) => one.placed)];
  const spans: [number, number][] = [];
  let view = { text, places: null as number[] | null };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const seen = { text: view.text, folded: small(view.text) };
    for (const [from, to] of [...occurrences(seen.folded, always), ...findGuessable(seen, placed)]) {
      spans.push([view.places?.[from] ?? from, view.places?.[to] ?? to]);
    }
    const decoded = decodeEscapes(view.text);
    if (decoded === null) break;
    const { places } = view;
    view = { text: decoded.text, places: decoded.places.map((at) => places?.[at] ?? at) };
  }
  return spans.length === 0 ? text : without(text, spans);
}

/** The texts of a value, however deep, without credentials; `hide` is `redact` or `redactForeign`. */
export function redactDeep<Value>(value: Value, hide = redact): Value {
  if (typeof value === 'string') return hide(value) as Value;
  if (Array.isArray(value)) return value.map((one: unknown) => redactDeep(one, hide)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const shown = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redactDeep<unknown>(one, hide)]));
  // What inherits nothing still does not.
  return (prototype === null ? Object.assign(Object.create(null) as object, shown) : shown) as Value;
}

/** The credentials that this process knows, for the threads that it starts. */
export function hiddenCredentials(): string[] {
  return [...known.keys()];
}

function* occurrences(text: string, needles: string[]): Generator<[number, number]> {
  for (const needle of needles) {
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      yield [at, at + needle.length];
    }
  }
}

function* wordsAmong({ folded }: View, needles: string[]): Generator<[number, number]> {
  for (const [at, end] of occurrences(folded, needles)) {
    const isWithin = isWordly(folded[at - 1]) || isWordly(folded[end]);
    if (!isWithin || end - at >= LONG_WORD) yield [at, end];
  }
}

function* placedOnes({ text, folded }: View, needles: string[]): Generator<[number, number]> {
  if (needles.length === 0) return;
  for (const place of credentialPlaces(text)) {
    for (const needle of needles) {
      const end = place.at + needle.length;
      if (folded.startsWith(needle, place.at) && endsThere(text, end, place)) yield [place.at, end];
    }
  }
}

function isWordly(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function without(text: string, spans: [number, number][]): string {
  let shown = '';
  let taken = 0;
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    if (from >= taken) shown += text.slice(taken, from) + HIDDEN;
    taken = Math.max(taken, to);
  }
  return shown + text.slice(taken);
}

/** Small letters, and the plus that forms write for a space; no length changes. Pieces are short, lest a pattern exhaust its stack. */
function small(text: string): string {
  return text.replaceAll(' ', '+').replaceAll(/[A-Z]{1,1000}/g, (letters) => letters.toLowerCase());
}
