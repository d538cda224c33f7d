import { WEEKDAYS, type Config } from '../../config/schema/schema.ts';
import type { Context } from '../../context.ts';
import { digestId, queuedMails, queueMail } from '../../ledger/alerts/mails.ts';
import type { DigestEvery } from '../../notify/digest/input.ts';
import { digestRecipients } from '../../notify/recipients.ts';
import { lastOccasions, type Occasion } from './occasions.ts';

const HOUR_MS = 3_600_000;

const DIGESTS = [
  { every: 'daily', of: 'day' },
  { every: 'weekly', of: 'week' },
] as const;

/** How many days are looked back through for the last digest of an address. */
const DAYS = { daily: 31, weekly: 70 };

/**
 * Queues the digests, each once a day or week and address, at the time of `mail.daily` or `mail.weekly`. Times that were missed
 * while nothing ran are caught up on by one mail, which counts the runs since the last one.
 */
export async function notifyOfDigests(ctx: Context): Promise<void> {
  const { managers, feeds, mail } = ctx.config;
  const now = ctx.clock.now();
  for (const { every, of } of DIGESTS) {
    const recipients = digestRecipients(managers, every, Object.keys(feeds));
    if (recipients.length === 0) continue;
    const [due, ...earlier] = occasionsOf(mail, every, now, DAYS[every]);
    if (due === undefined) continue;
    for (const { email } of recipients) {
      const id = digestId(every, due.day, email);
      if ((await queuedMails(ctx.ledger.db, [id])).has(id)) continue;
      const last = await lastQueued(earlier, (day) => digestId(every, day, email), ctx);
      // A new recipient gets the next digest, not one of a morning long past.
      if (last === undefined && now - due.at > HOUR_MS) continue;
      const from = (last ?? earlier[0] ?? due).at;
      await queueMail(ctx.ledger.db, { id, recipient: email, about: { of, day: due.day, from, to: due.at } }, now);
    }
  }
}

async function lastQueued(earlier: Occasion[], idOf: (day: string) => string, ctx: Context) {
  const known = await queuedMails(
    ctx.ledger.db,
    earlier.map(({ day }) => idOf(day)),
  );
  return earlier.find(({ day }) => known.has(idOf(day)));
}

/** The id of an address's digest that was due last: an earlier one that still waits has nothing to add to it. */
export function newestDigestId(mail: Config['mail'], every: DigestEvery, email: string, now: number): string | null {
  const [due] = occasionsOf(mail, every, now, every === 'daily' ? 2 : 8);
  return due === undefined ? null : digestId(every, due.day, email);
}

function occasionsOf({ daily, weekly }: Config['mail'], every: DigestEvery, now: number, days: number): Occasion[] {
  if (every === 'daily') return lastOccasions(daily, now, days);
  const on = ({ weekday }: { weekday: number }) => WEEKDAYS[weekday] === weekly.day;
  return lastOccasions({ ...weekly, on }, now, days);
}
