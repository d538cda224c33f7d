import type { AmountMarks } from '../model.ts';
import { currencyOf } from './currencies.ts';

/** What a price cell says: an amount, nothing (empty, "on request"), or something that is no amount. */
export type Amount =
  { kind: 'known'; value: number; currency: string | null } | { kind: 'none' } | { kind: 'unreadable' };

type Marks = AmountMarks;

/** What most cells are, read in a fraction of the time. */
const PLAIN = /^\d{1,12}(?:[.,]\d{1,2})?$/;

/** Longer cells are no amounts. */
const LONGEST = 60;

/** Words of a price that is not given, in lower case and without full stops. */
const NOT_GIVEN = new Set(
  (
    ',-,–,—,--,---,?,*,x,n/a,na,none,null,nan,#n/a,#н/д,nil,нет,нет цены,по запросу,цена по запросу,запрос,уточняйте,звоните,договорная,' +
    'по договоренности,за запитом,ціна за запитом,on request,upon request,price on request,request,poa,por,call,ask,tba,tbd,' +
    'auf anfrage,preis auf anfrage,anfrage,sur demande,nous consulter,su richiesta,consultar,a consultar,bajo pedido,' +
    'sob consulta,na zapytanie,na dotaz,la cerere,по заявка,op aanvraag,talep üzerine,询价,面议'
  ).split(','),
);

const NONE: Amount = { kind: 'none' };
const UNREADABLE: Amount = { kind: 'unreadable' };

/** True for a cell that says that nothing is given: it is empty, a dash, or words such as "on request". Pure. */
export function isNotGiven(cell: string): boolean {
  return NOT_GIVEN.has(folded(cell));
}

/** A cell in lower case, with single blanks, and without full stops at its end. Pure. */
export function folded(cell: string): string {
  return cell.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, ' ').replace(/\.+$/, '').trim();
}

/**
 * Reads a price as people and programs write it: `1.234,56`, `1 234.56`, `1'234.50`, `12,50 €`, `RUB 12`, `12.-`, `(12.50)`. `marks`
 * says what `1.234` means. Pure.
 */
export function parseAmount(cell: string, marks: Marks): Amount {
  if (PLAIN.test(cell)) return { kind: 'known', value: Number(cell.replace(',', '.')), currency: null };
  if (cell.length > LONGEST) return UNREADABLE;
  if (isNotGiven(cell)) return NONE;
  const parts = takeApart(cell);
  if (parts === null) return UNREADABLE;
  const value = valueOf(parts.number, marks);
  if (value === null) return UNREADABLE;
  return { kind: 'known', value: parts.negative && value !== 0 ? -value : value, currency: parts.currency };
}

/** Learns from the cells of a column what its marks mean where a cell alone does not say it. Pure. */
export function marksOf(cells: Iterable<string>): Marks {
  const seen = { '.': { decimal: 0, thousands: 0, open: 0 }, ',': { decimal: 0, thousands: 0, open: 0 } };
  let plain = 0;
  for (const cell of cells) {
    const number = cell.length > LONGEST ? null : (takeApart(cell)?.number ?? null);
    if (number === null) continue;
    const mark = lastMark(number);
    if (mark === null) plain += 1;
    else seen[mark][roleOf(number, mark)] += 1;
  }
  const meaning = (mark: '.' | ',', other: '.' | ',') => {
    const { decimal, thousands, open } = seen[mark];
    if (decimal !== thousands) return decimal > thousands ? 'decimal' : 'thousands';
    if (seen[other].decimal > 0) return 'thousands';
    // A list has prices below a thousand: where every amount has three digits behind a mark, they are its decimals.
    return open > 0 && open >= (open + plain) * 0.95 ? 'decimal' : 'thousands';
  };
  return { '.': meaning('.', ','), ',': meaning(',', '.') };
}

type Parts = { number: string; negative: boolean; currency: string | null };

