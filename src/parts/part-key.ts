/**
 * The identity of a part: brand and article number with case, spaces, dashes and dots folded, so that `0 986-424.797`
 * and `0986424797` are one part. Duplicates inside a file and between feeds are found by this key.
 */
export function partKey(brand: string, oem: string): string {
  return `${fold(brand)}\t${fold(oem)}`;
}

function fold(text: string): string {
  return text.replaceAll(/[\s\-–—.]+/gu, '').toUpperCase();
}
