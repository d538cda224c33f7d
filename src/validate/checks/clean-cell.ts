import { decodeBytes } from '../../io/text-decode.ts';
import { MOJIBAKE } from './mojibake.ts';

/** A tab or a line break inside a cell; those that follow one another become a space. */
export const BREAK = /[\t\n\v\f\r\u2028\u2029]/;
const BREAKS = new RegExp(`${BREAK.source}+`, 'g');
/** Control characters, soft hyphens, zero-width characters, marks of writing direction. */
export const INVISIBLE = /[\p{Cc}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]/gu;
/** Control characters that are printable in windows-1252, in a text that was read as ISO-8859-1. */
const MISREAD = /[\x80\x82-\x8c\x8e\x91-\x9c\x9e\x9f]/g;
/** Any of the above, or a replacement character; most cells have none of them. */
const SUSPICIOUS = new RegExp(`${BREAK.source}|${INVISIBLE.source}|\\ufffd|${MOJIBAKE.source}`, 'u');

export type CleanCell = {
  text: string;
  /** How many invisible characters were removed. */
  removed: number;
};

/** Whether a cell may need repair or cleaning. */
export function isSuspicious(cell: string): boolean {
  return SUSPICIOUS.test(cell);
}

/** Removes tabs, line breaks and invisible characters from a cell. */
export function cleanCell(cell: string): CleanCell {
  const spaced = cell.replaceAll(BREAKS, ' ');
  const visible = spaced.replaceAll(INVISIBLE, '');
  return { text: visible.trim(), removed: spaced.length - visible.length };
}

/** A text without the blanks around it; a byte order mark, which `trim` takes for one, is invisible and stays. */
export function withoutBlanks(text: string): string {
  return text.replaceAll(/^[^\S\ufeff]+|[^\S\ufeff]+$/g, '');
}

/** What the bytes are in windows-1252 that were read as control characters; decoded once. */
const printable = new Map<string, string>();

/** A cell with its control characters read as windows-1252, or null when none is printable there. */
export function readControls(cell: string): string | null {
  const read = cell.replaceAll(MISREAD, asPrintable);
  return read === cell ? null : read;
}

function asPrintable(control: string): string {
  const known = printable.get(control) ?? decodeBytes(Uint8Array.of(control.charCodeAt(0)), 'windows-1252');
  printable.set(control, known);
  return known;
}
