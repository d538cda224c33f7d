/** What the scanner needs to know of a dialect. */
export type ScanDialect = {
  /** Null for a file of one column. */
  delimiter: string | null;
  /** Null means that quotes are text like any other. */
  quote: string | null;
  /** The quote itself or null (RFC 4180: quotes are doubled), or another character such as a backslash. */
  escape: string | null;
  /** Rows end at `\n` or `\r\n`, mixed or not; when this is `\r`, they end there too. */
  newline: string;
};

/** The part of a text that one row may use. */
export type RowWindow = {
  start: number;
  /** The row may not reach past this position. */
  limit: number;
  /** The whole text ends at `limit`. */
  atEnd: boolean;
  /** False: quoted cells must end on the line on which they begin. */
  multiline: boolean;
};

/** Finds the next occurrence of a character at or after a position, without searching the same part twice. */
type Finder = (from: number) => number;

/** The current text with finders for what matters in it; they return Infinity when there is nothing more. */
export type TextView = {
  text: string;
  quote: Finder;
  /** The escape character, where it is not the quote itself. */
  escape: Finder;
  /** A carriage return, whether it ends a row or not. */
  cr: Finder;
  /** The next character that ends a row, unless it is inside quotes. */
  rowBreak: Finder;
};

/** Creates the view of a text for a dialect. */
export function viewText(text: string, dialect: ScanDialect): TextView {
  const lf = finder(text, '\n');
  const cr = finder(text, '\r');
  const { quote, escape } = dialect;
  return {
    text,
    quote: finder(text, quote),
    escape: finder(text, escape === quote ? null : escape),
    cr,
    rowBreak: dialect.newline === '\r' ? (from) => Math.min(lf(from), cr(from)) : lf,
  };
}

function finder(text: string, character: string | null): Finder {
  if (character === null) return () => Infinity;
  // There is no occurrence from `searched` up to `found`.
  let searched = 0;
  let found = -1;
  return (from) => {
    if (from < searched || from > found) {
      searched = from;
      found = text.indexOf(character, from);
      if (found === -1) found = Infinity;
    }
    return found;
  };
}
