import type { Issue } from './issue.ts';

/** How a file with tables is written that is no text. */
export type TableFormat = 'xlsx' | 'xls' | 'xlsb' | 'dbf' | 'slk' | 'ods' | 'xml' | 'json' | 'html';

/** How a delivery is written; its content decides, never its name. `files`: it has several files that are read as one list. */
export type Format = 'text' | TableFormat | 'files';

/**
 * How a delivery is written, as users see it (`dialect` of the JSON answers). What only a text has is null or false for other
 * formats.
 */
export type Dialect = {
  format: Format;
  /** The sheet of a workbook that was read; null for other formats, and where several were read as one. */
  sheet: string | null;
  /** WHATWG name where one exists, else the IANA name. */
  charset: string | null;
  bom: boolean;
  /** Null for a file of one column. */
  delimiter: string | null;
  quote: string | null;
  newline: string | null;
  header: boolean;
};

/**
 * A table of a file with the line at which its first row stands in the text that is made of the file. `file`: which one of several that
 * are read as one list; absent where the delivery is one file. `of`: the run in whose delivery it is, where that is an earlier one, and the
 * line of that at which it begins.
 */
export type TablePart = {
  file?: string | undefined;
  sheet: string | null;
  line: number;
  of?: { run: string; line: number } | undefined;
};

/** How a file was found to be written: what has to be known to cut it into rows. */
export type WrittenFile = Pick<
  Detection,
  | 'format'
  | 'parts'
  | 'charset'
  | 'bom'
  | 'delimiter'
  | 'quote'
  | 'escape'
  | 'newline'
  | 'spacedQuotes'
  | 'wholeLines'
  | 'header'
  | 'headerLine'
  | 'columns'
  | 'width'
  | 'openEnd'
>;

/** A file of several that are read as one list. `name`: in an archive with its folders. */
export type ListFile = {
  name: string;
  /** The line of all of them that is its first. */
  line: number;
  written: WrittenFile;
  /** For each of its columns where it stands in the rows of all, from 0. */
  places: number[];
};

/** Some rows of a file as one charset and one delimiter show them; line null is further down than lines were counted. */
export type SampleReading = {
  charset: string;
  delimiter: string | null;
  rows: { line: number | null; cells: string[] }[];
};

/** Where a column of the offer file is in a supplier's file. Not `sure`: a proposal that must not be acted on without asking. */
export type ColumnMapping = {
  key: string;
  /** The header cell as written, or null when there is none. */
  column: string | null;
  /** From 1; 0: the headings above its rows have it. */
  position: number;
  sure: boolean;
  /** A sentence without a capital and a full stop. */
  evidence: string;
};

/** Columns that a person accepted for a feed, for files with one header: used for as long as nobody takes them back. */
export type AcceptedColumns = {
  /** Names the header, see `headerFingerprint`. */
  fingerprint: string;
  columns: AcceptedColumn[];
  /** The run that they were accepted with. */
  run: string;
  who: string;
  reason: string;
  at: number;
};

/** A column of the offer file and where a person says it is; `column` is the header cell, null when there is none. */
export type AcceptedColumn = {
  key: string;
  column: string | null;
  position: number;
  /** What its cells looked like then; earlier versions did not record it. */
  look?: ColumnLook;
};

/** What the cells of a column look like: how many values there are, and of how many in a hundred something is true. */
export type ColumnLook = {
  values: number;
  distinct: number;
  /** Known makers of parts, and makers of vehicles alone. */
  makers: number;
  vehicles: number;
  partNumbers: number;
  barcodes: number;
  /** Amounts with two decimals. */
  prices: number;
  /** Texts of several words. */
  phrases: number;
  /** With a letter, and with a digit in them. */
  lettered: number;
  digits: number;
  /** They are the numbers of the rows. */
  isCounter: boolean;
};

/** What brands and numbers of a file show of themselves: words for nothing that are makers here, ways to write numbers that only look damaged. */
export type ValueHabits = { makers: string[]; shapes: string[] };

