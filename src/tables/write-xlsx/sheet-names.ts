/** A sheet's name has no more characters. */
const LONGEST = 31;
/** What a sheet's name cannot have, and what nobody sees in it. */
const FORBIDDEN = /[[\]:*?/\\\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** Names that sheets of one workbook can have: without what is forbidden in them, not too long, each once whatever its case. */
export function sheetNames(wanted: string[]): string[] {
  const taken = new Set<string>();
  return wanted.map((name, at) => {
    const clean = tidy(name) || `Sheet${at + 1}`;
    // Spreadsheets keep this name for themselves.
    const base = clean.toLowerCase() === 'history' ? `${clean}_` : clean;
    let found = base;
    for (let again = 2; taken.has(found.toLowerCase()); again += 1) {
      const ending = ` (${again})`;
      found = `${cut(base, LONGEST - ending.length)}${ending}`;
    }
    taken.add(found.toLowerCase());
    return found;
  });
}

function tidy(name: string): string {
  const text = cut(name.toWellFormed().replaceAll(FORBIDDEN, ' ').trim(), LONGEST);
  return text.replaceAll(/^'+|'+$/g, '').trim();
}

function cut(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}
