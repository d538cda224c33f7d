import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import type { Call } from '../../calls/call.ts';
import { Interruption, Refusal } from '../../http/reply.ts';
import type { SandboxSettings } from '../../settings.ts';
import { fileNameOf } from './file-name.ts';

/** A body that has been received completely and is safe on disk, but is not accepted yet. */
export type Received = {
  /** Name of the file, in the incoming folder. */
  file: string;
  sourceFile: string | null;
  mediaType: string;
  /** Text fields of a multipart body. */
  fields: Map<string, string>;
};

/**
 * Streams the body, multipart or raw, to the incoming folder; a body that does not arrive whole leaves nothing. `onName` is
 * waited for before the file's first byte is taken.
 */
export async function receiveOffer(
  call: Pick<Call, 'request' | 'query' | 'arrival' | 'faults'>,
  incoming: string,
  settings: SandboxSettings,
  onName: (sourceFile: string | null) => Promise<void>,
): Promise<Received> {
  const { request, query } = call;
  const file = randomUUID();
  const path = join(incoming, file);
  const save: Save = async (stream, sourceFile) => {
    await onName(sourceFile);
    await saveStream(watched(stream, call), path, settings.limits.uploadBytes);
  };
  try {
    const mediaType = request.headers['content-type'] ?? '';
    if (/^multipart\//i.test(mediaType)) {
      return { file, ...(await receiveMultipart(request, save, settings.fileField)) };
    }
    const sourceFile = fileNameOf(request.headers['content-disposition'], query.get('fileName'));
    await save(request, sourceFile);
    return { file, sourceFile, mediaType, fields: new Map() };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

type Save = (stream: Readable, sourceFile: string | null) => Promise<void>;

/** Counts the bytes of the file, and breaks the connection where a fault says so. */
async function* watched(
  stream: Readable,
  { request, arrival, faults }: Pick<Call, 'request' | 'arrival' | 'faults'>,
): AsyncGenerator<Buffer> {
  const reset = faults.get('reset');
  for await (const chunk of chunksOf(stream)) {
    arrival.bytes += chunk.length;
    if (reset !== undefined && arrival.bytes >= reset.afterBytes) {
      request.socket.resetAndDestroy();
      throw new Interruption({ broken: 'reset' });
    }
    yield chunk;
  }
}

async function receiveMultipart(
  request: IncomingMessage,
  save: Save,
  fileField: string,
): Promise<Omit<Received, 'file'>> {
  const parser = openMultipart(request);
  const fields = new Map<string, string>();
  const others: string[] = [];
  let found: { saved: Promise<unknown>; sourceFile: string | null; mediaType: string } | undefined;
  let failure: unknown;
  parser.on('field', (name, value) => fields.set(name, value));
  parser.on('file', (name, stream, info) => {
    if (name !== fileField || found !== undefined) {
      others.push(name);
      stream.resume();
      return;
    }
    // A part that is not read to its end still emits an error when the body is cut off.
    stream.on('error', () => undefined);
    const sourceFile = fileNameOf(undefined, info.filename ?? null);
    const saved = save(stream, sourceFile).catch((error: unknown) => {
      failure ??= error;
      stream.resume();
    });
    found = { saved, sourceFile, mediaType: info.mimeType };
  });
  await pipeline(chunksOf(request), parser).catch((error: unknown) => {
    failure ??= new Refusal(400, 'BODY_BROKEN', `The multipart body is broken: ${messageOf(error)}.`);
  });
  await found?.saved;
  if (failure !== undefined) throw failure as Error;
  if (found === undefined || others.includes(fileField))
    throw wrongParts(fileField, found !== undefined, others, fields);
  return { sourceFile: found.sourceFile, mediaType: found.mediaType, fields };
}

function openMultipart(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers: request.headers, defParamCharset: 'utf8', limits: { fields: 100, files: 10 } });
  } catch (error) {
    throw new Refusal(400, 'BODY_BROKEN', `The multipart body is broken: ${messageOf(error)}.`);
  }
}

function wrongParts(fileField: string, found: boolean, others: string[], fields: Map<string, string>): Refusal {
  if (found) return new Refusal(400, 'FILE_REPEATED', `The body has more than one file in the field ${fileField}.`);
  const names = [...others, ...fields.keys()].join(', ');
  const message = `The body has no file in the field ${fileField}; it has: ${names === '' ? 'nothing' : names}.`;
  return new Refusal(400, 'FILE_MISSING', message);
}

/** Leaves the stream open when it fails: destroying a request would close the connection before the reply. */
async function saveStream(stream: AsyncIterable<Buffer>, path: string, maxBytes: number): Promise<void> {
  await pipeline(limited(stream, maxBytes), createWriteStream(path, { flush: true }));
}

async function* limited(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Refusal(413, 'FILE_TOO_LARGE', `The file has more than ${maxBytes} bytes.`);
    yield chunk;
  }
}

function chunksOf(stream: Readable): AsyncIterable<Buffer> {
  return stream.iterator({ destroyOnReturn: false });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
