import { readFileSync } from 'node:fs';
import { decodeBytes, encodeBytes } from '../../src/io/text-decode.ts';
import type { Labelled } from './labelled.ts';
import { randomNumbers } from './random.ts';

type Vocabulary = { charsets: string[]; header: string; words: string };
type Random = (limit: number) => number;

const VOCABULARIES = JSON.parse(readFileSync(new URL('./charset-words.json', import.meta.url), 'utf8')) as Record<
  string,
  Vocabulary
>;

const WORDS = new Map(Object.entries(VOCABULARIES).map(([name, { words }]) => [name, words.split(' ')]));
const BRANDS =
  'BOSCH Wüsthof CITROËN Citroën Škoda Häfele Nestlé Lavazza Tefal KÄRCHER Würth Rosenthal Leifheit WMF'.split(' ');
/** Words that one language borrows from another, and how people misspell them. */
const BORROWED =
  'Café Cafè Crème Crêpe Soufflé Buffét Séparée Espresso Jalapeño Smørrebrød Piña Décor Rosé Maß Müsli'.split(' ');
/** How prices and sizes use symbols; `N` is a number. */
const SYMBOLS =
  'ØNcm|Ø N mm|N cm Ø|øN|N×N cm|MN×N|N m²|N cm³|½"|N½|±N %|N°|N °C|Nµm|N,00 €|€ N|€|£N|§ N|Pro®|Ultra™|„Profi“|“Basic”|»Top«|«Plus»|Men´s|N´|´|·|A · B|• neu|–|A – B|N…N|‚|ƒ|ƒ5|N¢|¥N|© N|N¼|N¾|¿|¡|N‰|†|º|Nº N|Nª|¬|Ë|ˆ'.split(
    '|',
  );

/** How much of a list is what: a list of each kind is drawn for each language. Shares are in percent of the cells. */
const KINDS = {
  rich: { plain: 0, symbols: 5, borrowed: 2, most: 120 },
  sparse: { plain: 93, symbols: 3, borrowed: 1, most: 150 },
  symbols: { plain: 60, symbols: 25, borrowed: 3, most: 120 },
  short: { plain: 20, symbols: 8, borrowed: 3, most: 8 },
  capitals: { plain: 20, symbols: 5, borrowed: 2, most: 60 },
  'symbols only': { plain: 100, symbols: 15, borrowed: 0, most: 80 },
} as const;
type Kind = keyof typeof KINDS;

/**
 * Lists of many trades in each language and charset of suppliers, drawn from distributions of words, borrowed words and
 * symbols. The words are not the ones that detection learned from. `domain` is the kind of the list.
 */
export function* charsetLists(perKind: number): Generator<Labelled> {
  let seed = 0;
  for (const [language, { charsets }] of Object.entries(VOCABULARIES)) {
    for (const charset of charsets) {
      for (const kind of kindsOf(charset)) {
        for (let at = 0; at < perKind; at += 1) {
          seed += 1;
          const list = madeList(language, charset, kind, randomNumbers(seed * 7919));
          if (list !== undefined) yield { ...list, name: `${language} ${charset} ${kind} ${at}`, nature: language };
        }
      }
    }
  }
}

/** Lists that have nothing but ASCII and symbols come from programs for Windows. */
function kindsOf(charset: string): Kind[] {
  const kinds = Object.keys(KINDS) as Kind[];
  return /^windows-125[0247]$/.test(charset) ? kinds : kinds.filter((kind) => kind !== 'symbols only');
}

function madeList(
  language: string,
  charset: string,
  kind: Kind,
  random: Random,
): Omit<Labelled, 'name' | 'nature'> | undefined {
  const delimiter = ';\t,|'[random(4)]!;
  const { most } = KINDS[kind];
  const count = 4 + random(most);
  const cell = cellsOf(language, charset, kind, random);
  const rows = Array.from({ length: count }, () => [
    `${random(900)} ${100 + random(900)}`,
    cell(),
    cell(),
    `${random(900)}.${10 + random(90)}`,
    String(random(50)),
  ]);
  const header = kind === 'symbols only' ? 'code;name;type;price;qty' : VOCABULARIES[language]!.header;
  if (kind !== 'symbols only' || random(2) === 0) rows.unshift(header.split(';'));
  const text = rows.map((row) => `${row.join(delimiter)}\r\n`).join('');
  const bytes = Buffer.from(encodeBytes(kind === 'capitals' ? text.toUpperCase() : text, charset));
  return { kind: 'charset', bytes, charset, domain: kind, delimiter, quote: '"', offerLike: true };
}

/** Draws cells that the charset can write. */
function cellsOf(language: string, charset: string, kind: Kind, random: Random): () => string {
  const { plain, symbols, borrowed } = KINDS[kind];
  const canWrite = (text: string) => decodeBytes(encodeBytes(text, charset), charset) === text;
  const [ascii, foreign] = [true, false].map((isPlain) =>
    WORDS.get(isPlain && isBeyondLatin(language) ? 'it' : language)!.filter(
      (word) => /^[ -~]+$/.test(word) === isPlain,
    ),
  ) as [string[], string[]];
  const foreignWords = foreign.filter(canWrite);
  const usedSymbols = sample(SYMBOLS.filter(canWrite), 1 + random(6), random);
  const usedBorrowed = sample([...BORROWED, ...BRANDS].filter(canWrite), 1 + random(4), random);
  const pick = (words: string[]) => words[random(words.length)]!;
  return () => {
    const words = Array.from({ length: 1 + random(4) }, () => pick(random(100) < plain ? ascii : foreignWords));
    if (random(100) < symbols && usedSymbols.length > 0)
      words.push(pick(usedSymbols).replaceAll('N', () => String(1 + random(60))));
    if (random(100) < borrowed && usedBorrowed.length > 0) words.unshift(pick(usedBorrowed));
    return capitalized(words.join(' '), random);
  };
}

function isBeyondLatin(language: string): boolean {
  return !/[a-z]/.test(VOCABULARIES[language]!.words);
}

function sample(words: string[], count: number, random: Random): string[] {
  return Array.from({ length: Math.min(count, words.length) }, () => words[random(words.length)]!);
}

function capitalized(text: string, random: Random): string {
  return random(2) === 0 ? text : text.slice(0, 1).toUpperCase() + text.slice(1);
}
