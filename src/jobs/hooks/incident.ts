import type { Context } from '../../context.ts';
import { INSTALLATION } from '../../incidents.ts';
import { raise, recover } from '../../ledger/alerts/incidents.ts';
import { failingHooks } from '../../ledger/hooks/failures.ts';
import type { Db } from '../../ledger/ledger.ts';
import type { IncidentRow } from '../../ledger/schema/schema.ts';

const SUBJECT = { kind: 'hook-stopped', login: INSTALLATION } as const;

/** Records whether hooks have taken nothing for so long that messages were given up: one incident for all of them. */
export async function noteStopped(trx: Db, { config, clock }: Pick<Context, 'config' | 'clock'>): Promise<void> {
  const failing = await failingHooks(trx);
  const stopped = failing.filter(
    ({ hook, lost, gone }) => Object.hasOwn(config.hooks, hook) && (lost > 0 || gone === 1),
  );
  const now = clock.now();
  if (stopped.length === 0) {
    await recover(trx, { ...SUBJECT, text: 'hooks take messages again' }, now);
    return;
  }
  const names = stopped.map(({ hook }) => hook);
  const hooks = stopped.map(({ hook, since, lost, error: said }) => ({ hook, since, lost, said }));
  const numbers = { hooks: names.join(' '), lost: hooks.reduce((sum, { lost }) => sum + lost, 0) };
  // One hook less is nothing new.
  const isSame = (open: IncidentRow) => names.every((name) => String(open.numbers['hooks']).split(' ').includes(name));
  await raise(
    trx,
    { ...SUBJECT, reason: { code: 'hooks-stopped', hooks }, cause: names.join(' '), isSame, numbers },
    now,
  );
}
