import { Readable } from 'node:stream';
import { forgetMailLinks } from '../../access/supplier-links.ts';
import type { Context } from '../../context.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { claimMail, LONGEST_WAIT, mailFailed, mailSent, mailsToSend } from '../../ledger/alerts/mails.ts';
import { addEvent } from '../../ledger/runs/runs.ts';
import type { MailRow } from '../../ledger/schema/schema.ts';
import type { Mail } from '../../notify/mail.ts';
import type { Sent } from '../../notify/sender.ts';
import { writeMail } from './write-mail.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** After this long a mail that could not be sent is out of date. */
const GIVE_UP_AFTER = 72 * HOUR_MS;

/**
 * Sends the queued mails. Each is claimed first, so that several workers send it once; if a worker is killed between sending and
 * recording, the mail is sent again with the same Message-ID. A mail that cannot be written, or that the server refuses, fails alone.
 * A server that does not answer ends the round: the other mails would only wait for it too.
 */
export async function sendMails(ctx: Context): Promise<void> {
  const { db } = ctx.ledger;
  for (const row of await mailsToSend(db, ctx.clock.now())) {
    if (!(await claimMail(db, row.id, ctx.clock.now()))) continue;
    const tried = await sendOne(row, ctx);
    if (tried === 'server-away') return;
  }
}

type Tried = 'settled' | 'failed-alone' | 'server-away';

async function sendOne(row: MailRow, ctx: Context): Promise<Tried> {
  let isWritten = false;
  try {
    const mail = await writeMail(row, ctx);
    isWritten = true;
    await handOver(row, mail, ctx);
    return 'settled';
  } catch (error) {
    await recordFailure(row, error, ctx);
    return isWritten && !isAboutMail(error) ? 'server-away' : 'failed-alone';
  }
}

async function handOver(row: MailRow, mail: Mail | null, ctx: Context): Promise<void> {
  if (mail === null) {
    return ctx.ledger.transaction(async (trx) => {
      await mailSent(trx, row.id, 'nobody: superseded by later events', null);
      await forgetMailLinks(row.id, trx);
    });
  }
  const { where, message, hasDraft } = await deliver(mail, ctx);
  const kept = message === null ? null : await ctx.archive.put(Readable.from([Buffer.from(message)]));
  await ctx.ledger.transaction(async (trx) => {
    await mailSent(trx, row.id, where, kept?.sha256 ?? null);
    if (!hasDraft) await forgetMailLinks(row.id, trx);
  });
  ctx.log.info({ mail: row.id, recipient: row.recipient, run: row.run }, 'mail sent');
  await say(row, `mailed to ${row.recipient}`, ctx);
}

/** A server that refuses the size gets the mail without its attachments, which says so; the link to the supplier's page was in one of them. */
async function deliver(mail: Mail, ctx: Context): Promise<Sent & { hasDraft: boolean }> {
  const sender = await ctx.mail();
  try {
    return { ...(await sender.send(mail)), hasDraft: true };
  } catch (error) {
    if (mail.attachments.length === 0 || !isTooLarge(error)) throw error;
    ctx.log.warn({ mail: mail.id, reason: messageOf(error) }, 'mail sent without its attachments');
    const without = { ...mail, ...mail.withoutAttachments(), attachments: [] };
    return { ...(await sender.send(without)), hasDraft: false };
  }
}

/** Whether a server refuses a mail for its size: as it announces it, or when it sees it. */
function isTooLarge(error: unknown): boolean {
  if (!(error instanceof OfferlineError) || error.code !== 'mail') return false;
  const { code, responseCode } = error.details;
  return code === 'EMESSAGE' || responseCode === 552 || responseCode === 523;
}

async function recordFailure(row: MailRow, error: unknown, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const why = messageOf(error).replace(/\.$/, '');
  const facts = { mail: row.id, recipient: row.recipient, run: row.run, tries: row.tries + 1 };
  if (isFinal(error) || now - row.at > GIVE_UP_AFTER) {
    ctx.log.warn({ ...facts, reason: why }, 'mail given up');
    await ctx.ledger.transaction(async (trx) => {
      if (await mailFailed(trx, row.id, why, givenUp(ctx))) await forgetMailLinks(row.id, trx);
    });
    return say(row, `no mail to ${row.recipient}: ${why}; try again with ${again(row)}`, ctx);
  }
  if (error instanceof OfferlineError) ctx.log.warn({ ...facts, reason: why }, 'mail not sent yet');
  else ctx.log.error({ ...facts, err: error }, 'mail not sent yet');
  const pause = Math.min(LONGEST_WAIT, MINUTE_MS * 2 ** row.tries);
  await mailFailed(ctx.ledger.db, row.id, why, { nextAt: now + pause });
  if (row.tries > 0) return;
  await say(row, `no mail to ${row.recipient} yet: ${why}; a worker tries again, or ${again(row)}`, ctx);
}

/** Whether the server refuses this mail for good; wrong credentials can still be corrected. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof OfferlineError) || error.code !== 'mail' || error.retryable) return false;
  return error.details['code'] !== 'EAUTH' && error.details['code'] !== 'ENOAUTH';
}

/** The codes of a refusal of the envelope or of the content; another mail may be taken. */
const REFUSED = ['EENVELOPE', 'EMESSAGE'];

/** What a server answers that takes nothing at all for now. */
const CLOSING = 421;

/** Whether only this mail failed: the server answered that it does not take it, or it could not be set as a message. */
function isAboutMail(error: unknown): boolean {
  if (!(error instanceof OfferlineError)) return true;
  const { code, responseCode } = error.details;
  return error.code === 'mail' && REFUSED.includes(String(code)) && responseCode !== CLOSING;
}

function givenUp(ctx: Context): { givenUpAt: number } {
  return { givenUpAt: ctx.clock.now() };
}

function again({ run }: MailRow): string {
  return run === null ? 'the next report' : `\`offerline rerun ${run} --from report\``;
}

/** Notes on the run's timeline who got a mail about it. */
async function say({ run }: MailRow, message: string, ctx: Context): Promise<void> {
  if (run !== null) await addEvent(ctx.ledger.db, run, { at: ctx.clock.now(), stage: 'report', message });
}
