import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/**
 * The content of a file that must not change meanwhile: half of one delivery and half of another would replace the dataset. Its
 * last chunk is withheld until that is known, and what was sent so far is no whole request. Throws what `changed` makes.
 */
export async function* unchanged(file: FileHandle, before: BigIntStats, changed: () => Error): AsyncGenerator<Buffer> {
  const stream = file.createReadStream({ autoClose: false, start: 0, end: Number(before.size) - 1 });
  let last: Buffer | undefined;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (last !== undefined) yield last;
    last = chunk;
  }
  const after = await file.stat({ bigint: true });
  if (last === undefined || before.size !== after.size || before.mtimeNs !== after.mtimeNs) throw changed();
  yield last;
}

/** Content that is there at once. */
export async function* whole(content: Buffer): AsyncGenerator<Buffer> {
  await Promise.resolve();
  yield content;
}

/** The same content as buffers; `tell` hears after every chunk how many bytes were taken. */
export async function* counted(
  content: AsyncIterable<Uint8Array>,
  tell: (sent: number) => void,
): AsyncGenerator<Buffer> {
  let sent = 0;
  for await (const chunk of content) {
    yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    sent += chunk.byteLength;
    tell(sent);
  }
}
