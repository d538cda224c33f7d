import { isDiskFull, OfferlineError } from '../errors.ts';
import { printable } from '../wording/printable.ts';

/** Why a file cannot be used; `details.code` of the error. */
export type RefusalCode =
  | 'file-empty'
  | 'file-too-large'
  | 'file-changed'
  | 'binary-file'
  | 'archive-too-large'
  | 'archive-nested'
  | 'zip-broken'
  | 'zip-encrypted'
  | 'zip-empty'
  | 'zip-several-entries'
  | 'zip-no-match'
  | 'zip-traversal'
  | 'zip-symlink'
  | 'zip-overlap'
  | 'zip-method'
  | 'zip-bomb'
  | 'gzip-broken'
  | 'gzip-truncated'
  | 'gzip-bomb'
  | 'list-cut'
  | 'workbook-broken'
  | 'workbook-encrypted'
  | 'workbook-too-large'
  | 'xml-broken'
  | 'xml-dtd'
  | 'json-broken'
  | 'html-broken'
  | 'reading-too-long'
  | 'reading-too-large'
  | 'wrong-encoding'
  | 'too-many-columns'
  | 'no-records'
  | 'no-table'
  | 'sheet-missing';

/** The error for a file that cannot be used: the supplier has to send another one. Names in it may be anything. */
export function refusal(code: RefusalCode, message: string, details: Record<string, unknown> = {}): OfferlineError {
  return new OfferlineError('file-rejected', printable(message), { details: { ...details, code } });
}

/** Turns an error of the disk into one that says so; anything else is named by `otherwise`. */
export function diskError(error: unknown, folder: string, otherwise: (error: unknown) => unknown): unknown {
  if (error instanceof OfferlineError) return error;
  if (isDiskFull(error)) {
    const message = `The disk is full: the unpacked file does not fit into ${folder}. Free some space and try again.`;
    return new OfferlineError('disk-full', message, { retryable: true, cause: error, details: { folder } });
  }
  return otherwise(error);
}
