/** Where a credential may begin; `inSentence` where words of a sentence may follow instead. */
export type CredentialPlace = { at: number; isAddress: boolean; inSentence: boolean };

/** What stands between a name and its value in queries, forms, headers, JSON and settings. */
const PUT = String.raw`["']?\s{0,4}[:=]\s{0,4}["']?`;
const SECRET_NAME =
  'pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|sig(?:nature)?|session[-_]?id|(?:api|access|auth|private|secret|shared)[-_]?key';
/** Names that sentences end in: only a quote or a sign of equality makes a value of what follows. */
const WORDY_NAME = 'key|auth|session';

const PLACE = new RegExp(
  [
    String.raw`(cookie2?["']?\s{0,4}[:=])`,
    String.raw`authorization${PUT}([a-z][\w-]{0,20}\s+)?`,
    String.raw`\b(?:basic|bearer)\s+`,
    String.raw`((?:${SECRET_NAME})${PUT})`,
    String.raw`(?:${WORDY_NAME})(?:["']\s{0,4}:|["']?\s{0,4}=)\s{0,4}["']?`,
    '((?<!mailto):)',
  ].join('|'),
  'giu',
);

/** The places of a text where credentials stand: in addresses, in headers, and as values of names such as `token`. */
export function* credentialPlaces(text: string): Generator<CredentialPlace> {
  let cookiesTo = 0;
  for (const match of text.matchAll(PLACE)) {
    const [found, cookies, scheme = '', name, user] = match;
    const at = match.index + found.length;
    if (cookies !== undefined) {
      // A line may have many such names, and is looked through once.
      const from = Math.max(at, cookiesTo);
      const line = lineAt(text, from);
      cookiesTo = from + line.length;
      yield* cookieValues(line).map((start) => value(from + start));
      continue;
    }
    if (scheme !== '') yield value(at - scheme.length);
    yield { at, isAddress: user !== undefined, inSentence: name !== undefined && /^[^"'=]*\s$/u.test(name) };
  }
}

function value(at: number): CredentialPlace {
  return { at, isAddress: false, inSentence: false };
}

/** Longer lines hold no cookies. */
const LONGEST_LINE = 20_000;

function lineAt(text: string, from: number): string {
  return /^[^\r\n]*/u.exec(text.slice(from, from + LONGEST_LINE))?.[0] ?? '';
}

function cookieValues(line: string): number[] {
  return [...line.matchAll(/=\s?"?/gu)].map(({ 0: put, index }) => index + put.length);
}

/** True when a credential that begins at a place ends where it must end there. */
export function endsThere(text: string, end: number, { isAddress, inSentence }: CredentialPlace): boolean {
  const rest = text.slice(end, end + 8);
  if (isAddress) return /^@[\p{L}\p{N}[]/u.test(rest);
  return !/^[\p{L}\p{N}]/u.test(rest) && !(inSentence && /^\s+[\p{L}\p{N}]/u.test(rest));
}
