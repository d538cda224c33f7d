import { problemsOf } from '../call/call-options.ts';
import { checkParameters, parameterError } from '../operation/check-parameters.ts';
import { offerOperations } from './operations.ts';

/** How far an upload is: bytes of the file that were handed to the connection. */
export type UploadProgress = { sent: number; bytes: number };

/** A file to upload: its bytes at once, a stream of a known length, or a file of the machine. */
export type NewOffer = {
  /** Of a csv; the service takes a comma when not given, and the tab for a txt. */
  delimiter?: ',' | ';' | undefined;
  /** The service looks at the byte order mark when not given, and takes UTF-8 without one. */
  charsetName?: 'UTF-8' | 'UTF-16' | undefined;
  /** Hears how far the upload is, after every chunk. It only watches: what it throws is logged. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
} & (
  | { name: string; content: Uint8Array }
  | { name: string; content: AsyncIterable<Uint8Array>; bytes: number }
  /** Its own name is sent when no other is given. It must not change while it is sent. */
  | { path: string; name?: string | undefined }
);

const NAMES = ['bytes', 'charsetName', 'content', 'delimiter', 'name', 'onProgress', 'path'] as const satisfies Name[];

type Name = NewOffer extends infer O ? (O extends unknown ? keyof O : never) : never;

/** Refuses what cannot be uploaded; throws `usage` with every problem. Programs without types give anything. */
export function checkOffer(given: NewOffer): void {
  const { process } = offerOperations;
  if (typeof given !== 'object' || given === null) {
    throw parameterError(process, ['the file is missing: { name, content } or { path }']);
  }
  const { path, name, content, bytes, delimiter, charsetName, onProgress } = given as Partial<Record<Name, unknown>>;
  const problems = problemsOf(given, NAMES);
  if (onProgress !== undefined && typeof onProgress !== 'function') problems.push('onProgress has to be a function');
  if (path === undefined) problems.push(...contentProblems(content, bytes));
  else if (content !== undefined || bytes !== undefined) problems.push('give path, or name and content, not both');
  if (path !== undefined && (typeof path !== 'string' || path === '')) problems.push('path has to be a text');
  if (problems.length > 0) throw parameterError(process, problems);
  checkParameters(process, { offersFile: path === undefined ? name : (name ?? path), delimiter, charsetName });
}

function contentProblems(content: unknown, bytes: unknown): string[] {
  if (content instanceof Uint8Array) {
    if (content.length === 0) return ['content is empty, and would empty the dataset of the login'];
    return bytes === undefined || bytes === content.length ? [] : ['bytes is not the length of content'];
  }
  if (typeof content !== 'object' || content === null || !(Symbol.asyncIterator in content)) {
    return ['content has to be bytes (a Buffer) or a stream of them'];
  }
  const isLength = typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes > 0;
  return isLength ? [] : ['bytes has to be the length of the stream, a whole number from 1'];
}
