import { hostname } from 'node:os';
import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import type { TakenOverNote } from '../../ledger/alerts/notes.ts';
import { claimTold, forgetTold } from '../../ledger/maintenance/restored.ts';
import { buildReplacedMail } from '../../notify/mail.ts';
import { installationRecipients } from '../../notify/recipients.ts';
import { openLanguage } from '../../wording/language/language.ts';
import { readerOf } from '../alerts/write-mail.ts';

const DAY_MS = 86_400_000;

/** How long a mail server may keep a process from ending, milliseconds. */
const PATIENCE = 15_000;

/**
 * Tells ops by mail that a restored installation goes on in place of this one, if one does: at most once a day, however often it is started. Its ledger gets no
 * incident and no mail that waits: nothing reads it any more. What could not be sent is logged, and the next process tries again.
 */
export async function tellReplaced(ctx: Context): Promise<void> {
  const done = new AbortController();
  try {
    const note = await claimTold(ctx.ledger.db, ctx.clock.now(), DAY_MS);
    if (note === null) return;
    await Promise.race([tellAll(note, ctx), ctx.clock.wait(PATIENCE, done.signal)]);
  } catch (error) {
    ctx.log.warn({ reason: messageOf(error) }, 'nobody was told that this installation was replaced');
  } finally {
    done.abort();
  }
}

async function tellAll(note: TakenOverNote, ctx: Context): Promise<void> {
  const { config } = ctx;
  const recipients = installationRecipients(config.managers, Object.keys(config.feeds));
  const told = await Promise.all(recipients.map(({ email }) => tell(email, note, ctx)));
  if (told.includes(false)) await forgetTold(ctx.ledger.db, note);
}

async function tell(to: string, { said, at, mailed }: TakenOverNote, ctx: Context): Promise<boolean> {
  const { language: name, audience } = await readerOf(to, ctx);
  const day = new Date(mailed ?? at).toISOString().slice(0, 10);
  const { home, sandbox, ledger } = ctx;
  const mail = buildReplacedMail(
    { ledger: ledger.id, machine: hostname(), home, said, at, day, sandbox, audience, language: openLanguage(name) },
    { from: ctx.config.mail.from, to },
  );
  try {
    await (await ctx.mail()).send(mail);
    ctx.log.info({ recipient: to }, 'mail sent');
    return true;
  } catch (error) {
    ctx.log.warn({ recipient: to, reason: messageOf(error) }, 'mail about the replacement was not sent');
    return false;
  }
}
