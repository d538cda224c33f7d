import { jsonVerifier } from 'stream-json/core/utils/verifier.js';

/** Where a JSON text is broken, and why; the line is null when that cannot be said. */
export type PlaceOfError = { line: number | null; column: number | null; what: string };

type Verify = (piece: string | symbol) => unknown;

/** Reads a text that cannot be parsed once more, to say where it is broken. */
export async function placeOfError(pieces: AsyncIterable<string>): Promise<PlaceOfError> {
  const verify = jsonVerifier() as unknown as Verify;
  try {
    for await (const piece of pieces) verify(piece);
    verify(Symbol.for('object-stream.none'));
  } catch (error) {
    const { message, line, pos } = error as Error & { line?: number; pos?: number };
    if (line === undefined) throw error;
    const what = message.replace(/^ERROR at [^:]*: (?:Verifier (?:cannot parse input: )?)?/, '');
    return { line, column: pos ?? null, what };
  }
  return { line: null, column: null, what: 'it ends too early or has something behind its end' };
}
