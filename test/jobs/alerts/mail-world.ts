import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import type { Context } from '../../../src/context.ts';
import { notifyOfIncidents } from '../../../src/jobs/alerts/notify.ts';
import { sendMails } from '../../../src/jobs/alerts/send-mails.ts';
import { contextFor } from '../../upload/upload-world.ts';

export const START = Date.UTC(2026, 4, 4, 6, 30, 0);
const HOUR = 3_600_000;
const FEEDS = Object.fromEntries(
  ['north', 'south', 'east'].map((feed) => [feed, { login: 'main', source: { type: 'directory', path: '.' } }]),
);
/** An installation whose clock stands still until a test moves it, with what was mailed so far. */
export async function mailWorld(managers: object[], settings: { mail?: object } = {}) {
  const opened = await contextFor('http://127.0.0.1:9', { feeds: FEEDS, managers, ...settings });
  let now = START;
  const ctx: Context = { ...opened, clock: { ...opened.clock, now: () => now } };
  const outbox = join(ctx.home, 'outbox');
  return {
    ctx,
    outbox,
    at: (hours: number) => (now = START + hours * HOUR),
    /** What a sweep does about mails. */
    tell: async () => {
      await notifyOfIncidents(ctx);
      await sendMails(ctx);
    },
    mails: async () => {
      const names = readdirSync(ctx.home).includes('outbox') ? readdirSync(outbox) : [];
      const mails = await Promise.all(names.map((name) => PostalMime.parse(readFileSync(join(outbox, name)))));
      return mails.map(({ subject, to, text, html, references }) => ({
        subject,
        to: to?.[0]?.address,
        text,
        html,
        references,
      }));
    },
  };
}

export type MailWorld = Awaited<ReturnType<typeof mailWorld>>;
