import { processed } from '../../jobs/queue/follow-upload.ts';
import { openUpload } from '../../ledger/uploads/uploads.ts';
import type { Progress } from '../thread/gauges.ts';
import type { Visit } from '../visit.ts';

/** How far the work on a login's upload is: that of this process, else the service's own count; null when none is under way. */
export async function loginProgress(
  login: string,
  { ctx, world: { gauges } }: Pick<Visit, 'ctx' | 'world'>,
): Promise<Progress | null> {
  const own = gauges.progress(login);
  if (own !== null) return own;
  const upload = await openUpload(ctx.ledger.db, login);
  const gauge = await processed(upload, ctx);
  const since = upload?.sent_at ?? null;
  return gauge === null ? null : { gauge, from: 0, elapsed: since === null ? 0 : Math.max(0, ctx.clock.now() - since) };
}
