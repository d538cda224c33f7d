import { escapeless } from '../escapes.ts';

/** Shorter credentials have no encodings that could be told from other text. */
const LEAST = 4;
/** Shorter encodings stand in texts by chance. */
const LEAST_ENCODED = 8;

/** A credential as texts may write it, when their escapes are undone: in words, and in base64 and hex. */
export function waysOf(credential: string, rounds: number): { words: string[]; codes: string[] } {
  const words = [credential, escapeless(credential, rounds), misread(credential)];
  return { words, codes: credential.length < LEAST ? [] : encoded(credential) };
}

/** True for an encoding that no text has by chance. */
export function isTelling(code: string): boolean {
  return code.length >= LEAST_ENCODED && !/^\d+$/u.test(code);
}

/** UTF-8 that was read as Latin 1. */
function misread(credential: string): string {
  return Buffer.from(credential).toString('latin1');
}

/** Base64 in both alphabets, alone and within a longer text, and hex. */
function encoded(credential: string): string[] {
  const bytes = Buffer.from(credential);
  const base64 = [bytes.toString('base64').replaceAll('=', ''), ...[0, 1, 2].map((shift) => within(bytes, shift))];
  const known = base64.filter((text, at) => at === 0 || text.length >= LEAST_ENCODED);
  return [...known, ...known.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')), bytes.toString('hex')];
}

/** What of bytes in a longer text is the same in any: characters that also hold bits of the neighbours are not known. */
function within(bytes: Buffer, shift: number): string {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  return whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}
