import type { Draw } from './draw.ts';
import type { Offer } from './list.ts';

/** The cells of a row, as they are written. */
export type Written = { brand: string; number: string; name: string; tags: string };

/**
 * A kind of cell that does not say what it means. `right`: what must become of its row, left out or the file asked about, or accepted as
 * it is meant. `shares`: in how many rows of a list it stands; a program that wraps values does so in all of them.
 */
export type Kind = {
  name: string;
  right: 'left out' | 'accepted';
  shares: number[];
  write: (written: Written, offer: Offer, draw: Draw) => Written;
};

const ANY_SHARE = [0.001, 0.01, 0.1, 0.5, 1];
/** Where nearly all numbers are written so, it is how the maker numbers: that is a judgement of its own. */
const MOST_SHARES = [0.001, 0.01, 0.1];
const EACH_ROW = [1];

/** As suppliers of twelve languages write that there is no brand or number; not taken from the table of the product. */
const NOTHINGS = [
  '-',
  '--',
  '—',
  '?',
  '???',
  '.',
  '...',
  '*',
  'n/a',
  'N/A',
  'NA.',
  'n.a.',
  '#N/A',
  'nan',
  'NaN',
  'None',
  'NULL',
  '(null)',
  '<null>',
  '[none]',
  'undefined',
  'unknown',
  'Not specified',
  'not available',
  'keine Angabe',
  'unbekannt',
  'ohne',
  'k. A.',
  'нет',
  'Нет данных',
  'не указан',
  'без номера',
  'отсутствует',
  'неизвестно',
  'н/д',
  'б/н',
  'б.н.',
  'n.v.',
  's. n.',
  'idem',
  'то же',
  'см. выше',
  'PENDIENTE',
  'отсут.',
  'немає',
  'невідомо',
  'brak',
  'Brak danych',
  'nie dotyczy',
  'neuvedeno',
  'yok',
  'Belirtilmemiş',
  'sin datos',
  'No disponible',
  'ninguno',
  'inconnu',
  'non renseigné',
  'aucun',
  'nessuno',
  'non disponibile',
  'sem dados',
  'nenhum',
  'não informado',
  '无',
  '暂无',
  '不详',
];

const DATES = [
  '1-Mar',
  '12.03.2024',
  '2024-03-12',
  '2024-03-12 00:00:00',
  'Mar-14',
  '12/03/2024',
  '03. Apr',
  '1. Mai',
  '12.мар',
];
const POWERS = ['1.20E+06', '9.86E+11', '4,51E+09', '1.2E+10', '3E+12'];

const number =
  (write: (offer: Offer, draw: Draw) => string): Kind['write'] =>
  (written, offer, draw) => ({
    ...written,
    number: write(offer, draw),
  });
const joined = (mark: string): Kind['write'] =>
  number(({ number: one }, draw) => `${one}${mark}${one.replaceAll(/\d/g, () => String(draw.upTo(10)))}`);
const tagged =
  (mark: string): Kind['write'] =>
  (written, { tags }) => ({ ...written, tags: tags.join(mark) });

