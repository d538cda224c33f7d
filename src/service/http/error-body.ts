import { dictionary } from '../../io/dictionary.ts';
import { foreignName } from '../../wording/foreign-text.ts';
import { decodeXml } from '../xml/decode-xml.ts';
import type { Element } from '../xml/parse-xml.ts';

/** What the body of a refusal says; null where it does not. */
export type ErrorBody = {
  /** The service's code for programs, such as `UPLOAD_UNFINISHED`. */
  code: string | null;
  /** The sentence for people. */
  message: string | null;
  requestId: string | null;
};

/** Values by their names in small letters, without `_` and `-`: services write errorCode, error_code and Code. */
type Fields = Record<string, unknown>;

/** Codes are words; what is longer is none. */
const LONGEST_CODE = 100;

/** Where codes and sentences are written, in the order in which they are looked for. */
const CODES = ['code', 'errorcode', 'faultcode'];
const SENTENCES = [
  'message',
  'errormessage',
  'faultstring',
  'errordescription',
  'detail',
  'description',
  'title',
  'text',
];

/** The text of an error body; XML in the charset that it names. */
export function errorText(bytes: Buffer, contentType: string | string[] | undefined): string {
  try {
    return decodeXml(bytes, contentType);
  } catch {
    return bytes.toString('utf8');
  }
}

/** Reads an error body, as JSON or XML in the shapes that services use; anything else, such as a page, says nothing. */
export async function readErrorBody(text: string): Promise<ErrorBody> {
  const root = /^\s*</u.test(text) ? await fieldsOfXml(text) : fieldsOfJson(text);
  const error = root['error'] ?? firstOf(root['errors']) ?? root['fault'];
  const inner = typeof error === 'object' && error !== null ? named(error) : root;
  const sentence = wordIn(inner, SENTENCES);
  const word = typeof error === 'string' ? error.trim() || null : null;
  return {
    code: codeOf(wordIn(inner, CODES) ?? (isCode(word) ? word : null)),
    message: sentence ?? word,
    requestId: wordIn(inner, ['requestid']) ?? wordIn(root, ['requestid']),
  };
}

function fieldsOfJson(text: string): Fields {
  try {
    return named(JSON.parse(text));
  } catch {
    return {};
  }
}

async function fieldsOfXml(text: string): Promise<Fields> {
  try {
    const { parseXml } = await import('../xml/parse-xml.ts');
    return fieldsOf(errorIn(await parseXml(text)));
  } catch {
    return {};
  }
}

/** The element of an error, however deep an envelope has it; an element that is called otherwise says nothing. */
function errorIn(root: Element): Element | undefined {
  let level = [root];
  while (level.length > 0) {
    const found = level.find(({ name }) => /^(?:.*:)?(?:error|fault|exception)$/iu.test(name));
    if (found !== undefined) return found;
    level = level.flatMap(({ children }) => children);
  }
  return undefined;
}

function fieldsOf(element: Element | undefined): Fields {
  if (element === undefined) return {};
  const { attributes, children, text } = element;
  const texts = children.map((child): [string, string] => [child.name.replace(/^.*:/u, ''), child.text]);
  return named(dictionary([['text', text], ...Object.entries(attributes), ...texts]));
}

function named(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) return dictionary();
  return dictionary(
    Object.entries(value).map(([name, inner]) => [name.toLowerCase().replaceAll(/[_-]/gu, ''), inner as unknown]),
  );
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? (list as unknown[])[0] : undefined;
}

function wordIn(fields: Fields, names: string[]): string | null {
  const words = names.map((name) => fields[name]).filter((value) => ['string', 'number'].includes(typeof value));
  return words.map((word) => String(word).trim()).find((word) => word !== '') ?? null;
}

function codeOf(word: string | null): string | null {
  return word === null || word.length > LONGEST_CODE ? null : foreignName(word);
}

/** `invalid_token` and `BUSY` are codes; `Bad Request` and `Conflict` are words for a status. */
function isCode(word: string | null): boolean {
  return word !== null && /^(?:[A-Z0-9_]+|[a-z0-9]+(?:[_.-][a-z0-9]+)+)$/u.test(word);
}
