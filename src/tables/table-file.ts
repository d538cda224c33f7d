import type { MergedCells } from './merged-cells.ts';

/**
 * A row of a table: its cells as text, and where it is: the row of a sheet or the number of a record, from 1. `cells` has the first
 * `NEAR_COLUMNS` columns, `far` the filled cells behind them, rising: a row costs what is in it, not how far it reaches.
 */
export type TableRow = { line: number; cells: string[]; far?: FarCell[] };

/** A filled cell; columns are numbered from 0. */
export type FarCell = { column: number; text: string };

/** Columns whose empty cells are kept, too. With some more a row still has no more cells than the kernel takes (256). */
export const NEAR_COLUMNS = 200;

/** A table in a file: a sheet of a workbook, a table of a page, a list of records. */
export type TableInfo = {
  /** The sheet's name; null where tables have none. */
  name: string | null;
  /** Hidden by whoever wrote the file: it is read only when the settings name it. */
  hidden: boolean;
};

/** How much of a file is read; beyond it the file is refused. */
export type TableLimits = {
  /** Bytes that a file may have once it is unpacked. */
  fileSize: number;
  /** Characters of a cell and of a row; longer cells are cut one character after the limit, so that checks see that they are too long. */
  cellLength: number;
  rowLength: number;
};

/** Where the records of a file are, how many there are, and the names of their columns. */
export type FoundRecords = {
  path: string;
  records: number;
  names: string[];
  /** Nothing else in the file may be the list: only its fields name brand and number, or it is the only one. */
  isOnly: boolean;
  /** Where lists around them or within them are that may be it as well. */
  others: string[];
};

/** A file that holds tables, open for reading. Every format has a reader that gives one. */
export type TableFile = AsyncDisposable & {
  /** In the order of the file. */
  tables: TableInfo[];
  /**
   * The rows of a table from its first to its last, in batches; blank rows are left out, `line` rises. Cells are trimmed of
   * nothing, empty cells are empty texts, and rows end with their last filled cell. May be called again for another table.
   */
  rows: (table: number) => AsyncGenerator<TableRow[], void>;
  /** Records that were found by what they look like: a person has to confirm them. Null for every other table. */
  found: FoundRecords | null;
  /** The first row of each table names the columns, as of records; else they are looked for. */
  isHeaded: boolean;
  /** What the format calls the columns of an offer, by key: `vendor` is the brand in YML. Empty where a format has no names of its own. */
  columnNames: Record<string, string>;
  /** Cells of a table that cover others below them, once its rows were read. */
  merged: (table: number) => MergedCells[];
  /** What of the tables read so far was read although it is hidden, or left out: plain sentences. */
  notes: () => string[];
};

/** How a reader gets a file: its path, its name for messages, a folder for temporary files that the caller removes. */
export type TableInput = {
  path: string;
  name: string;
  folder: string;
  limits: TableLimits;
  /** Where the records are, as the settings say: a path of elements, a JSON pointer; null: to be found. */
  records: string | null;
  /** The charset that the settings name, or null. */
  charset: string | null;
  signal?: AbortSignal | undefined;
};

/** Opens a file; throws `file-rejected` with a sentence that says what is wrong with it and what to do. */
export type OpenTables = (input: TableInput) => Promise<TableFile>;

/** More columns than a sheet can have are refused, in texts too; so are more rows. */
export const MOST_COLUMNS = 16_384;
export const MOST_ROWS = 1_048_576;
