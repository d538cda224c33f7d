import { PassThrough } from 'node:stream';
import { type Client, FTPError } from 'basic-ftp';
import type { ServerPlace } from '../server/server.ts';
import { requestError } from './errors.ts';

/**
 * The bytes of a file from a byte on; the transfer is complete once the server has confirmed it on the control connection, too.
 * A server that cannot begin in the middle sends all, and the first part is left out.
 */
export async function* readFile(
  client: Client,
  path: string,
  { name, from }: { name: string; from: number },
  place: ServerPlace,
): AsyncGenerator<Buffer> {
  try {
    if (from === 0) return yield* download(client, path, 0);
    let isBegun = false;
    try {
      for await (const chunk of download(client, path, from)) {
        isBegun = true;
        yield chunk;
      }
    } catch (error) {
      const isRefused = error instanceof FTPError && error.code >= 500;
      if (!isRefused || isBegun) throw error;
      yield* after(download(client, path, 0), from);
    }
  } catch (error) {
    throw requestError(error, place, name);
  }
}

async function* download(client: Client, path: string, from: number): AsyncGenerator<Buffer> {
  // Chunks as they come: a stream of bytes would join those that wait, which copies each byte.
  const bytes = new PassThrough({ objectMode: true, highWaterMark: 16 });
  let failed: unknown;
  const transfer = client.downloadTo(bytes, path, from).then(
    () => undefined,
    (error: unknown) => {
      failed = error;
      bytes.destroy();
    },
  );
  try {
    for await (const chunk of bytes) yield chunk as Buffer;
  } catch (error) {
    // Destroyed because the transfer failed, which says more.
    if (failed === undefined) throw error;
  } finally {
    bytes.destroy();
  }
  await transfer;
  if (failed !== undefined) throw failed;
}

async function* after(chunks: AsyncIterable<Buffer>, from: number): AsyncGenerator<Buffer> {
  let left = from;
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
