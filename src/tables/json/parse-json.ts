import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { jsonVerifier } from 'stream-json/core/utils/verifier.js';
import { refusal } from '../../io/refusal.ts';
import type { Encoding } from '../encoding.ts';
import type { RecordEvents } from '../records/events.ts';
import type { TableInput } from '../table-file.ts';
import { textPieces } from '../text-pieces.ts';
import { jsonElements } from './json-elements.ts';

/** A JSON text: its encoding, and whether each of its lines is an object (NDJSON). */
export type JsonText = { input: TableInput; encoding: Encoding; isLines: boolean };

const OPTIONS = { packValues: false, streamValues: true };
/** What ends the input of a parser of stream-json; stream-chain calls it `none`. */
const END = Symbol.for('object-stream.none');

type Parse = (piece: string | typeof END) => { [key: symbol]: unknown; values?: Token[] } | symbol | null | undefined;

/**
 * Parses a JSON or NDJSON text in pieces and yields after each. Scalars are elements with a text, arrays are repeated elements.
 * Throws `file-rejected` when the text is broken, with its line.
 */
export function walkJson(text: JsonText, events: RecordEvents): AsyncGenerator<void, void> {
  return text.isLines ? walkLines(text, events) : walkDocument(text, events);
}

async function* walkDocument(text: JsonText, events: RecordEvents): AsyncGenerator<void, void> {
  const parse = tokenizer(false);
  const elements = jsonElements(events, text.input, text.isLines);
  for await (const piece of textPieces(text.input, text.encoding)) {
    const tokens = await attempt(text, () => parse(piece));
    for (const token of tokens) elements.token(token);
    yield;
  }
  for (const token of await attempt(text, () => parse(END))) elements.token(token);
}

/** Each line is one object: what is wrong with a line is said of this line. */
async function* walkLines(text: JsonText, events: RecordEvents): AsyncGenerator<void, void> {
  const parse = tokenizer(true);
  const elements = jsonElements(events, text.input, text.isLines);
  let line = 1;
  const take = (part: string | typeof END, ends: boolean) => {
    try {
      for (const token of parse(part)) {
        if (elements.depth() === 0 && token.name !== 'startObject') throw new Error('it is no object');
        elements.token(token);
      }
      if (ends && elements.depth() > 0) throw new Error('its object is not closed');
    } catch (error) {
      throw error instanceof Error && error.name !== 'OfferlineError'
        ? brokenLine(text.input.name, line, error)
        : error;
    }
  };
  for await (const piece of textPieces(text.input, text.encoding)) {
    let from = 0;
    for (let to = piece.indexOf('\n'); to >= 0; to = piece.indexOf('\n', from)) {
      take(piece.slice(from, to + 1), true);
      from = to + 1;
      line++;
    }
    take(piece.slice(from), false);
    yield;
  }
  take(END, true);
}

function tokenizer(isLines: boolean): (piece: string | typeof END) => Token[] {
  const parse = jsonParser({ ...OPTIONS, jsonStreaming: isLines }) as unknown as Parse;
  return (piece) => {
    const tokens = parse(piece);
    return typeof tokens === 'object' ? (tokens?.values ?? []) : [];
  };
}

/** Runs a step of the parser, which does not know where it is. */
async function attempt(text: JsonText, step: () => Token[]): Promise<Token[]> {
  try {
    return step();
  } catch {
    const { line, column, what } = await placeOfError(textPieces(text.input, text.encoding));
    const where = line === null ? '' : ` at line ${line}, column ${column}`;
    const message = `${text.input.name} is broken JSON${where}: ${what}. Ask for a file that a JSON program can open.`;
    throw refusal('json-broken', message, { line, column });
  }
}

function brokenLine(file: string, line: number, { message }: Error): Error {
  const what = message.replace(/^Parser (?:cannot parse input: )?/, '');
  return refusal('json-broken', `Line ${line} of ${file} is broken JSON: ${what}. Each line has to be one object.`, {
    line,
  });
}

/** Where a JSON text is broken, and why; the line is null when that cannot be said. */
type PlaceOfError = { line: number | null; column: number | null; what: string };

type Verify = (piece: string | symbol) => unknown;

/** Reads a text that cannot be parsed once more, to say where it is broken. */
async function placeOfError(pieces: AsyncIterable<string>): Promise<PlaceOfError> {
  const verify = jsonVerifier() as unknown as Verify;
  try {
    for await (const piece of pieces) verify(piece);
    verify(END);
  } catch (error) {
    const { message, line, pos } = error as Error & { line?: number; pos?: number };
    if (line === undefined) throw error;
    const what = message.replace(/^ERROR at [^:]*: (?:Verifier (?:cannot parse input: )?)?/, '');
    return { line, column: pos ?? null, what };
  }
  return { line: null, column: null, what: 'it ends too early or has something behind its end' };
}
