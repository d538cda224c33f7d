import type { Context } from '../../context.ts';
import { INSTALLATION } from '../../incidents.ts';
import { openIncident, raise, recover } from '../../ledger/alerts/incidents.ts';
import { failingHooks } from '../../ledger/hooks/failures.ts';
import { refusedMessages } from '../../ledger/hooks/messages.ts';
import type { Db } from '../../ledger/ledger.ts';
import type { IncidentRow } from '../../ledger/schema/schema.ts';

const SUBJECT = { kind: 'hook-stopped', login: INSTALLATION } as const;

/** For how long a message that was refused and given up counts as wrong unless it is replayed, in milliseconds. */
const REFUSED_COUNTS = 7 * 24 * 3_600_000;

/** Records whether messages were given up, of hooks that have taken nothing since or one that a hook refused: one incident for all of them. */
export async function noteStopped(trx: Db, { clock }: Pick<Context, 'clock'>): Promise<void> {
  const now = clock.now();
  const hooks = await stoppedHooks(trx, now);
  if (hooks.length === 0) {
    await recover(trx, { ...SUBJECT, text: 'hooks take messages again' }, now);
    return;
  }
  const names = [...new Set(hooks.map(({ hook }) => hook))].sort();
  const numbers = { hooks: names.join(' '), lost: hooks.reduce((sum, { lost }) => sum + lost, 0) };
  // One hook less is nothing new.
  const isSame = (open: IncidentRow) => names.every((name) => hooksIn(open.numbers).includes(name));
  await raise(
    trx,
    { ...SUBJECT, reason: { code: 'hooks-stopped', hooks }, cause: names.join(' '), isSame, numbers },
    now,
  );
}

/** Ends the incident when what was refused is long ago. */
export async function endStopped({ ledger, clock }: Pick<Context, 'ledger' | 'clock'>): Promise<void> {
  if ((await openIncident(ledger.db, SUBJECT)) === undefined) return;
  await ledger.transaction(async (trx) => {
    const now = clock.now();
    if ((await stoppedHooks(trx, now)).length > 0) return;
    await recover(trx, { ...SUBJECT, text: 'hooks take messages again' }, now);
  });
}

/** The hooks that an incident of the kind is about, by its numbers. */
export function hooksIn(numbers: IncidentRow['numbers']): string[] {
  return String(numbers['hooks']).split(' ');
}

async function stoppedHooks(db: Db, now: number) {
  const stopped = (await failingHooks(db)).filter(({ lost, gone }) => lost > 0 || gone === 1);
  const refused = await refusedMessages(db, now - REFUSED_COUNTS);
  return [
    ...stopped.map(({ hook, since, lost, error: said }) => ({ hook, since, lost, said })),
    // What the receiver said of it is for `hooks list` only.
    ...refused.map(({ hook, since, count: lost }) => ({ hook, since, lost, said: null })),
  ];
}
