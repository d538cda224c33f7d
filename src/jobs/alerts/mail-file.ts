import { createReadStream, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { keptBytes } from '../../archive/kept-file.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import type { MailRow } from '../../ledger/schema/schema.ts';
import { usable } from '../archive/usable.ts';

/** A mail as it is listed; `file`: whether its message can be had from here. */
export type MailAnswer = {
  id: string;
  at: number;
  recipient: string;
  about: MailRow['about']['of'];
  run: string | null;
  state: 'sent' | 'waiting' | 'given-up';
  where: string | null;
  error: string | null;
  file: boolean;
};

/** What is known of a mail. */
export function mailAnswer(row: MailRow, ctx: Pick<Context, 'home'>): MailAnswer {
  const { id, at, recipient, about, run, sent_to: where, error } = row;
  const state = where !== null ? 'sent' : row.given_up_at === null ? 'waiting' : 'given-up';
  const file = row.message_sha !== null || isInOutbox(row, ctx);
  return { id, at, recipient, about: about.of, run, state, where, error, file };
}

/** A mail's message as it was written: its bytes, and where this home has or would have them. */
type MailFile = { name: string; path: string; bytes: AsyncIterable<Uint8Array> };

/**
 * The message of a mail that went to an outbox of any machine; of an earlier version that of this home. Fails with `conflict` when
 * there is none: it is not sent yet, a mail server took it, or its file is lost.
 */
export async function mailFile(row: MailRow, ctx: Context): Promise<MailFile> {
  const { id, message_sha: sha256, sent_to: where } = row;
  const path = outboxPath(row, ctx);
  const name = basename(path);
  if (sha256 !== null && (await usable(sha256, ctx))) return { name, path, bytes: keptBytes(ctx.archive.file(sha256)) };
  if (isInOutbox(row, ctx)) return { name, path, bytes: createReadStream(path) };
  if (where === null)
    throw new OfferlineError('conflict', `The mail ${id} has not been sent, so there is no file of it.`);
  if (sha256 === null)
    throw new OfferlineError('conflict', `The mail ${id} went to ${where}, so there is no file of it here.`);
  throw new OfferlineError('conflict', `The archive has lost the message of the mail ${id}.`);
}

/** Where this home has a message, or would have it; another machine may have written it. */
function outboxPath({ sent_to }: MailRow, { home }: Pick<Context, 'home'>): string {
  return join(home, 'outbox', basename(sent_to ?? '') || 'mail.eml');
}

function isInOutbox(row: MailRow, ctx: Pick<Context, 'home'>): boolean {
  return row.sent_to?.endsWith('.eml') === true && existsSync(outboxPath(row, ctx));
}
