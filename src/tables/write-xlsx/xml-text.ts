/** What a text in XML cannot hold as it is, and an underscore that would begin an escape of a workbook. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const SPECIAL = /[&<>"\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/g;
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const MAY_BE_SPECIAL = /[&<>"\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF_\uD800-\uDFFF]/;

const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as the XML of a workbook holds it: control characters as `_x0001_`, halves of characters replaced. */
export function xmlText(text: string): string {
  if (!MAY_BE_SPECIAL.test(text)) return text;
  return text.toWellFormed().replaceAll(SPECIAL, (one) => NAMED[one] ?? spelled(one));
}

/** What spreadsheets call a column; 0 is A. */
export function columnName(column: number): string {
  const above = Math.floor(column / 26);
  return `${above === 0 ? '' : columnName(above - 1)}${String.fromCharCode(65 + (column % 26))}`;
}

function spelled(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}
