import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { sayDiskFull } from '../../../archive/disk-full.ts';
import { messageOf, OfferlineError } from '../../../errors.ts';
import { cleanName } from '../../../io/file-name.ts';

/** What was sent with a form that has a file. `name`: as it was sent, made safe; that of the path may be shorter. */
export type Received = { path: string; name: string; fields: ReadonlyMap<string, string> };

/** What is asked of a file's name before its bytes come, and told of the form's bytes as they come. */
type Receiving = { assertName?: (name: string) => void; came?: (bytes: number) => void };

/** The detail `code` of an error that says that no file was chosen, or that it is too large. */
export const [NO_FILE, TOO_LARGE] = ['no-file', 'too-large'];

/** A connection that says nothing for so long is given up, in milliseconds. */
const SILENCE = 30_000;
const MOST_FIELDS = 20;
const LONGEST_FIELD = 1000;
/** Bytes of a refused file that are let pass, so that its sender can read why. */
const MOST_PASSED = 128 * 1024 * 1024;

/**
 * Streams the file of a form into a folder. Fails with `usage` when there is none, when it is larger than `limit` bytes, or when the
 * form is cut short; with `disk-full` when the folder cannot take it; as `assertName` does, and then nothing of the file is written.
 */
export async function receiveFile(
  request: Request,
  folder: string,
  limit: number,
  { assertName, came }: Receiving = {},
): Promise<Received> {
  const type = request.headers.get('content-type') ?? '';
  if (request.body === null || !type.startsWith('multipart/form-data')) throw noFile();
  const form = formOf(type, limit);
  const fields = new Map<string, string>();
  const stopping = new AbortController();
  let writing: Promise<{ path: string; name: string } | null> | undefined;
  form.on('field', (name, value) => fields.set(name, value));
  form.on('file', (_field, stream, { filename }) => {
    const name = cleanName(filename ?? '').toWellFormed() || 'file';
    const path = join(folder, shortName(name));
    const isChosen = filename !== undefined && filename !== '';
    try {
      if (isChosen) assertName?.(name);
    } catch (error) {
      writing = passBy(stream, error, stopping);
      return;
    }
    const write = () => pipeline(stream, createWriteStream(path, { flags: 'wx' }));
    writing = sayDiskFull(folder, write).then(() => {
      if (stream.truncated)
        throw new OfferlineError(
          'usage',
          `${name} is larger than ${Math.round(limit / 1e6)} MB (limits.fileSize), so it was not checked.`,
          { details: { code: TOO_LARGE } },
        );
      return isChosen ? { path, name } : null;
    });
    // It is awaited below, when the form has come to its end; what cannot be written is not waited for.
    writing.catch((error: unknown) => {
      if (!(error instanceof OfferlineError && error.code === 'usage')) stopping.abort(error);
    });
  });
  await takeIn(request.body, form, stopping, came);
  const file = writing === undefined ? null : await writing;
  if (file === null) throw noFile();
  return { ...file, fields };
}

function noFile(): OfferlineError {
  return new OfferlineError('usage', 'Choose a file first.', { details: { code: NO_FILE } });
}

/** Lets a refused file pass unread, unless that takes too long; fails with what refused it. */
function passBy(stream: Readable, why: unknown, stopping: AbortController): Promise<never> {
  let passed = 0;
  stream.on('data', ({ length }: Buffer) => {
    passed += length;
    if (passed > MOST_PASSED) stopping.abort(why);
  });
  const refusing = Promise.reject(why);
  refusing.catch(() => {});
  return refusing;
}

/** Reads a form of this type; fails with `usage` where the type says no boundary between its parts. */
function formOf(type: string, fileSize: number): busboy.Busboy {
  try {
    return busboy({
      headers: { 'content-type': type },
      limits: { files: 1, fileSize, fields: MOST_FIELDS, fieldSize: LONGEST_FIELD },
      defParamCharset: 'utf8',
    });
  } catch (error) {
    throw new OfferlineError('usage', `The form cannot be read: ${messageOf(error)}. Send it again.`, { cause: error });
  }
}

/** Reads a form to its end; what stops it before is thrown. */
async function takeIn(
  body: ReadableStream<Uint8Array>,
  form: busboy.Busboy,
  stopping: AbortController,
  came: (bytes: number) => void = () => {},
): Promise<void> {
  const silence = new Error('nothing came for 30 seconds');
  let timer: NodeJS.Timeout | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stopping.abort(silence), SILENCE);
  };
  heard();
  const watch = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      heard();
      came(chunk.length);
      yield chunk;
    }
  };
  try {
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), watch, form, {
      signal: stopping.signal,
    });
  } catch (error) {
    const { aborted, reason } = stopping.signal;
    if (aborted && reason !== silence) throw reason;
    const why = aborted ? messageOf(reason) : messageOf(error);
    throw new OfferlineError('usage', `The file did not arrive whole: ${why}. Send it again.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** File systems count bytes, of which a letter may have four. */
const LONGEST_NAME = 60;

function shortName(name: string): string {
  const ending = /\.[^.]{1,16}$/u.exec(name)?.[0] ?? '';
  const letters = Array.from(name);
  return letters.length <= LONGEST_NAME ? name : letters.slice(0, LONGEST_NAME - ending.length).join('') + ending;
}
