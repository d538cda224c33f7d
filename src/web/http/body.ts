import { OfferlineError } from '../../errors.ts';

/** Bytes of a form or of JSON. */
const LARGEST = 65_536;
/** Milliseconds that one may take. */
const LONGEST = 15_000;

/** A body that was too large or too slow; its status says which. */
export type Refused = { refused: 413 | 408 };

/** Reads a small body. One that is too large or too slow is left, and its connection is to be closed. */
export async function readSmall(request: Request): Promise<{ text: string } | Refused> {
  const reader = request.body?.getReader();
  if (reader === undefined) return { text: '' };
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), LONGEST);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late.promise]);
      if (next === 'late') return { refused: 408 };
      if (next.done) return { text: Buffer.concat(chunks).toString('utf8') };
      bytes += next.value.length;
      if (bytes > LARGEST) return { refused: 413 };
      chunks.push(next.value);
    }
  } finally {
    clearTimeout(timer);
    reader.releaseLock();
  }
}

/** The value of a JSON body; fails with `usage` when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new OfferlineError('usage', 'The body is not JSON.');
  }
}
