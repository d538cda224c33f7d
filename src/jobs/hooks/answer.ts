import { eventsOf } from '../../config/schema/hooks/hook-schema.ts';
import type { Context } from '../../context.ts';
import { hostOf } from '../../io/peers/public-connector.ts';
import { failingHooks } from '../../ledger/hooks/failures.ts';
import { countMessages, newestMessages, oldestOpen } from '../../ledger/hooks/messages.ts';

/** A hook as scripts see it. Its address stays hidden but for the host. */
export type HookAnswer = Awaited<ReturnType<typeof hookAnswers>>[number];

/** A message as scripts see it. */
export type MessageAnswer = Awaited<ReturnType<typeof messageAnswers>>[number];

/** Every hook of the configuration, what waits for it, and whether it fails. */
export async function hookAnswers({ config, ledger, clock }: Pick<Context, 'config' | 'ledger' | 'clock'>) {
  const counts = await countMessages(ledger.db);
  const failing = await failingHooks(ledger.db);
  const waiting = new Map((await oldestOpen(ledger.db)).map((one) => [one.hook, one]));
  const now = clock.now();
  return Object.entries(config.hooks).map(([hook, settings]) => {
    const countOf = (state: string) => counts.find((one) => one.hook === hook && one.state === state)?.count ?? 0;
    const failure = failing.find((one) => one.hook === hook);
    const oldest = waiting.get(hook);
    return {
      hook,
      // Whoever only reads may not have the address.
      to: URL.canParse(settings.url.reveal()) ? hostOf(settings.url.reveal()) : null,
      events: eventsOf(settings),
      feeds: settings.feeds ?? null,
      waiting: countOf('open'),
      oldest:
        oldest === undefined
          ? null
          : {
              message: oldest.id,
              event: oldest.event,
              subject: oldest.subject,
              at: oldest.at,
              waits: Math.max(0, now - oldest.at),
            },
      sent: countOf('sent'),
      givenUp: countOf('given-up') + countOf('refused'),
      failing:
        failure === undefined
          ? null
          : {
              since: failure.since,
              times: failure.times,
              error: failure.error,
              lost: failure.lost,
              nextTry: failure.gone === 1 ? null : failure.next_at,
            },
    };
  });
}

/** The newest messages of a hook. */
export async function messageAnswers(hook: string, limit: number, { ledger }: Pick<Context, 'ledger'>) {
  const rows = await newestMessages(ledger.db, { hook, limit });
  return rows.map(({ id, event, subject, seq, at, state, tries, error, ended_at: endedAt, body }) => {
    return { id, event, subject, seq, at, state, failedTries: tries, error, endedAt, body };
  });
}
