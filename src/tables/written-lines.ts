import { createReadStream } from 'node:fs';

/** The lines of a text of tables, a piece of the file at a time. */
export async function* writtenLines(path: string): AsyncGenerator<string[], void> {
  let rest = '';
  for await (const piece of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
    const lines = (rest + (piece as string)).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest !== '') yield [rest];
}
