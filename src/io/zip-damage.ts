import { messageOf, systemCode } from '../errors.ts';

/** What is wrong with an archive, by what yauzl calls it. */
const DAMAGES: [said: RegExp, why: string][] = [
  [/^Invalid comment length/, 'there is other data behind its end'],
  [/^End of central directory record signature not found/, 'its directory, which stands at its end, is missing'],
  [/^multi-disk/, 'it is one part of several'],
  [/local file header|overflows file bounds|unexpected EOF/, 'its files are not where its directory says'],
  [/^(?:too many|not enough) bytes in the stream/, 'a file in it has another size than its directory says'],
];

/** Why a zip file cannot be read, in our words, from what yauzl or zlib complains about. */
export function zipDamage(cause: unknown): string {
  if (systemCode(cause) !== undefined) return 'its packed data is damaged';
  const said = messageOf(cause);
  return DAMAGES.find(([pattern]) => pattern.test(said))?.[1] ?? 'its directory is damaged';
}
