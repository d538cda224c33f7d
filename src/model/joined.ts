/** A row of a file, by its line, and the part that it is about, as it is written there. */
export type JoinedRow = { sheet: string | null; line: number; part: string };

/** What came of joining a file to the list: its rows, and which rows of either have none in the other. */
export type JoinedFile = {
  /** What the configuration calls it, and its name. */
  role: string;
  file: string;
  /** The columns that it brought, as they are called among those of the list. */
  columns: string[];
  /** Rows of the file; of them those without a number, and those whose part an earlier one has. */
  rows: number;
  unusable: number;
  repeated: number;
  /** Rows of the list that got its values, and those with a number that got none. */
  joined: number;
  withoutPartner: number;
  /** Parts of the file that no row of the list has. */
  withoutRow: number;
  /** The first of each. */
  examples: { repeated: JoinedRow[]; withoutPartner: JoinedRow[]; withoutRow: JoinedRow[] };
};
