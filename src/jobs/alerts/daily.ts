import { CronExpressionParser } from 'cron-parser';
import type { Context } from '../../context.ts';
import { dayMailId, lastDayNotified, queueMail } from '../../ledger/alerts/mails.ts';
import { dayRecipients } from '../../notify/recipients.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Queues the daily mails, once a day and address, at the time of `mail.daily`. A time that was missed while nothing ran is caught
 * up on once; the mail then covers all days since the last one.
 */
export async function notifyOfDay(ctx: Context): Promise<void> {
  const { managers, feeds, mail } = ctx.config;
  const recipients = dayRecipients(managers, Object.keys(feeds));
  if (recipients.length === 0) return;
  const now = ctx.clock.now();
  const { at, timezone } = mail.daily;
  const to = lastTime(at, timezone, now);
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' }).format(to);
  for (const { email } of recipients) {
    const covered = await lastDayNotified(ctx.ledger.db, email);
    // A new recipient gets the next day's mail, not one about a morning long past.
    if (covered === null && now - to > HOUR_MS) continue;
    if (covered !== null && covered >= to) continue;
    const about = { of: 'day', day, from: covered ?? to - DAY_MS, to } as const;
    await queueMail(ctx.ledger.db, { id: dayMailId(day, email), recipient: email, about }, now);
  }
}

/** The last moment, now included, at which a clock of the time zone showed `06:00`. */
function lastTime(at: string, timezone: string, now: number): number {
  const [hours, minutes] = at.split(':').map(Number);
  const times = CronExpressionParser.parse(`${minutes} ${hours} * * *`, {
    currentDate: new Date(now + 1),
    tz: timezone,
  });
  return times.prev().getTime();
}
