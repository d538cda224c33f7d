import { Option, type Command } from 'commander';
import { OfferlineError } from '../../errors.ts';
import { decisionOf } from '../decisions/decision.ts';
import type { Io } from '../io.ts';
import { readPeriod } from '../period.ts';
import { assertKnown } from '../queries/runs.ts';
import { toDecide, withReader } from '../session.ts';

type Options = { since: number; away?: string; revoke?: true; reason?: string; json?: true };

const DAY_MS = 86_400_000;

const HELP = `
Nothing is applied by itself: put the proposed lines into the configuration. Hours are those at which offerline took the files.

Examples:
  offerline expect north
  offerline expect north --away 2026-12-24/2027-01-06 --reason "closed between the years"
  offerline expect north --away 2026-12-24/2027-01-06 --revoke --reason "they deliver after all"
`;

/** Adds `expect`: when a supplier delivers, and days on which it does not. */
export function define(program: Command, io: Io): void {
  program
    .command('expect')
    .description(
      'Show when a supplier has delivered and propose when to expect it; record days on which it delivers nothing.',
    )
    .argument('<feed>', 'a feed of the configuration')
    .addOption(
      new Option('--since <period>', 'how far back: 12h, 30d, 4w').argParser(readPeriod).default(90 * DAY_MS, '90d'),
    )
    .option('--away <days>', 'the supplier delivers nothing from the first to the last day: 2026-12-24/2027-01-06')
    .option('--revoke', 'with --away, take these days back')
    .option('--reason <text>', 'with --away, why; recorded with your name')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((feed: string, options: Options, command: Command) => {
      const { away, revoke, reason } = options;
      if (away === undefined) {
        if (revoke === true || reason !== undefined)
          throw new OfferlineError('usage', `${revoke === true ? '--revoke' : '--reason'} belongs to --away.`);
        return show(feed, options, command, io);
      }
      if (command.getOptionValueSource('since') === 'cli')
        throw new OfferlineError('usage', '--since belongs to the proposal; leave it out with --away.');
      if (reason === undefined)
        throw new OfferlineError('usage', '--reason is missing: say why the supplier is away; it is recorded.');
      return decide(feed, { ...options, away, reason }, command, io);
    });
}

async function show(feed: string, { since, json }: Options, command: Command, io: Io): Promise<void> {
  await withReader(command, io, async ({ ctx }) => {
    assertKnown('feed', feed, Object.keys(ctx.config.feeds));
    const { expectAnswer } = await import('../../jobs/propose/gather-times.ts');
    const answer = await expectAnswer(feed, ctx.clock.now() - since, ctx);
    if (json === true) return io.json(answer);
    const { answerLines } = await import('./answer-lines.ts');
    for (const line of answerLines(answer)) io.out(line);
  });
}

async function decide(
  feed: string,
  { away: days, revoke, reason, json }: Options & { away: string; reason: string },
  command: Command,
  io: Io,
): Promise<void> {
  await toDecide(command, io, async ({ ctx }) => {
    assertKnown('feed', feed, Object.keys(ctx.config.feeds));
    const { announceAway, revokeAway } = await import('../../jobs/decisions/away.ts');
    const carryOut = revoke === true ? revokeAway : announceAway;
    const { from, to } = await carryOut({ feed, days }, decisionOf(reason), ctx);
    if (json === true) return io.json({ feed, from, to, away: revoke !== true });
    const span = from === to ? `on ${from}` : `from ${from} to ${to}`;
    io.out(
      revoke === true
        ? `The feed ${feed} is expected ${span} again.`
        : `The feed ${feed} is away ${span}: no delivery is due then.`,
    );
  });
}
