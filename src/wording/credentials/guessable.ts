/** Fewer characters than this stand in texts by chance, whatever they are. */
const LEAST = 6;
/** No text has a word or a row of words of this length by chance; passwords that servers make for programs are as long. */
const LONG = 16;
/** Ids and counts have up to 19 digits. */
const LONG_NUMBER = 20;

/** What joins words in names, paths and codes. */
const JOINTS = /[-_./:]+/u;

/**
 * True for a credential that texts and paths may contain without meaning it: fewer than 6 characters, or words and numbers of
 * fewer than 16 characters. Hiding such a one wherever it stands would damage texts, and the gap would give it away.
 */
export function isGuessable(credential: string): boolean {
  if (credential.length < LEAST) return true;
  const pieces = credential.split(JOINTS);
  const long = pieces.every((piece) => /^\d*$/u.test(piece)) ? LONG_NUMBER : LONG;
  return credential.length < long && pieces.every(isWordOrNumber);
}

/** A word, a number, or a word with a number before or behind it; written as words are, such as `Sommer2024` or `priceList`. */
function isWordOrNumber(piece: string): boolean {
  const letters = /^\d*([\p{L}\p{M}]*)\d*$/u.exec(piece)?.[1];
  if (letters === undefined) return false;
  const humps = letters.split(/(?=\p{Lu})/u);
  return humps.length === 1 || letters === letters.toUpperCase() || humps.every((hump) => hump.length >= 3);
}
