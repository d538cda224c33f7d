import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { AmountMarks, Condition, RowRule, RuleField, RulePlan, RuleTest } from '../../model.ts';
import { parseAmount } from '../../values/amounts.ts';
import { parseStock } from '../../values/stocks.ts';

/** How texts of a field are compared: brands and numbers as parts are, a list by its tags. */
export type ComparedAs = 'brand' | 'oem' | 'text' | 'tags' | 'number';

/**
 * What a cell is as a number: an amount, nothing, or something that is no number; `open`: a stock of which only the least and the most are known, and
 * rules ask for more, so that it counts as one that is no number.
 */
export type CellNumber =
  | { kind: 'known'; value: number }
  | { kind: 'none' }
  | { kind: 'unreadable' }
  | { kind: 'open'; least: number; most: number };

/** A field that rules ask for, and where it is: in the configured columns, or in the supplier's row. */
export type RuleFieldReader = {
  name: string;
  as: ComparedAs;
  isOf: (field: RuleField) => boolean;
  /** Its place among the configured columns, or null. */
  column: number | null;
  /** Its place in the supplier's row, or null. */
  place: number | null;
  /** The text of a cell of the supplier's row. */
  plain: (cell: string) => string;
  /** Whether rules compare it as a number; which of such fields it is. */
  isNumber: boolean;
  numberAt: number;
  /** Whether it is read as a stock, and not as an amount. */
  isStock: boolean;
  parse: (text: string) => CellNumber;
};

/** A field with the tests that are made of it. */
type Asked = { field: RuleField; tests: RuleTest[] };

/** The fields that rules ask for, each once, in the order in which they are first asked. */
export function createFields(
  rules: RowRule[],
  { columns, tagSeparator: _separator }: Pick<ReadSettings, 'columns' | 'tagSeparator'>,
  plan: RulePlan,
  plainAt: (place: number) => (cell: string) => string,
): RuleFieldReader[] {
  let numbers = 0;
  return askedIn(rules).map(({ field, tests }) => {
    const key = keyOf(field);
    const place =
      typeof field === 'object'
        ? plan.columns[field.column]!
        : field === 'price' || field === 'stock'
          ? plan[field]
          : null;
    const isNumber =
      field === 'price' || field === 'stock' || tests.some(({ test }) => test === 'below' || test === 'above');
    const at = isNumber ? numbers++ : -1;
    return {
      name: typeof field === 'object' ? field.column : field,
      as: asOf(field),
      isOf: (other) => keyOf(other) === key,
      column: place === null ? columns.findIndex((column) => column.key === field) : null,
      place,
      plain: place === null ? (cell) => cell : plainAt(place),
      isNumber,
      numberAt: at,
      isStock: field === 'stock',
      parse: field === 'stock' ? stockReader(tests) : amountReader(plan.marks[place ?? -1]),
    };
  });
}

/** The fields of rules with what is asked of them. */
export function askedIn(rules: RowRule[]): Asked[] {
  const found = new Map<string, Asked>();
  const visit = (condition: Condition): void => {
    if ('all' in condition) condition.all.forEach(visit);
    else if ('any' in condition) condition.any.forEach(visit);
    else if ('not' in condition) visit(condition.not);
    else {
      const key = keyOf(condition.field);
      const asked = found.get(key) ?? { field: condition.field, tests: [] };
      asked.tests.push(condition.asks);
      found.set(key, asked);
    }
  };
  for (const { when } of rules) visit(when);
  return [...found.values()];
}

function keyOf(field: RuleField): string {
  return typeof field === 'object' ? `column ${field.column}` : field;
}

function asOf(field: RuleField): ComparedAs {
  if (field === 'price' || field === 'stock') return 'number';
  return field === 'brand' || field === 'oem' || field === 'tags' ? field : 'text';
}

function amountReader(marks: AmountMarks = { '.': 'decimal', ',': 'decimal' }): (text: string) => CellNumber {
  return (text) => parseAmount(text, marks);
}

function stockReader(tests: RuleTest[]): (text: string) => CellNumber {
  return (text) => {
    const stock = parseStock(text);
    if (stock.kind !== 'known') return stock;
    const { least, most } = stock;
    // Where each question has one answer for all that the cell allows, any of it gives that answer.
    return tests.some((asks) => compareRange(asks, stock) === null)
      ? { kind: 'open', least, most }
      : { kind: 'known', value: least };
  };
}

/** Whether a number between two is what is asked, both among them; null where some are and others are not. Pure. */
export function compareRange(asks: RuleTest, { least, most }: { least: number; most: number }): boolean | null {
  const [ofLeast, ofMost] = [compare(asks, least), compare(asks, most)];
  if (asks.test !== 'equals' || least === most) return ofLeast === ofMost ? ofLeast : null;
  return asks.value < least || asks.value > most ? false : null;
}

/** Whether a number is what is asked. Pure. */
export function compare(asks: RuleTest, value: number): boolean {
  if (asks.test === 'below') return value < asks.value;
  if (asks.test === 'above') return value > asks.value;
  return asks.test === 'equals' && value === asks.value;
}
