import { z } from 'zod';
import { systemClock } from '../../clock.ts';
import { OfferlineError } from '../../errors.ts';
import { refusalIn } from '../cloud/json.ts';
import { statusError } from '../http/errors.ts';
import { headerOf, type Reply } from '../http/request.ts';

const refusal = z.object({
  error: z.object({ errors: z.array(z.object({ reason: z.string() })).catch([]) }),
});

type Meaning = { what: string; status?: number; retryable?: true };

const DENIED = 'denies access; share the folder with the address of the service account';
const BUSY: Meaning = {
  what: 'has too many requests of this account; it will be asked again later',
  status: 429,
  retryable: true,
};

/** What each reason means, and what to do; `status` 403 stands for access that is denied, 429 for too many requests. */
const REASONS = new Map<string, Meaning>([
  ['rateLimitExceeded', BUSY],
  ['userRateLimitExceeded', BUSY],
  ['dailyLimitExceeded', { what: 'has no requests of this account left for today', retryable: true }],
  [
    'downloadQuotaExceeded',
    {
      what: 'says that the file was downloaded too often; it will be asked for again later',
      retryable: true,
    },
  ],
  ['insufficientFilePermissions', { what: `${DENIED}, as an editor where source.after moves or deletes`, status: 403 }],
  ['appNotAuthorizedToFile', { what: DENIED, status: 403 }],
  [
    'insufficientPermissions',
    {
      what: `${DENIED}, and allow its domain-wide delegation the scope of Google Drive`,
      status: 403,
    },
  ],
  [
    'accessNotConfigured',
    {
      what: 'has the Google Drive API switched off for the project of the service account; enable it in the Google Cloud console',
      status: 403,
    },
  ],
  ['domainPolicy', { what: 'lets no apps in, says the administrator of the domain; ask there', status: 403 }],
  [
    'exportSizeLimitExceeded',
    { what: 'has a sheet larger than the 10 MB that Google exports; have it saved as a file' },
  ],
  ['cannotExportFile', { what: 'lets nobody export the sheet; ask its owner to allow readers to download it' }],
  ['cannotDownloadFile', { what: 'lets nobody download the file; ask its owner to allow it to readers' }],
  [
    'cannotDownloadAbusiveFile',
    {
      what: 'says that the file holds malware, and does not send it; ask the supplier for a clean one',
    },
  ],
]);

/** The refusal of a reply, in words: nothing that it writes itself is shown. */
export async function refusalOf(reply: Reply): Promise<OfferlineError> {
  const { statusCode, place } = reply;
  const retryAfter = headerOf(reply, 'retry-after');
  const reasons = (await refusalIn(reply, refusal))?.error.errors ?? [];
  const known = reasons.map(({ reason }) => REASONS.get(reason)).find((meaning) => meaning !== undefined);
  if (known === undefined) return statusError(statusCode, place, retryAfter, systemClock.now());
  const { what, status, retryable = false } = known;
  const asked = statusError(429, place, retryAfter, systemClock.now()).details['retryAfterMs'];
  return new OfferlineError('pull-failed', `${place.url} ${what}.`, {
    retryable,
    details: {
      url: place.url,
      ...(status === undefined ? {} : { status }),
      ...(retryable && asked !== undefined ? { retryAfterMs: asked } : {}),
    },
  });
}
