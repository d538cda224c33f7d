import type { Draw } from './draw.ts';
import type { Words } from './goods.ts';

const OTHER: Record<string, string[]> = {
  number: ['№', '#', 'Nr', 'No.', '№ п/п'],
  weight: ['kg', 'Weight', 'KG/pc'],
  pack: ['Pack', 'MOQ', 'VPE', 'Min.'],
  empty: [''],
};

const CURRENCIES = ['EUR', 'USD', 'PLN', 'UAH', '€', 'RUB'];

/** How the headers of one list are written: one hand's habits hold for all of its columns. */
export function headerNames(draw: Draw, words: Words, english: Words): (column: string) => string {
  const style = draw.pick([
    'plain',
    'plain',
    'plain',
    'plain',
    'capitals',
    'lower',
    'merged',
    'two languages',
    'snake',
    'dotted',
    'line break',
  ] as const);
  const prefix = draw.pick(['Product', 'Item', 'Goods', 'Catalog']);
  return (column) => {
    const name = draw.pick(synonyms(column, words));
    const named = withUnit(draw, column, name);
    if (name === '') return '';
    switch (style) {
      case 'plain':
        return named;
      case 'capitals':
        return named.toUpperCase();
      case 'lower':
        return named.toLowerCase();
      case 'merged':
        return `${prefix}.${name}`;
      case 'two languages':
        return words === english ? named : `${name} / ${draw.pick(synonyms(column, english))}`;
      case 'snake':
        return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
      case 'dotted':
        return name.split(' ').map(shortened).join(' ');
      case 'line break':
        return named.includes(' ') ? named.replace(' ', '\n') : named;
    }
  };
}

/** As a hand shortens words that do not fit a narrow column. */
function shortened(word: string): string {
  return word.length > 7 ? `${word.slice(0, 5)}.` : word;
}

function synonyms(column: string, words: Words): string[] {
  const key = column === 'price2' ? 'price' : column;
  return (words as unknown as Record<string, string[]>)[key] ?? OTHER[key] ?? [''];
}

function withUnit(draw: Draw, column: string, name: string): string {
  if (column === 'price2') return `${name} ${draw.between(2, 3)}`;
  if (column === 'price' && draw.chance(40))
    return `${name}${draw.pick([', ', ' (', ' '])}${draw.pick(CURRENCIES)}`.replace(/\((.+)$/, '($1)');
  return name;
}