/** Splits an amount into its digits and marks, its sign and its currency; null when something else is with it. */
function takeApart(cell: string): Parts | null {
  const text = cell
    .normalize('NFKC')
    .replaceAll(/[−‒–—]/g, '-')
    .replace(/^'/, '')
    .trim();
  const first = text.search(/\d/);
  if (first === -1) return null;
  const last = text.search(/\d(?=\D*$)/);
  const begins = /(?:^|[^\p{L}.])[.,]$/u.test(text.slice(0, first)) ? first - 1 : first;
  // `12.-` and `12,--` have no decimals.
  const [before, after] = [
    text.slice(0, begins).trim(),
    text
      .slice(last + 1)
      .replace(/^[.,]\s*-+/, '')
      .trim(),
  ];
  const isBracketed = before.startsWith('(') && after.endsWith(')');
  const isMinus = /^-|-$/.test(before) || after.startsWith('-');
  const words = [before, after].map((affix) =>
    affix
      .replaceAll(/^[-+(]|[-+(]$/g, '')
      .replaceAll(/^[-)]|\)$/g, '')
      .trim(),
  );
  const found = words.map(affixOf);
  if (found.some((one) => one === null)) return null;
  const currency = found.find((one) => one !== '') ?? null;
  const number = `${begins < first ? '0' : ''}${text.slice(begins, last + 1)}`;
  return { number, negative: isBracketed || isMinus, currency };
}

/** The currency beside a number, empty for none of its own; null when it is anything else. */
function affixOf(affix: string): string | null {
  // `12,50 €/шт`
  const word = affix.replace(/\s*\/\s*\p{L}{1,8}\.?$/u, '').trim();
  return word === '' ? '' : currencyOf(word);
}

function valueOf(number: string, marks: Marks): number | null {
  if (/^\d+(\.\d+)?e[+-]?\d{1,2}$/i.test(number)) return Number(number);
  // The last group is longer where a decimal mark was lost: `1 23450`.
  const spaced = /^([1-9]\d{0,2}(?:[ '’]\d{3})*[ '’]\d{3,5})(?:[.,](\d+))?$/u.exec(number);
  if (spaced !== null) return Number(`${spaced[1]!.replaceAll(/\D/g, '')}.${spaced[2] ?? '0'}`);
  if (/^\d+$/.test(number)) return Number(number);
  const mark = lastMark(number);
  if (mark === null || !/^\d[\d.,]*\d$/.test(number)) return null;
  const role = roleOf(number, mark);
  if ((role === 'open' ? marks[mark] : role) === 'thousands') {
    return isGrouped(number, mark) ? Number(number.replaceAll(mark, '')) : null;
  }
  const [whole, decimals] = [number.slice(0, number.lastIndexOf(mark)), number.slice(number.lastIndexOf(mark) + 1)];
  const other = mark === '.' ? ',' : '.';
  if (!/^\d+$/.test(whole) && !isGrouped(whole, other)) return null;
  return Number(`${whole.replaceAll(other, '')}.${decimals}`);
}

function lastMark(number: string): '.' | ',' | null {
  const at = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','));
  return at === -1 ? null : number[at] === '.' ? '.' : ',';
}

/** What the last mark of a number is, as far as the number alone says it. */
function roleOf(number: string, mark: '.' | ','): 'decimal' | 'thousands' | 'open' {
  const other = mark === '.' ? ',' : '.';
  if (number.includes(other)) return 'decimal';
  if (number.indexOf(mark) !== number.lastIndexOf(mark)) return 'thousands';
  const [whole = '', rest = ''] = number.split(mark);
  return rest.length !== 3 || whole.length > 3 || whole.startsWith('0') || !/^\d+$/.test(whole) ? 'decimal' : 'open';
}

/** Groups of three digits, or of two before the last one as in India. */
function isGrouped(number: string, mark: '.' | ','): boolean {
  const [first = '', ...groups] = number.split(mark);
  const isPlain = /^\d{1,3}$/.test(first) && groups.every((group) => /^\d{2,3}$/.test(group));
  return isPlain && groups.length > 0 && groups.at(-1)!.length === 3;
}
