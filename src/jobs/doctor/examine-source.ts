import { serves } from '../../config/serves.ts';
import type { Context } from '../../context.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { NO_MATCH } from '../../pull/choose/choose.ts';
import { lookAt } from '../../pull/look-at.ts';
import { moment, span } from '../../wording/words.ts';
import { standingAt } from '../../calendar/expected.ts';
import { expectedOf, stopsOf } from '../feeds/expected.ts';
import { pastOf } from '../feeds/place-of-feed.ts';
import { pushedFiles } from '../push/pushed-files.ts';
import { sourceDenialStanding } from '../queries/feed-standing.ts';
import { isDenial, sourceDenied, sourceTaken } from '../feeds/source-denial.ts';

/**
 * Looks at the place of a feed as a pull does: whether it can be reached, takes the credentials, and what its newest match
 * is. What other workers are to reach is left to them. A local folder may appear with its first file. Throws what the place answers.
 */
export async function examineSource(feed: string, ctx: Context): Promise<string> {
  const { source } = ctx.config.feeds[feed]!;
  if (!serves(ctx.config.worker.serves, source))
    return `is left to workers that serve ${source.on?.join(' or ')} (source.on); this process serves ${ctx.config.worker.serves.join(', ') || 'nothing'} (worker.serves)`;
  const found = await lookAt(source, await pastOf(feed, source, ctx), undefined, pushedFiles(source, ctx)).catch(
    async (error: unknown) => {
      if (source.type === 'directory' && systemCode(error) === 'ENOENT') return messageOf(error);
      throw isDenial(error) ? await denied(feed, error, ctx) : error;
    },
  );
  if (typeof found === 'string') return `warning: ${found}`;
  if (found === null) return 'one address that is asked with POST, with each run';
  await sourceTaken(feed, ctx);
  const [newest] = found.files;
  if (newest?.decision !== 'take') return `${found.place} can be read; nothing to take: ${whyNothing(found.files)}`;
  const match = `${found.place} can be read; newest match ${newest.name}`;
  if (newest.modifiedAt === null) return match;
  const age = ctx.clock.now() - newest.modifiedAt;
  const changed = `${match}, changed ${moment(newest.modifiedAt)}, ${age < 0 ? 'in the future' : `${span(age)} ago`}`;
  const expectation = await whyTooOld(feed, newest.modifiedAt, ctx);
  return expectation === null ? changed : `warning: ${changed}, but ${expectation}`;
}

/** What a file that is the newest of a feed was changed too long ago for; null: nothing. */
async function whyTooOld(feed: string, changedAt: number, ctx: Context): Promise<string | null> {
  const expected = expectedOf(feed, ctx.config);
  if (expected === null) return null;
  const stops = (await stopsOf([feed], ctx)).ofFeed(feed);
  const { late, due } = standingAt(expected, { since: null, deliveries: [changedAt], stops }, ctx.clock.now());
  if (!late || due === null) return null;
  if ('every' in expected) return `a file is expected every ${span(expected.every)}`;
  return `a file was due ${moment(due, expected.timezone)}`;
}

/** The refusal, which counts as a try, with what the schedule makes of it. */
async function denied(feed: string, error: unknown, ctx: Context): Promise<OfferlineError> {
  await sourceDenied(feed, ctx);
  const standing = await sourceDenialStanding(feed, ctx);
  const message = standing === null ? messageOf(error) : `${messageOf(error)} For now, ${standing.note}.`;
  return new OfferlineError('pull-failed', message, { cause: error });
}

function whyNothing(files: { name: string; why: string }[]): string {
  const told = files.find(({ why }) => why !== NO_MATCH);
  return told === undefined ? 'no file matches the pattern' : `${told.name} ${told.why}`;
}
