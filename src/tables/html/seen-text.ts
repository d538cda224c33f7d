import { sheetNumber } from '../plain-number.ts';

/**
 * The text of a cell as a browser shows it: runs of blanks and line breaks are one blank, none at its ends. `value` is the number
 * behind what is shown, which Excel (`x:num`) and LibreOffice (`sdval`) write beside it: it has all digits and no separators.
 */
export function seenText(text: string, value: string | null): string {
  const seen = text
    .replaceAll(/[ \t\r\n\f]+/g, ' ')
    .replace(/^ /, '')
    .replace(/ $/, '');
  if (value === null || !/^\s*[-+]?\d/.test(value)) return seen;
  return seen === '' || isShown(seen, Number(value)) ? sheetNumber(value) : seen;
}

/** Whether a text is a number, rounded and with separators; leading zeros, units and dates carry a meaning of their own. */
function isShown(text: string, value: number): boolean {
  if (!/^[-+]?(?!0\d)\d[\d., '\u00A0\u202F]*$/.test(text)) return false;
  const plain = text.replaceAll(/[ '\u00A0\u202F]/g, '');
  const decimals = /[.,](\d*)$/.exec(plain)?.[1]?.length ?? 0;
  const whole = Number(plain.replaceAll(/[.,]/g, ''));
  return Math.abs(whole - value) <= 0.5 || Math.abs(whole / 10 ** decimals - value) <= 0.501 / 10 ** decimals;
}
