import { type Client, FTPError } from 'basic-ftp';
import { ChunkQueue } from '../save/chunk-queue.ts';
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
): AsyncGenerator<Uint8Array> {
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

async function* download(client: Client, path: string, from: number): AsyncGenerator<Uint8Array> {
  const chunks = new ChunkQueue();
  const transfer = client.downloadTo(chunks, path, from);
  // It is awaited once what came is read, and says more than the queue.
  transfer.catch(() => chunks.destroy());
  try {
    yield* chunks;
  } catch (error) {
    await transfer;
    throw error;
  }
  await transfer;
}

async function* after(chunks: AsyncIterable<Uint8Array>, from: number): AsyncGenerator<Uint8Array> {
  let left = from;
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
