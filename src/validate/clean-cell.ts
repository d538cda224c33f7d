/** Tabs and line breaks inside a cell; they become a space. */
const BREAKS = /[\t\n\v\f\r\u2028\u2029]+/g;
/** Control characters, soft hyphens, zero-width characters, marks of writing direction. */
const INVISIBLE = /[\p{Cc}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]/gu;
/** What bytes 0x80 to 0xBF, with which UTF-8 goes on after its first byte, look like in windows-1252 and -1251. */
const TAIL_1252 = '\\x80-\\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const TAIL_1251 = '\\x98\\xa0-\\xbf\\u0401-\\u040f\\u0451-\\u045fҐґ€‚„…†‡‰‹‘’“”•–—™›';
/** UTF-8 read as windows-1252 (`Ð¤Ð¸`, `Ã¼`, `Â®`) or as windows-1251 (`Р¤Рё`). */
const MOJIBAKE = new RegExp(`(?:[ÐÑ][${TAIL_1252}]){2}|Ã[${TAIL_1252}]|Â[\\xa0-\\xbf]|(?:[РС][${TAIL_1251}]){2}`);
/** Anything of the above, or a replacement character: most cells have none and need no closer look. */
const STRIKING = new RegExp(`${BREAKS.source}|${INVISIBLE.source}|\\ufffd|${MOJIBAKE.source}`, 'u');

export type CleanCell = {
  text: string;
  /** How many invisible characters were removed. */
  removed: number;
  mojibake: boolean;
  undecodable: boolean;
};

/** Whether a cell needs `cleanCell` at all. */
export function isStriking(cell: string): boolean {
  return STRIKING.test(cell);
}

/** Cleans a cell so that it holds neither tabs nor line breaks nor invisible characters, and looks for damage. */
export function cleanCell(cell: string): CleanCell {
  const spaced = cell.replaceAll(BREAKS, ' ');
  const visible = spaced.replaceAll(INVISIBLE, '');
  return {
    text: visible.trim(),
    removed: spaced.length - visible.length,
    mojibake: MOJIBAKE.test(cell),
    undecodable: cell.includes('\uFFFD'),
  };
}

/** An article number that a spreadsheet turned into `1,23E+11`. */
export function isScientific(number: string): boolean {
  return /^-?\d(?:[.,]\d+)?E[+-]\d{2,3}$/i.test(number);
}
