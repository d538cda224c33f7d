import type { Context } from '../../context.ts';
import { listPauses } from '../../ledger/runs/pauses.ts';
import { lastVerified, latestAccepted } from '../../ledger/uploads/accepted-uploads.ts';
import { restoresSince, watchOf } from '../../ledger/uploads/watches.ts';
import type { ToCompose } from '../feeds/what-to-compose.ts';
import type { WatchFacts } from './watch-facts.ts';

/** The time in which restores are counted. */
const WINDOW = 86_400_000;

/** Gathers what the ledger knows of what is live at a login, and of what is about to be. */
export async function gatherWatchFacts(
  login: string,
  { pending, sending }: Pick<ToCompose, 'pending'> & { sending: boolean },
  ctx: Context,
): Promise<WatchFacts> {
  const { db } = ctx.ledger;
  const now = ctx.clock.now();
  return {
    login,
    now,
    sending,
    pending,
    watch: await watchOf(db, login),
    ...(await gatherUploads(login, ctx)),
    onForeign: ctx.config.logins[login]?.onForeign ?? 'alarm',
    paused: (await listPauses(db)).some(({ kind, name }) => kind === 'login' && name === login),
    restores: await restoresSince(db, login, now - WINDOW),
    found: {},
  };
}

/** The login's newest successful upload, and the newest that was proved. */
export async function gatherUploads(login: string, ctx: Context): Promise<Pick<WatchFacts, 'current' | 'verified'>> {
  const { db } = ctx.ledger;
  return { current: (await latestAccepted(db, login)) ?? null, verified: (await lastVerified(db, login)) ?? null };
}
