/** A row of a file of spellings, and its line. */
export type SpellingRow = { line: number; spelling: string; brand: string };

/** What a file of spellings says, and the lines that say nothing that can be used. */
export type SpellingFile = { rows: SpellingRow[]; problems: { line: number; message: string }[] };

/** The values of a file, one in each line, and the lines that have several. */
export type ValueFile = { values: string[]; problems: { line: number; message: string }[] };

/** The dates of a file, and the lines that are none. */
export type DateFile = { days: string[]; problems: { line: number; message: string }[] };

/** What is needed beside the configuration to judge spellings, rules and holidays: only stages can read suppliers' files and know makers. */
export type Lists = {
  /** Reads a file of spellings, as suppliers' files are read. Throws with a message that says what is wrong with the whole file. */
  readSpellings: (path: string) => Promise<SpellingFile>;
  /** Reads a file of values. Throws as `readSpellings`. */
  readValues: (path: string) => Promise<ValueFile>;
  /** Reads a file of dates. Throws as `readSpellings`. */
  readDates: (path: string) => Promise<DateFile>;
  /** Whether a spelling is the name of a known maker that is another one than the brand. */
  isOtherMaker: (spelling: string, brand: string) => boolean;
};
