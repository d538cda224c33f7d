import type { Context } from '../../context.ts';
import { digestId, queuedMails, queueMail } from '../../ledger/alerts/mails.ts';
import { digestRecipients } from '../../notify/recipients.ts';
import { lastOccasions } from './occasions.ts';

const HOUR_MS = 3_600_000;

/** How many days are looked back through for the last mail of an address. */
const DAYS = 190;

/**
 * Queues the monthly scorecards: on the first of a month, at the time of `mail.daily`, about the month before, once to each address. A
 * time that was missed while nothing ran is caught up on once; a new recipient gets the next one.
 */
export async function notifyOfScorecards(ctx: Context): Promise<void> {
  const { managers, feeds, mail } = ctx.config;
  const recipients = digestRecipients(managers, 'monthly', Object.keys(feeds));
  if (recipients.length === 0) return;
  const now = ctx.clock.now();
  const firsts = { ...mail.daily, on: ({ date }: { date: number }) => date === 1 };
  const [due, before, ...earlier] = lastOccasions(firsts, now, DAYS);
  if (due === undefined || before === undefined) return;
  for (const { email } of recipients) {
    const id = digestId('monthly', due.day, email);
    const known = await queuedMails(
      ctx.ledger.db,
      [due, before, ...earlier].map(({ day }) => digestId('monthly', day, email)),
    );
    if (known.has(id) || (known.size === 0 && now - due.at > HOUR_MS)) continue;
    const about = { of: 'month', day: due.day, from: before.at, to: due.at } as const;
    await queueMail(ctx.ledger.db, { id, recipient: email, about }, now);
  }
}
