import type { SignalCells, SignalExample, SignalFinding, Signals } from '../model.ts';
import { counted, grouped, percent } from './words.ts';
import { printable } from './printable.ts';
import { placeWords } from './files/place.ts';

/** What is strange, as people read it: a sentence without a full stop, and the first places. */
export type FindingWords = { sentence: string; examples: string[] };

/** What is strange about a delivery, the most certain first. */
export function findingWords({ findings }: Signals): FindingWords[] {
  return findings.map((finding) => ({
    sentence: findingSentence(finding),
    examples:
      finding.code === 'prices-unreadable'
        ? finding.cells.map((cell) => `“${cell}”`)
        : finding.examples.map(exampleText),
  }));
}

/** What is strange about a delivery, as lines for a terminal; none when nothing is. */
export function signalLines(signals: Signals): string[] {
  const found = findingWords(signals);
  if (found.length === 0) return [];
  const lines = found.flatMap(({ sentence, examples }) =>
    [`- ${sentence}`].concat(examples.map((text) => `    ${text}`)),
  );
  return [STRANGE, ...lines].map(printable);
}

/** The heading above what is strange. */
const STRANGE = 'Strange about this delivery, although it is valid';

/** One thing that is strange, with its numbers. */
function findingSentence(finding: SignalFinding): string {
  switch (finding.code) {
    case 'prices-scaled': {
      const { factor, parts, of } = finding;
      const how = factor > 1 ? `${grouped(Math.round(factor))} times` : `1/${grouped(Math.round(1 / factor))} of`;
      const why = factor > 1 ? 'a decimal mark may have been lost' : 'a decimal mark may be in the wrong place';
      return `The price of ${share(parts, of, 'compared part')} is ${how} what it was; ${why}`;
    }
    case 'prices-jumped': {
      const { ratio, parts, of } = finding;
      const usual = `usually ${Number(ratio.toFixed(2))} times`;
      return `The price of ${share(parts, of, 'compared part')} more than doubled or fell to less than half (${usual} what it was)`;
    }
    case 'currency-changed':
      return `The prices are in ${finding.after} now; they were in ${finding.before}`;
    case 'prices-equal':
      return `${share(finding.parts, finding.of, 'part')} cost the same: ${finding.price}`;
    case 'prices-swapped':
      return `Prices and article numbers are swapped: ${grouped(finding.parts)} of ${grouped(finding.of)} price cells that were looked up are numbers of parts that were live`;
    case 'prices-unreadable':
      return `${counted(finding.rows, 'price')} of ${counted(finding.of, 'row')} are missing or no prices`;
    case 'stock-zero': {
      const { rows, before } = finding;
      const was = before === null ? '' : `; ${grouped(before.rows)} of ${grouped(before.of)} were before`;
      return `Nothing is in stock: the stock of ${counted(rows, 'row')} is zero${was}`;
    }
    case 'small-for-weekday': {
      const { rows, usual, least, deliveries } = finding;
      return `${counted(rows, 'row')} are few for the day of the week: its last ${deliveries} deliveries usually had ${grouped(usual)}, and at least ${grouped(least)}`;
    }
    case 'names-gone': {
      const { rows, of, before } = finding;
      return `${percent(rows / of)} of the rows have no name; before, ${percent(1 - before.rows / before.of)} had none`;
    }
  }
}

/** Which columns were seen, and what their cells said: label and text. */
export function seenLines({ seen, comparedWith, compared }: Signals): [string, string][] {
  const { price, stock } = seen;
  return [
    ...(price === null
      ? []
      : [['price', cellsText(price, price.currency === null ? '' : ` in ${price.currency}`)] as [string, string]]),
    ...(stock === null
      ? []
      : [['stock', `${cellsText(stock, '')}, ${grouped(stock.inStock)} in stock`] as [string, string]]),
    ...(price === null ? [] : [['compared', comparedText(comparedWith, compared)] as [string, string]]),
  ];
}

function comparedText(run: string | null, parts: number): string {
  if (run === null) return 'with nothing: no verified delivery has prices yet';
  return `${counted(parts, 'price')} with those of run ${run}`;
}

function cellsText({ column, position, known, notGiven, unreadable, examples }: SignalCells, more: string): string {
  const where = column === null ? `column ${position}` : `"${column}" (column ${position})`;
  const shown = examples.length === 0 ? '' : ` (${examples.map((cell) => `“${cell}”`).join(', ')})`;
  const rest = [
    ...(notGiven === 0 ? [] : [`${grouped(notGiven)} not given`]),
    ...(unreadable === 0 ? [] : [`${grouped(unreadable)} unreadable${shown}`]),
  ];
  return `${where}: ${[`${grouped(known)} read${more}`, ...rest].join(', ')}`;
}

function exampleText({ file, sheet, line, brand, oem, before, after }: SignalExample): string {
  const change = before === null ? `“${after}”` : `${before} → ${after}`;
  return `${brand} ${oem} (${placeWords({ file, sheet, line })}): ${change}`;
}

/** `880 of 900 compared parts (98%)` */
function share(parts: number, of: number, what: string): string {
  return `${grouped(parts)} of ${counted(of, what)} (${percent(parts / of)})`;
}
