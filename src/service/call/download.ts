import { PassThrough, type Readable } from 'node:stream';
import { cleanName, dispositionName } from '../../io/file-name.ts';
import { redact } from '../../wording/redact.ts';
import type { Call, Reply } from '../http/access.ts';
import { unreachable } from '../http/send.ts';
import { givenUp } from './repeat.ts';

/** A file of the service, which must be read or destroyed, and what the reply said of it. */
export type Download = Readable & {
  /** Its name, safe to be used in a folder of one's choice: no folders, no control characters; null when the reply gave none. */
  readonly fileName: string | null;
  /** Its media type, such as `text/plain; charset=utf-8`. */
  readonly contentType: string | null;
  /** Its length; null when it was not said, or is that of a compressed reply. */
  readonly bytes: number | null;
};

/** The body of a reply; where it breaks off or is given up, the reader gets an OfferlineError as from any call. `end` is called at its end. */
export function downloadOf({ body, headers }: Reply, call: Call, end: () => void): Download {
  const file = new PassThrough();
  body.on('error', (error) => {
    const { signal } = call;
    file.destroy(signal?.aborted === true ? givenUp(signal, error) : unreachable(call, 'the reply was cut off', error));
  });
  file.on('close', () => {
    end();
    body.destroy();
  });
  const text = (name: string) => (typeof headers[name] === 'string' ? headers[name] : null);
  const length = text('content-encoding') === null ? text('content-length') : null;
  return Object.assign(body.pipe(file), {
    fileName: cleanName(redact(dispositionName(text('content-disposition') ?? ''))) || null,
    contentType: text('content-type'),
    bytes: length !== null && /^\d+$/u.test(length) ? Number(length) : null,
  });
}
