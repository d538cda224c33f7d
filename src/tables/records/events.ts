/**
 * What the readers of records say, whatever the format: elements with attributes, text and elements within them. A scalar of
 * JSON is an element with a text, and the members of an array are elements that repeat under the array's name.
 */
export type RecordEvents = {
  enter: (name: string, how?: Entered) => void;
  /** After `enter`, before texts and elements. */
  attribute: (name: string, value: string) => void;
  /** A piece of the element's own text. */
  text: (piece: string) => void;
  leave: () => void;
};

/**
 * `alone`: the element is no member of an array, so it cannot repeat under its name. `named`: its name is a value of the file
 * (`<param name="Weight">`), so there may be any number of names.
 */
type Entered = 'alone' | 'named';

/** Where records are: the names of elements from the root, `*` for any. */
export type RecordPath = string[];

/** A path's text in an answer, a message or a setting. */
export type PathStyle = { parse: (text: string) => RecordPath | null; format: (path: RecordPath) => string };

/** Records lie no deeper than this, and have no deeper fields. */
export const DEEPEST = 100;

/** How many names a list of records may have for its columns, and how many of them may be values of the file. */
export const MOST_NAMES = 1_000;
export const MOST_NAMED = 900;

/** The path of elements of XML: `/prices/item`. */
export const XML_PATH: PathStyle = {
  parse: (text) => {
    const names = text.split('/').slice(1);
    const isPath = text.startsWith('/') && names.length <= DEEPEST && names.every((name) => /^[^\s@]+$/.test(name));
    return isPath ? names.map(localName) : null;
  },
  format: (path) => path.map((name) => `/${name}`).join(''),
};

/** A JSON pointer to the array (RFC 6901); the root itself has no name. */
export const JSON_POINTER: PathStyle = {
  parse: (text) => {
    const names = text.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    return names[0] === '' && names.length <= DEEPEST ? names : null;
  },
  format: (path) => path.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/'),
};

/** Longer names are cut. */
export const LONGEST_NAME = 200;

/** A name without the prefix of its namespace. */
export function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}
