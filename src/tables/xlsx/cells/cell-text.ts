import { storedDateText } from '../../sheet/date-text.ts';
import type { NumberFormat } from '../../sheet/number-format.ts';
import { numberText } from '../../sheet/number-text.ts';
import { unescapeText } from './rich-text.ts';
import type { StringStore } from '../string-store.ts';
import { XmlError } from '../../package/xml/xml-error.ts';

/** How the value of a cell is stored (its attribute `t`). */
export type CellType = 'number' | 'shared' | 'text' | 'boolean' | 'error' | 'date';

/** What cells refer to: the strings of the workbook, the formats of its styles, when its time begins. */
export type CellContext = { strings: StringStore | null; formats: NumberFormat[]; is1904: boolean };

/** A stored value as a person sees it in the cell. Throws an XmlError for a string that does not exist. */
export function cellText(type: CellType, stored: string, style: number, context: CellContext): string {
  switch (type) {
    case 'number':
      return numberText(stored, context.formats[style], context.is1904);
    case 'shared':
      return sharedText(stored, context.strings);
    case 'boolean':
      return booleanText(stored);
    case 'date':
      return storedDateText(stored);
    case 'text':
      return unescapeText(stored);
    case 'error':
      return stored;
  }
}

function sharedText(stored: string, strings: StringStore | null): string {
  if (strings === null) throw new XmlError('a cell refers to the table of strings, and there is none');
  const text = strings.get(wholeNumber(stored));
  if (text === undefined)
    throw new XmlError(`a cell refers to the string ${stored.slice(0, 20)}, which does not exist`);
  return text;
}

/** The number that a text of digits is; one that no string has when it is anything else. */
function wholeNumber(text: string): number {
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9 || at > 8) return Number(/^\s*\d{1,9}\s*$/.exec(text)?.[0] ?? 0xff_ff_ff_ff);
    number = number * 10 + digit;
  }
  return number;
}

function booleanText(stored: string): string {
  if (stored === '1' || stored === 'true') return 'TRUE';
  return stored === '0' || stored === 'false' ? 'FALSE' : stored;
}
