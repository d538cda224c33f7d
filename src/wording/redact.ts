import { decodeEscapes, escapeless } from './escapes.ts';

/** What stands where a credential stood. */
const HIDDEN = '[secret]';
/** Shorter credentials are hidden where they stand as a word only: every text has an `a`. */
const SHORT = 4;
/** Escapes within escapes, such as HTML in JSON in a log, that are looked into. */
const ROUNDS = 4;

/** A text that gives a credential away, in small letters. */
type Needle = { text: string; asWord: boolean };

/** Every credential of this process: code that reads one from outside adds it here, and no error, log or ledger shows it. */
const needles = new Map<string, Needle[]>();

/** Hides a credential in all texts that `redact` sees from now on, however it is written there. */
export function hideFromNowOn(credential: string): void {
  if (credential.trim() === '' || needles.has(credential)) return;
  const words = [credential, escapeless(credential, ROUNDS), misread(credential)];
  const texts = [...words, ...(credential.length < SHORT ? [] : encoded(credential))];
  const asWord = credential.length < SHORT;
  needles.set(
    credential,
    [...new Set(texts.map(small))].map((text) => ({ text, asWord })),
  );
}

/**
 * A text without the credentials of this process: as they are, with the escapes of JSON, HTML and addresses (also within each
 * other and in part), in base64 and hex.
 */
export function redact(text: string): string {
  if (needles.size === 0 || text === '') return text;
  const spans: [number, number][] = [];
  let view = { text, places: null as number[] | null };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [from, to] of found(small(view.text))) {
      spans.push([view.places?.[from] ?? from, view.places?.[to] ?? to]);
    }
    const decoded = decodeEscapes(view.text);
    if (decoded === null) break;
    const { places } = view;
    view = { text: decoded.text, places: decoded.places.map((at) => places?.[at] ?? at) };
  }
  return spans.length === 0 ? text : without(text, spans);
}

/** The texts of a value, however deep, without credentials. */
export function redactDeep<Value>(value: Value): Value {
  if (typeof value === 'string') return redact(value) as Value;
  if (Array.isArray(value)) return value.map((one: unknown) => redactDeep(one)) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redactDeep<unknown>(one)])) as Value;
}

/** The credentials that this process knows, for the threads that it starts. */
export function hiddenCredentials(): string[] {
  return [...needles.keys()];
}

function* found(text: string): Generator<[number, number]> {
  for (const { text: needle, asWord } of [...needles.values()].flat()) {
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      const end = at + needle.length;
      if (!asWord || !(isWordly(text[at - 1]) || isWordly(text[end]))) yield [at, end];
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

/** Small letters, and the plus that forms write for a space; no length changes. */
function small(text: string): string {
  return text.replaceAll(' ', '+').replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** UTF-8 that was read as Latin 1. */
function misread(credential: string): string {
  return Buffer.from(credential).toString('latin1');
}

/** Base64 in both alphabets, alone and within a longer text, and hex. */
function encoded(credential: string): string[] {
  const bytes = Buffer.from(credential);
  const base64 = [bytes.toString('base64').replaceAll('=', ''), ...[0, 1, 2].map((shift) => within(bytes, shift))];
  const known = base64.filter((text, at) => at === 0 || text.length >= 2 * SHORT);
  return [...known, ...known.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')), bytes.toString('hex')];
}

/** What of bytes in a longer text is the same in any: characters that also hold bits of the neighbours are not known. */
function within(bytes: Buffer, shift: number): string {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  return whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}
