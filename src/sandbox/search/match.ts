import type { Term } from './terms.ts';
import { indexText, NAME_END } from './words.ts';

/** The columns of the full-text index, in order, with the weight that a word found there has. */
export const COLUMNS = {
  /** Brand and number as they are compared, each as one word; and as they are written, in words. */
  brand: 6,
  number: 10,
  brand_words: 4,
  number_words: 4,
  offer: 4,
  detail: 2,
  cross_names: 0.5,
  /** Brands and numbers of the parts that list this one as their cross. */
  cross_brands: 0.5,
  cross_numbers: 0.5,
  /** Ids of the parts that this one lists as its crosses. */
  crosses: 0.2,
  /** Tokens of everything that restricts a search and says nothing about relevance. */
  facts: 0,
} as const;

type Column = keyof typeof COLUMNS;

/** What is searched, and where. */
export type Wanted = {
  terms: readonly Term[];
  names: readonly ('offer' | 'detail' | 'cross_names')[];
  /** Whether words are also looked for among numbers and brands. */
  numbers: boolean;
  brands: boolean;
  crossBrands: boolean;
  crossNumbers: boolean;
  crossDetails: boolean;
  /** Ids of the wanted tags; null: whatever the tags. That of a tag which no part has is 0. */
  tags: { ids: readonly number[]; every: boolean } | null;
  original: boolean | null;
  vehicles: readonly number[] | null;
};

/** Tokens of the column `facts`. */
export const FACT = {
  every: 'every',
  original: (is: boolean) => (is ? 'original' : 'market'),
  tag: (id: number) => `t${id}`,
  vehicle: (id: number) => `v${id}`,
};

/** The expression of the full-text index that finds what is wanted. */
export function matchExpression(wanted: Wanted): string {
  const required = wanted.terms.filter(({ optional }) => !optional).map((term) => termExpression(term, wanted));
  const optional = wanted.terms.filter((term) => term.optional).map((term) => termExpression(term, wanted));
  const limits = restrictions(wanted);
  const every = phrase(['facts'], FACT.every);
  // An optional word adds to the score and restricts nothing, unless there is nothing but optional words.
  if (optional.length > 0) limits.push(anyOf(required.length > 0 ? [every, ...optional] : optional));
  const all = [...required, ...limits];
  return all.length === 0 ? every : all.join(' AND ');
}

/** The expression that finds those parts whose name is the words of the query and nothing else; undefined when it has none. */
export function exactExpression(wanted: Wanted): string | undefined {
  const words = wanted.terms.flatMap((term) => (term.as === 'words' && !term.optional ? [term.text] : []));
  if (words.length === 0) return undefined;
  return `(${matchExpression(wanted)}) AND ${phrase(wanted.names, [NAME_END, ...words, NAME_END].join(' '))}`;
}

function restrictions({ tags, original, vehicles }: Wanted): string[] {
  const fact = (token: string) => phrase(['facts'], token);
  const limits: string[] = [];
  if (tags !== null) {
    const each = tags.ids.map((id) => fact(FACT.tag(id)));
    limits.push(...(tags.every ? each : [anyOf(each)]));
  }
  if (original !== null) limits.push(fact(FACT.original(original)));
  if (vehicles !== null) limits.push(anyOf(vehicles.map((id) => fact(FACT.vehicle(id)))));
  return limits;
}

function termExpression(term: Term, wanted: Wanted): string {
  switch (term.as) {
    case 'words': {
      const places: Column[] = [...wanted.names];
      if (wanted.brands) places.push('brand', 'brand_words');
      if (wanted.numbers) places.push('number', 'number_words');
      return phrase(places, term.text);
    }
    case 'brand':
      return phrase(wanted.crossBrands ? ['brand', 'cross_brands'] : ['brand'], term.key);
    case 'number': {
      const places: Column[] = wanted.crossNumbers ? ['number', 'cross_numbers'] : ['number'];
      const through = wanted.crossDetails ? term.details.map((id) => phrase(['crosses'], String(id))) : [];
      return anyOf([phrase(places, term.key), ...through]);
    }
  }
}

function phrase(columns: readonly Column[], text: string): string {
  return `{${columns.join(' ')}} : "${indexText(text).replaceAll('"', ' ')}"`;
}

function anyOf(expressions: readonly string[]): string {
  return `(${expressions.join(' OR ')})`;
}
