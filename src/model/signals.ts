/** A column that is seen and not uploaded, and where it is; `column` is the header cell, null when there is none. */
export type SignalColumn = { column: string | null; position: number };

/** What the cells of such a column say, by rows. `examples`: the first cells that are unreadable. */
export type SignalCells = SignalColumn & { known: number; notGiven: number; unreadable: number; examples: string[] };

/** What was seen of the accepted rows of a delivery beside what is uploaded; null where there is no such column. */
export type SeenSignals = {
  rows: number;
  /** Cells of the column of names in a sample of the rows. */
  names: { rows: number; filled: number } | null;
  /** `currency`: that of most prices; null when their cells name none. */
  price: (SignalCells & { currency: string | null }) | null;
  stock: (SignalCells & { inStock: number }) | null;
};

/** A part whose price or stock shows a finding, as the supplier's file has it. `line` is that of the unpacked file. */
export type SignalExample = {
  file?: string | undefined;
  sheet: string | null;
  line: number;
  brand: string;
  oem: string;
  before: string | null;
  after: string;
};

/** Something strange about a delivery that is valid. `of`: the parts or rows that `parts` or `rows` are some of. */
export type SignalFinding = { examples: SignalExample[] } & (
  | { code: 'prices-scaled'; factor: number; parts: number; of: number }
  | { code: 'prices-jumped'; ratio: number; parts: number; of: number }
  | { code: 'currency-changed'; before: string; after: string }
  | { code: 'prices-equal'; price: number; parts: number; of: number }
  | { code: 'prices-swapped'; parts: number; of: number }
  | { code: 'prices-unreadable'; rows: number; of: number; cells: string[] }
  | { code: 'stock-zero'; rows: number; before: { rows: number; of: number } | null }
  | { code: 'small-for-weekday'; rows: number; usual: number; least: number; deliveries: number }
  | { code: 'names-gone'; rows: number; of: number; before: { rows: number; of: number } }
);

/**
 * What was seen of a delivery, compared with the one that was proved before it. `jumped`: parts whose price more than doubled or fell
 * to less than half, of the `compared` ones that have a price in both; `swapped`: parts whose price cell is the number of a part.
 */
export type Signals = {
  seen: SeenSignals;
  /** The run that it was compared with; null when there is none. */
  comparedWith: string | null;
  before: SeenSignals | null;
  compared: number;
  jumped: number;
  swapped: { parts: number; of: number };
  findings: SignalFinding[];
};
