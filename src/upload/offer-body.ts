import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { OfferConfig } from '../config/schema.ts';
import type { OfferFile } from '../service/offers/upload.ts';

/** Small enough that a slow line takes one well within `service.timeout`; a stopped sender may still give one away. */
export const CHUNK_BYTES = 128 * 1024;

/** What is needed to send a composed dataset: where its text lies and how the service is told to read it. */
export type OfferBody = { path: string; offer: OfferConfig; login: string; token: string; folder: string };

/**
 * The file as it is sent, streamed from disk. Its name carries the token, outside and inside a zip, so that the upload is
 * recognised by `sourceFile` whatever happens to the reply. Zips are written beside the archive first: their length must
 * be known before the first byte is sent.
 */
export async function offerFile(body: OfferBody): Promise<OfferFile> {
  const { offer } = body;
  const stem = `offerline-${body.login}-${body.token}`;
  const name = `${stem}.${offer.layout}`;
  const path = offer.zip ? await zipped(body, name) : body.path;
  return {
    name: offer.zip ? `${stem}.zip` : name,
    bytes: (await stat(path)).size,
    content: chunksOf(path),
    delimiter: offer.layout === 'csv' ? offer.delimiter : null,
    charsetName: offer.charset,
  };
}

/** Opens the file only when the first chunk is asked for: without a connection nobody would close it. */
async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>;
}

async function zipped(body: OfferBody, name: string): Promise<string> {
  const { ZipFile } = await import('yazl');
  const path = join(body.folder, `${body.token}.zip`);
  const zip = new ZipFile();
  zip.addFile(body.path, name);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}
