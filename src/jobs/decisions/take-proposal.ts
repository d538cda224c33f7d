import { chmod, chown, realpath, stat } from 'node:fs/promises';
import { learnedWith } from '../../config/learned/add-learned.ts';
import { learnedFile, readLearned } from '../../config/learned/read-learned.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { own } from '../../io/dictionary.ts';
import { replaceFile } from '../../io/replace-file.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import { leaveNote, readNote } from '../../ledger/alerts/notes.ts';
import type { Decision } from './review.ts';
import { withLeaseSoon } from '../logins/with-lease.ts';
import { isTaken, proposalsOf } from '../propose/gather.ts';
import type { Proposal } from '../propose/proposals.ts';

/** Finds a proposal by its id, or by its place in the list of its feed, from 1. Fails with `not-found`. */
export async function findProposal(feed: string, which: string, ctx: Context): Promise<Proposal> {
  const proposals = await proposalsOf(feed, ctx);
  const found = proposals.find(({ id }, at) => id === which || String(at + 1) === which);
  if (found !== undefined) return found;
  const known = proposals.map(({ id }, at) => `${at + 1} (${id})`).join(', ');
  throw new OfferlineError(
    'not-found',
    known === ''
      ? `Nothing is proposed for ${feed}.`
      : `There is no proposal ${which} for ${feed}. There are: ${known}.`,
  );
}

/**
 * Writes what a proposal comes to into the file of learned settings beside the configuration, and records who did so; processes that stay read it when they
 * start. `judge` fails where the settings would not be accepted with the rest, and then nothing is written. Answers with the file. Fails with `conflict` for a question, and
 * for what somebody else has taken meanwhile.
 */
export async function takeProposal(
  proposal: Proposal,
  { configFile, judge }: { configFile: string; judge: (text: string) => Promise<void> },
  decision: Decision,
  ctx: Context,
): Promise<string> {
  const { id, feed, kind, says, settings } = proposal;
  if (settings === null)
    throw new OfferlineError(
      'conflict',
      `Proposal ${id} is a question that only the supplier can answer; there is nothing to take. To hide it: \`offerline propose ${feed} --silence ${id} --reason TEXT\``,
    );
  const file = learnedFile(configFile);
  await withLeaseSoon('learned-settings', ctx, async () => {
    const { learned } = await readLearned(configFile, [feed]);
    if (isTaken(proposal, own(learned.feeds, feed) ?? {}))
      throw new OfferlineError('conflict', `Proposal ${id} was taken by somebody else meanwhile: ${file} has it.`);
    const day = new Date(ctx.clock.now()).toISOString().slice(0, 10);
    const remark = `${day}, ${decision.who}: ${decision.reason}`.replaceAll(/[\p{C}\s]+/gu, ' ');
    const text = await learnedWith(configFile, feed, settings, remark);
    await judge(text).catch((error: unknown) => {
      throw notWritten(id, error);
    });
    await ctx.ledger.transaction(async (trx) => {
      const at = ctx.clock.now();
      await recordDecision(trx, {
        at,
        action: 'take-proposal',
        subject: `${feed}: ${kind} ${id} (${says})`,
        ...decision,
      });
      await writeBeside(configFile, file, text);
    });
    return {};
  });
  return file;
}

/** Hides a proposal from now on, and records who did so. */
export async function silenceProposal(
  { id, feed, kind, says }: Proposal,
  decision: Decision,
  ctx: Context,
): Promise<void> {
  await ctx.ledger.transaction(async (trx) => {
    const at = ctx.clock.now();
    const silenced = (await readNote(trx, 'silenced')) ?? {};
    const { who, reason } = decision;
    await leaveNote(trx, 'silenced', { ...silenced, [id]: { at, who, reason } });
    await recordDecision(trx, {
      at,
      action: 'silence-proposal',
      subject: `${feed}: ${kind} ${id} (${says})`,
      ...decision,
    });
  });
}

/** The configuration would not be accepted with it; what the lines of a text are that nobody has written does not matter. */
function notWritten(id: string, error: unknown): unknown {
  if (!(error instanceof OfferlineError) || error.code !== 'config') return error;
  const message = `Proposal ${id} was not written: with it the configuration would not be valid.\n${error.message}`;
  return new OfferlineError('config', message, { cause: error });
}

/** Writes the file through a link, and leaves it to whoever may read what was there, or the configuration. */
async function writeBeside(configFile: string, file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const { mode, uid, gid } = await stat(target).catch(() => stat(configFile));
  await replaceFile(target, [text]);
  await chmod(target, mode & 0o777);
  // Only root can give a file away; anybody else owns what is written.
  if (process.getuid?.() === 0) await chown(target, uid, gid);
}
