import { isDiskFull, OfferlineError } from '../errors.ts';
import { printable } from '../wording/printable.ts';
import { span } from '../wording/words.ts';

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
  | 'wrong-password'
  | 'pgp-encrypted'
  | 'pgp-broken'
  | 'wrong-key'
  | 'unsigned'
  | 'wrong-signature'
  | 'program-missing'
  | 'archive-bomb'
  | 'archive-broken'
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
  | 'sheet-missing'
  | 'files-differ'
  | 'change-column'
  | 'kind-unknown'
  | 'joined-file-missing'
  | 'joined-file-unusable';

/** The error for a file that cannot be used: the supplier has to send another one. Names in it may be anything. */
export function refusal(code: RefusalCode, message: string, details: Record<string, unknown> = {}): OfferlineError {
  return new OfferlineError('file-rejected', printable(message), { details: { ...details, code } });
}

/** The refusal of a file that takes longer to read than `limits.readTime` allows. */
export function readingTooLong(name: string, time: number): OfferlineError {
  const long = time % 60_000 === 0 ? span(time) : `${time / 1000} s`;
  const what = `${name} takes longer than ${long} to read (limits.readTime).`;
  return refusal('reading-too-long', `${what} Send the list alone, in fewer rows and columns.`, { limit: time });
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