/** What a program has written around the values of a column, which is no part of them. */
export type ColumnWrap = {
  /** The column, from 1. */
  position: number;
  /** Values begin with an apostrophe, which marks a text in a spreadsheet. */
  apostrophe: boolean;
  /** What was written in place of an apostrophe: a typographic one, or an equals sign. */
  lead?: string | undefined;
  /** Quotes or brackets that stand around each value; quotes may stand around some of them. */
  pair: [open: string, close: string] | null;
  /** What an export of floating-point numbers leaves behind each number: `.0`. */
  decimals: string | null;
};

/** What is written around the values of a file, beside `="…"`, which is known in every file. */
export type Wraps = {
  /** `\N`, `\t`, `\n`, `\"` and `\\` stand for what databases mean by them. */
  backslashes: boolean;
  columns: ColumnWrap[];
};

/** A file that was joined to a list: how it is written, how many columns it brought, and its issues. */
export type DetectedPartner = { role: string; charset: string; columns: number; issues: Issue[] };

/** A dialect with the evidence for it: the answer of `detect`. */
export type Detection = Omit<Dialect, 'sheet' | 'charset' | 'newline'> & {
  charset: string;
  newline: string;
  /** Tables other than a text are read as one, see `asText`: where each of its tables begins there. Empty for a text. */
  parts: TablePart[];
  /** The files of a delivery of several, in the order in which they are read; absent for one file. */
  files?: ListFile[];
  /** The list to which other files of the delivery were joined, as it is written itself; what stands here is true of the text that was made. */
  joined?: { name: string; written: WrittenFile; partners?: DetectedPartner[] };
  /** What the configuration calls the file where it is one that is to be joined to the list. */
  partner?: string;
  /** False: a guess that must not be acted on without asking. */
  sure: boolean;
  /** 0 to 1. */
  confidence: number;
  escape: string | null;
  /** Blanks stand before the quotes that open cells: `ATE, "disc, front"`. */
  spacedQuotes: boolean;
  /** Each line is quoted as a whole: `"ATE,""disc, front"",1"`. */
  wholeLines: boolean;
  /** What stands around the content of the file and was left out, in sentences. */
  passedOver: string[];
  /** The last line of a text has no end; absent where it has, in other formats, and in runs of earlier versions. */
  openEnd?: boolean;
  /** What is written around values; earlier versions did not look for it. */
  wraps: Wraps;
  /** The names of the columns, those of a header of several rows joined; empty when there is no header. */
  columns: string[];
  /** Physical line of the last header row (or of the first data row when there is no header); 0 above records. Lines above are no offers. */
  headerLine: number;
  /** How many cells most rows have; 0 in runs of earlier versions. */
  width: number;
  /** False: which row is the header, or whether there is one, is a guess. Then `sure` is false as well. */
  headerSure: boolean;
  /** At most one entry for each column of the offer file; none for one that the file lacks. */
  mapping: ColumnMapping[];
  /** What the cells of each column look like; empty where nobody asked what the columns mean. */
  looks: ColumnLook[];
  /** Null in runs of earlier versions, which took every value for what it is. */
  habits: ValueHabits | null;
  /** What stands between several values of one cell; earlier versions did not look for it. */
  marks?: CellMarks;
  /** One plain sentence per observation, most telling first. */
  evidence: string[];
  /** When it is not sure: the best reading and the one that is as good, on the same three rows; else empty. */
  readings: SampleReading[];
};

/** A cell that shows something, and its line where that is known. */
export type ShownCell = { line: number | null; text: string };

/**
 * What stands between several values of one cell. `tags`: the mark between tags, and another one (a blank for none that can be seen) that fits
 * as well, so that a person has to say which it is; null where no cell has one. `numbers`: the marks that part cells into several numbers,
 * those that do not belong to the numbers of the column, and what its numbers look like. `split`: a column whose cells hold the values of two.
 */
export type CellMarks = {
  tags: { separator: string; rival: string | null; example: ShownCell; evidence: string } | null;
  numbers: {
    separators: string[];
    example: ShownCell | null;
    evidence: string;
    watched: string[];
    shapes: string[] | null;
  } | null;
  split: {
    split: 'brand-number' | 'number-name';
    position: number;
    column: string | null;
    example: ShownCell;
    evidence: string;
    brands: string[];
  } | null;
};

/** The columns of a feed's live delivery, to compare those of a new one with, and its run. */
export type EarlierHeader = Pick<Detection, 'columns' | 'width' | 'mapping'> & {
  looks?: ColumnLook[];
  run?: string;
};
