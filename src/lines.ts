import { createReadStream } from 'node:fs';

/** The lines of one of our own files (UTF-8, LF), without their ends, a chunk's worth at a time. */
export async function* lineBatches(path: string): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 256 * 1024 })) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') yield [rest];
}

/** The values of one of our JSON Lines files. */
export async function* jsonLines<T>(path: string): AsyncGenerator<T> {
  for await (const lines of lineBatches(path)) {
    for (const line of lines) yield JSON.parse(line) as T;
  }
}
