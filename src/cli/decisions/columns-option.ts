import { OfferlineError } from '../../errors.ts';
import type { AskedColumn } from '../../jobs/decisions/choose-columns.ts';

const HOW = 'Write --columns KEY=COLUMN,KEY=COLUMN; a name with commas or quotes goes in quotes: oem="Nr, ""neu""".';

/**
 * Reads `brand=Producator,oem="Cod, articol",name=3`. In quotes a quote is doubled. A comma that no `KEY=` follows belongs to the
 * name before it, because shells take quotes away.
 */
export function parseColumns(text: string): AskedColumn[] {
  const asked: AskedColumn[] = [];
  let rest = text;
  while (rest.trim() !== '') {
    const [begin, key] = /^\s*([^\s=,"]+)\s*=\s*/.exec(rest) ?? [];
    if (begin === undefined || key === undefined) throw wrong(rest);
    rest = rest.slice(begin.length);
    const quoted = /^"((?:[^"]|"")*)"\s*(?:,|$)/.exec(rest);
    const [taken = '', column = ''] = quoted ?? /^(.*?)\s*(?:,(?=\s*[A-Za-z_][\w-]*\s*=)|$)/su.exec(rest) ?? [];
    const name = quoted === null ? column.trim() : column.replaceAll('""', '"');
    if (name === '') throw wrong(`${key}=`);
    if (quoted === null && name.startsWith('"')) throw wrong(`${key}=${name}`);
    asked.push({ key, column: name });
    rest = rest.slice(taken.length);
  }
  if (asked.length === 0) throw wrong(text);
  return asked;
}

function wrong(text: string): OfferlineError {
  return new OfferlineError('usage', `"${text.trim()}" does not say which column is which. ${HOW}`);
}
