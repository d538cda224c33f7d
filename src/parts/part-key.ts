/**
 * The identity of a part: brand and article number with case, spaces, dashes and dots folded, so that `0 986-424.797`
 * and `0986424797` are one part. Duplicates inside a file and between feeds are found by this key.
 */
export function partKey(brand: string, oem: string): string {
  return `${foldHalf(brand)}\t${foldHalf(oem)}`;
}

/** A brand or a number as a part's key has it. */
export function foldHalf(text: string): string {
  return text.replaceAll(/[\s\-–—.]+/gu, '').toUpperCase();
}

/** What keys have of a brand or a number whose letters and marks files write as one character or as several. */
export function foldForms(text: string): string[] {
  return [...new Set([text, text.normalize('NFC'), text.normalize('NFD')].map(foldHalf))];
}
