import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { keptBytes, verifiedPath, type KeptFile } from '../../archive/kept-file.ts';
import type { OfferConfig } from '../../config/schema/schema.ts';
import type { OfferFile } from '../../service/offers/upload.ts';

/**
 * Small enough that a slow line takes one well within `service.timeout`; a stopped sender may still give one away.
 * @internal exported for tests
 */
export const CHUNK_BYTES = 128 * 1024;

/** What is needed to send a composed dataset: its text and how the service has to read it. */
export type OfferBody = { dataset: KeptFile; offer: OfferConfig; login: string; token: string; folder: string };

/**
 * The file as it is sent, streamed from disk. The dataset is verified before, since a half-sent upload is harm, and once more while
 * it is sent: one that is damaged is never sent to its end. Its name carries the token, outside and inside a zip, so that the upload is
 * recognised by `sourceFile` whatever happens to the reply. Zips are written beside the archive first: their length must
 * be known before the first byte is sent.
 */
export async function offerFile(body: OfferBody): Promise<OfferFile> {
  const { offer } = body;
  const stem = `offerline-${body.login}-${body.token}`;
  const name = `${stem}.${offer.layout}`;
  const path = await verifiedPath(body.dataset);
  const file = offer.zip ? await zipped(body, name) : body.dataset;
  return {
    name: offer.zip ? `${stem}.zip` : name,
    bytes: (await stat(typeof file === 'string' ? file : path)).size,
    content: keptBytes(file, CHUNK_BYTES),
    delimiter: offer.layout === 'csv' ? offer.delimiter : null,
    charsetName: offer.charset,
  };
}

async function zipped(body: OfferBody, name: string): Promise<string> {
  const { ZipFile } = await import('yazl');
  const path = join(body.folder, `${body.token}.zip`);
  const zip = new ZipFile();
  const failed = new AbortController();
  // Its output would never end.
  zip.on('error', (error: Error) => failed.abort(error));
  zip.addReadStream(Readable.from(keptBytes(body.dataset), { objectMode: false }), name);
  zip.end();
  try {
    await pipeline(zip.outputStream, createWriteStream(path), { signal: failed.signal });
  } catch (error) {
    throw failed.signal.aborted ? failed.signal.reason : error;
  }
  return path;
}
