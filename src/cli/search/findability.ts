import { InvalidArgumentError, type Command } from 'commander';
import { OfferlineError } from '../../errors.ts';
import type { FindabilityAnswer } from '../../jobs/findability/answer.ts';
import type { Lost, WantedPart } from '../../model.ts';
import { printable } from '../../wording/printable.ts';
import { counted, grouped, moment, percent } from '../../wording/words.ts';
import { assertKnown } from '../queries/runs.ts';
import type { Io } from '../io.ts';
import { withReader, withSession } from '../session.ts';

type Options = { last?: true; sample?: number; json?: true };

const HELP = `
Asks the search for a sample of the feed's live parts, by number and by brand and number, at the rate of service.findability,
and records the answers. Up to a quarter of the sample is for the demand of parts that were rejected, left out or are gone. An upload of the login goes first. --last asks nothing. Exits with 1 if a part is not found or the
service did not answer for all.

Examples:
  offerline findability north
  offerline findability north --sample 300
  offerline findability north --last --json
`;

/** Adds `findability`: whether customers find what is live. */
export function define(program: Command, io: Io): void {
  program
    .command('findability')
    .description("Ask the search for a sample of a feed's live parts: known, known under another brand, or not found.")
    .argument('<feed>', 'a feed of the configuration')
    .option('--last', 'only show what was answered last')
    .option('--sample <parts>', 'how many parts, 10 to 1000 (default: service.findability.sample)', sample)
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((feed: string, options: Options, command: Command) =>
      options.last === true ? showLast(feed, options, command, io) : ask(feed, options, command, io),
    );
}

async function showLast(feed: string, { sample: size, json }: Options, command: Command, io: Io): Promise<void> {
  if (size !== undefined) throw new OfferlineError('usage', '--last asks nothing: leave out --sample.');
  await withReader(command, io, async ({ ctx }) => {
    assertKnown('feed', feed, Object.keys(ctx.config.feeds));
    const { lastLook } = await import('../../ledger/uploads/findability.ts');
    const { findabilityAnswer } = await import('../../jobs/findability/answer.ts');
    const login = ctx.config.feeds[feed]!.login;
    const look = await lastLook(ctx.ledger.db, { login, feed });
    if (look === null) {
      if (json === true) return io.json(null);
      return io.out(`The search was not asked for parts of ${feed} yet: offerline findability ${feed}`);
    }
    give(findabilityAnswer(look), json, io);
  });
}

async function ask(feed: string, { sample: size, json }: Options, command: Command, io: Io): Promise<void> {
  await withSession(command, io, async ({ ctx }) => {
    assertKnown('feed', feed, Object.keys(ctx.config.feeds));
    const settings = ctx.config.service.findability;
    if (settings === 'off') {
      throw new OfferlineError(
        'usage',
        'service.findability is off: the search may not be asked. Remove that setting, or use --last.',
      );
    }
    const { lookAtFeed, lookLease } = await import('../../jobs/findability/look.ts');
    const { withLeaseSoon } = await import('../../jobs/logins/with-lease.ts');
    const { findabilityAnswer } = await import('../../jobs/findability/answer.ts');
    const onAsked = (done: number, total: number) => io.gauge({ stage: 'search', unit: null, done, total }, feed);
    const work = { signal: io.stopSignal(), onAsked };
    const login = ctx.config.feeds[feed]!.login;
    try {
      const asked = { ...settings, sample: size ?? settings.sample };
      const look = await withLeaseSoon(lookLease(login), ctx, () =>
        lookAtFeed({ login, feed }, asked, work, ctx),
      ).catch((error: unknown) => {
        if (!work.signal.aborted) throw error;
        throw new OfferlineError('interrupted', 'Interrupted. What was answered until then was not recorded.');
      });
      io.gauge(null, feed);
      const answer = findabilityAnswer(look);
      give(answer, json, io);
      if (answer.missing > 0 || answer.note !== null) io.exit(1);
    } finally {
      io.gauge(null, feed);
    }
  });
}

function give(answer: FindabilityAnswer, json: true | undefined, io: Io): void {
  if (json === true) return io.json(answer);
  for (const line of linesOf(answer)) io.out(printable(line));
}

/** Parts that are named one by one. */
const SHOWN_MISSING = 20;

function* linesOf(answer: FindabilityAnswer): Generator<string> {
  const { feed, at, parts, asked, known, otherBrand, own, missing, namesShown, share, wanted, note } = answer;
  if (parts === 0) {
    yield `${feed}: nothing of it is live that a search takes for a part, ${moment(Date.parse(at))}`;
    return;
  }
  yield `${feed}: ${counted(asked, 'part')} of ${grouped(parts)} that are live looked for, ${moment(Date.parse(at))}`;
  if (note !== null) {
    yield `  stopped early: ${note}`;
    yield `  Ask again: offerline findability ${feed}; a running \`offerline up\` does so by itself within a day.`;
  }
  if (asked === 0) return;
  if (namesShown) {
    const all = share === null ? '' : shareWords(share, asked < parts);
    yield `  ${grouped(known).padStart(5)}  known to the search${all}`;
    yield `  ${grouped(otherBrand).padStart(5)}  known under another brand`;
    yield `  ${grouped(own).padStart(5)}  found, known only by what the file says`;
  } else {
    yield `  ${grouped(own).padStart(5)}  found`;
  }
  yield `  ${grouped(missing).padStart(5)}  not found`;
  if (!namesShown && note === null) {
    yield '  No answer had a name of the reference database: which parts it knows cannot be told. service.findability.locale';
    yield '  chooses the language of the names.';
  }
  for (const { brand, knownAs, parts: count, examples } of answer.otherBrands)
    yield `  ${counted(count, 'part')} of ${brand}: the search knows ${count === 1 ? 'its number' : 'their numbers'} as ${knownAs} (${examples.join(', ')})`;
  for (const { brand, oem } of answer.missingParts.slice(0, SHOWN_MISSING)) yield `  not found: ${brand} ${oem}`;
  const more = answer.missingParts.length - SHOWN_MISSING;
  if (more > 0) yield `  and ${counted(more, 'part')} more; --json has all`;
  if (wanted.length > 0) yield* demandOf(wanted);
}

const LOST: Record<Lost, string> = { rejected: 'rejected', 'left-out': 'left out by a rule', gone: 'gone' };

/** What is looked for most of what is not live. */
function* demandOf(wanted: WantedPart[]): Generator<string> {
  const shown = wanted.filter(({ saleCategory }) => saleCategory !== undefined);
  yield `  ${counted(wanted.length, 'part')} that ${wanted.length === 1 ? 'is' : 'are'} not live asked for by number: the search shows demand for ${grouped(shown.length)}`;
  for (const { brand, oem, why, saleCategory } of shown.slice(0, SHOWN_MISSING))
    yield `  demand ${saleCategory}: ${`${brand} ${oem}`.trim()} (${LOST[why]})`;
}

function shareWords({ share, from, to }: NonNullable<FindabilityAnswer['share']>, isSample: boolean): string {
  return isSample
    ? `: about ${percent(share)} of all (95% confidence: ${percent(from)} to ${percent(to)})`
    : `: ${percent(share)}`;
}

function sample(text: string): number {
  const size = Number(text);
  if (!/^\d{1,4}$/.test(text) || size < 10 || size > 1000)
    throw new InvalidArgumentError('Write a number of parts from 10 to 1000.');
  return size;
}