export const KINDS: Kind[] = [
  {
    name: 'no brand',
    right: 'left out',
    shares: ANY_SHARE,
    write: (row, _, draw) => ({ ...row, brand: draw.one(NOTHINGS) }),
  },
  { name: 'no number', right: 'left out', shares: ANY_SHARE, write: number((_, draw) => draw.one(NOTHINGS)) },
  {
    name: 'zeros for a number',
    right: 'left out',
    shares: ANY_SHARE,
    write: number((_, draw) => draw.one(['0', '00', '0000', '0-0', '0.00'])),
  },
  { name: 'a date', right: 'left out', shares: MOST_SHARES, write: number((_, draw) => draw.one(DATES)) },
  { name: 'a power of ten', right: 'left out', shares: ANY_SHARE, write: number((_, draw) => draw.one(POWERS)) },
  {
    name: 'digits lost',
    right: 'left out',
    shares: MOST_SHARES,
    write: number((_, draw) => `${draw.fill('199999999999999')}${'0'.repeat(1 + draw.upTo(3))}`),
  },
  {
    name: 'a narrow column',
    right: 'left out',
    shares: ANY_SHARE,
    write: number((_, draw) => '#'.repeat(4 + draw.upTo(8))),
  },
  {
    name: 'a failed formula',
    right: 'left out',
    shares: ANY_SHARE,
    write: number((_, draw) => draw.one(['#REF!', '#NAME?', '#VALUE!', '#DIV/0!', '#ИМЯ?', '#WERT!'])),
  },
  {
    name: 'a sentence for a number',
    right: 'left out',
    shares: [0.001, 0.01],
    write: number((_, draw) =>
      draw.one([
        '* Precios válidos hasta el 31.12.2026, salvo error u omisión',
        'Preise gelten bis zum Ende des Monats',
        'Цены действительны до конца месяца',
        'Example: 68003701AC',
      ]),
    ),
  },
  { name: 'two numbers, a comma', right: 'left out', shares: ANY_SHARE, write: joined(',') },
  { name: 'two numbers, a semicolon', right: 'left out', shares: ANY_SHARE, write: joined('; ') },
  { name: 'two numbers, a bar', right: 'left out', shares: ANY_SHARE, write: joined('|') },
  { name: 'two numbers, a line break', right: 'left out', shares: ANY_SHARE, write: joined('\n') },
  { name: 'two numbers, a plus', right: 'left out', shares: ANY_SHARE, write: joined('+') },
  { name: 'two numbers, an ampersand', right: 'left out', shares: ANY_SHARE, write: joined(' & ') },
  { name: 'two numbers, “or”', right: 'left out', shares: MOST_SHARES.slice(1), write: joined(' or ') },
  { name: '="…"', right: 'accepted', shares: ANY_SHARE, write: number(({ number: one }) => `="${one}"`) },
  { name: '=T("…")', right: 'accepted', shares: ANY_SHARE, write: number(({ number: one }) => `=T("${one}")`) },
  {
    name: 'a link of a spreadsheet',
    right: 'accepted',
    shares: ANY_SHARE,
    write: number(({ number: one }) => `=HYPERLINK("https://shop.example/","${one}")`),
  },
  { name: '<b>…</b>', right: 'accepted', shares: ANY_SHARE, write: number(({ number: one }) => `<b>${one}</b>`) },
  {
    name: 'a link of a page',
    right: 'accepted',
    shares: ANY_SHARE,
    write: number(({ number: one }) => `<a href="/p?id=1&amp;x=2">${one}</a>`),
  },
  { name: '…&nbsp;', right: 'accepted', shares: ANY_SHARE, write: number(({ number: one }) => `${one}&nbsp;`) },
  { name: '=…', right: 'accepted', shares: EACH_ROW, write: number(({ number: one }) => `=${one}`) },
  { name: '’…', right: 'accepted', shares: EACH_ROW, write: number(({ number: one }) => `’${one}`) },
  { name: '*…*', right: 'accepted', shares: EACH_ROW, write: number(({ number: one }) => `*${one}*`) },
  {
    name: 'quotes around some',
    right: 'accepted',
    shares: [0.1, 0.5],
    write: number(({ number: one }) => `"${one}"`),
  },
  { name: '="…"&""', right: 'accepted', shares: ANY_SHARE, write: number(({ number: one }) => `="${one}"&""`) },
  { name: 'an apostrophe', right: 'accepted', shares: [0.95, 1], write: number(({ number: one }) => `'${one}`) },
  { name: 'brackets', right: 'accepted', shares: EACH_ROW, write: number(({ number: one }) => `[${one}]`) },
  { name: '« »', right: 'accepted', shares: EACH_ROW, write: number(({ number: one }) => `«${one}»`) },
  { name: '“ ”', right: 'accepted', shares: EACH_ROW, write: number(({ number: one }) => `“${one}”`) },
  { name: 'tags with bars', right: 'accepted', shares: EACH_ROW, write: tagged('|') },
  { name: 'tags with semicolons', right: 'accepted', shares: EACH_ROW, write: tagged('; ') },
  { name: 'tags with line breaks', right: 'accepted', shares: EACH_ROW, write: tagged('\n') },
  { name: 'tags with slashes', right: 'accepted', shares: EACH_ROW, write: tagged('/') },
];
