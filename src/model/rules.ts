/** What a condition of a rule looks at: a column that is uploaded, one that is seen, or a column of the supplier's file by name or position. */
export type RuleField = 'brand' | 'oem' | 'name' | 'tags' | 'price' | 'stock' | { column: string };

/** What is asked of a cell. Texts are compared without case and blanks around them, brands and numbers as parts are. */
export type RuleTest =
  | { test: 'in'; values: string[] }
  | { test: 'like'; patterns: string[] }
  | { test: 'matches'; pattern: string }
  | { test: 'equals' | 'below' | 'above'; value: number }
  | { test: 'empty'; value: boolean };

/** When a rule acts. */
export type Condition =
  { all: Condition[] } | { any: Condition[] } | { not: Condition } | { field: RuleField; asks: RuleTest };

/** What a person decided about rows of a feed: they are left out, or something of them is changed. */
export type RowRule = { name: string; when: Condition } & (
  | { does: 'leave-out' }
  | { does: 'change'; add: string[]; remove: string[]; set: { name?: string | undefined; brand?: string | undefined } }
);

/** The rows that a rule left out, or changed; `full`: of these, rows that have as many tags as are allowed, and got no more. */
export type RuleRows = { rule: string; does: RowRule['does']; rows: number; full: number };

/** What a single mark before exactly three digits means in a column: `1.234` and `1,234` alone do not say it. */
export type AmountMarks = Record<'.' | ',', 'decimal' | 'thousands'>;

/** Where the columns that rules look at are in a file, from 0, by name; price and stock are null where no rule asks for them. */
export type RulePlan = {
  price: number | null;
  stock: number | null;
  columns: Record<string, number>;
  /** Of columns that are compared as numbers, by place. */
  marks: Record<number, AmountMarks>;
};

/** The rows that a rule left out. */
export type LeftOutBy = { rule: string; rows: number };

/** A row on which a rule acts: where it stands, its part as the supplier writes it, and the cells that the rule changes. */
export type RuleExample = {
  file?: string | undefined;
  sheet: string | null;
  line: number;
  part: string;
  cells: { column: string; before: string; after: string }[];
};

/** How many cells of a column that rules compare as numbers cannot be read as such, and how many are empty (absent in runs of older versions). */
export type RuleNumbers = { column: string; rows: number; unreadable: number; empty?: number };

/** A column that rules compare as a number, and how many of its cells are empty; of the delivery that was proved last, too. */
export type EmptiedColumn = { column: string; rows: number; empty: number; before: { rows: number; empty: number } };

/** What the rules of a feed did to a delivery. */
export type RuleAccount = { rules: RuleRows[]; numbers: RuleNumbers[] };
