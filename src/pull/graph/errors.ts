import { z } from 'zod';
import { systemClock } from '../../clock.ts';
import { OfferlineError } from '../../errors.ts';
import { refusalIn } from '../cloud/json.ts';
import { pullError, statusError } from '../http/errors.ts';
import { headerOf, type Reply } from '../http/request.ts';

const refusal = z.object({ error: z.object({ code: z.string() }) });

/** What each refusal means, and what to do; others are told by their status. */
const REFUSALS = new Map<string, string>([
  [
    'accessDenied',
    'denies access; grant the app Files.Read.All or Sites.Selected (application permissions, with the consent of an administrator; Files.ReadWrite.All where source.after moves or deletes)',
  ],
  [
    'Authorization_RequestDenied',
    'denies access; grant the app Files.Read.All or Sites.Selected (application permissions, with the consent of an administrator)',
  ],
  ['malwareDetected', 'says that the file holds malware, and does not send it; ask the supplier for a clean one'],
  ['notAllowed', 'does not allow it; ask the administrator of the site'],
  ['resourceLocked', 'has the file locked by somebody who has it open'],
]);

/** The refusal of a reply, in words: nothing that it writes itself is shown but its code. */
export async function refusalOf(reply: Reply): Promise<OfferlineError> {
  const { statusCode: status, place } = reply;
  const code = (await refusalIn(reply, refusal))?.error.code;
  const what = code === undefined ? undefined : REFUSALS.get(code);
  if (what !== undefined) return pullError(place, `${what}.`, { status });
  return statusError(status, place, headerOf(reply, 'retry-after'), systemClock.now());
}
