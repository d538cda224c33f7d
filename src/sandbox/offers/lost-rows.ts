import { Readable } from 'node:stream';
import { decodeText } from './process/rows.ts';
import type { OfferFacts } from './state.ts';
import type { FaultOf } from '../faults/schema.ts';

/** The text without some of its rows: the first after the header, or every n-th of them. */
export async function withoutRows(
  bytes: Readable,
  facts: Pick<OfferFacts, 'charset' | 'askedCharset'>,
  { every, rows }: Pick<FaultOf<'lose-rows'>, 'every' | 'rows'>,
): Promise<Readable> {
  const asked = (facts.charset ?? facts.askedCharset) as 'UTF-8' | 'UTF-16' | null;
  const { charset, text } = await decodeText(bytes, asked);
  const isLost = (row: number) => (every === undefined ? row <= rows : (row - 1) % every === 0);
  async function* kept(): AsyncGenerator<Buffer> {
    if (charset === 'UTF-16') yield Buffer.from('\uFEFF', 'utf16le');
    let row = 0;
    for await (const line of lines(text)) {
      const lost = row > 0 && isLost(row);
      row += 1;
      if (!lost) yield Buffer.from(line, charset === 'UTF-16' ? 'utf16le' : 'utf8');
    }
  }
  return Readable.from(kept(), { objectMode: false });
}

async function* lines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of text) {
    const parts = (rest + chunk).split(/(?<=\n)/);
    rest = parts.pop() ?? '';
    yield* parts;
  }
  if (rest !== '') yield rest;
}
