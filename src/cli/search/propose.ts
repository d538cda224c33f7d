import { Option, type Command } from 'commander';
import { OfferlineError } from '../../errors.ts';
import type { Proposal } from '../../jobs/propose/proposals.ts';
import { printable } from '../../wording/printable.ts';
import { decisionOf } from '../decisions/decision.ts';
import type { Io } from '../io.ts';
import { readPeriod } from '../period.ts';
import { assertKnown } from '../queries/runs.ts';
import { loadFor, toDecide, withReader } from '../session.ts';

type Options = { take?: string; try?: string; silence?: string; since: number; reason?: string; json?: true };

const DAY_MS = 86_400_000;

const HELP = `
What the service rejected for the same cause in at least three of the last ten deliveries, and what the search knows under another
brand. Nothing is applied by itself: --take writes the settings into learned.yaml beside the configuration, which takes it in;
a running \`offerline up\` reads it when it starts. Remove them there to go back.

Examples:
  offerline propose north
  offerline propose north --try 1
  offerline propose north --take 1 --reason "VAG is how they write VW"
  offerline propose north --silence 2 --reason "they are asked already"
`;

/** Adds `propose`: what would have rows accepted or found that are not. */
export function define(program: Command, io: Io): void {
  program
    .command('propose')
    .description('Propose spellings, prefixes and rules, from what the service rejected and the search knows instead.')
    .argument('[feed]', 'only for this feed; needed with --take and --silence')
    .option('--take <proposal>', 'write its settings into learned.yaml: its number in the list, or its id')
    .option('--try <proposal>', 'only show what it would do to archived deliveries, and to what is live')
    .addOption(
      new Option('--since <period>', 'with --try, how far back: 12h, 30d, 4w')
        .argParser(readPeriod)
        .default(30 * DAY_MS, '30d'),
    )
    .option('--silence <proposal>', 'do not show it again: its number in the list, or its id')
    .option('--reason <text>', 'why; recorded with your name (needed with --take and --silence)')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((feed: string | undefined, options: Options, command: Command) => {
      const { take, try: tried, silence, reason } = options;
      if (tried === undefined && command.getOptionValueSource('since') === 'cli')
        throw new OfferlineError('usage', '--since belongs to --try.');
      if ([take, tried, silence].filter((one) => one !== undefined).length > 1)
        throw new OfferlineError(
          'usage',
          'Try a proposal, take it, or silence it: leave out the others of --try, --take and --silence.',
        );
      if (tried !== undefined && reason !== undefined)
        throw new OfferlineError('usage', '--try records nothing and needs no --reason.');
      if (take === undefined && silence === undefined && tried === undefined) {
        if (reason !== undefined) throw new OfferlineError('usage', '--reason belongs to --take or --silence.');
        return list(feed, options, command, io);
      }
      if (feed === undefined)
        throw new OfferlineError(
          'usage',
          'Numbers of proposals are those of a feed: offerline propose FEED --take 1 --reason TEXT',
        );
      if (tried !== undefined) return tryOut(feed, { ...options, try: tried }, command, io);
      if (reason === undefined) throw new OfferlineError('usage', '--reason is missing: say why, it is recorded.');
      return decide(feed, { ...options, reason }, command, io);
    });
}

async function list(feed: string | undefined, { json }: Options, command: Command, io: Io): Promise<void> {
  await withReader(command, io, async ({ ctx }) => {
    const feeds = Object.keys(ctx.config.feeds);
    assertKnown('feed', feed, feeds);
    const { proposalsOf } = await import('../../jobs/propose/gather.ts');
    const found: Proposal[] = [];
    for (const name of feed === undefined ? feeds : [feed]) {
      const proposals = await proposalsOf(name, ctx);
      found.push(...proposals);
      if (json !== true)
        for (const [at, one] of proposals.entries()) for (const line of linesOf(one, at + 1)) io.out(printable(line));
    }
    if (json === true) return io.json({ proposals: found });
    if (found.length === 0) io.out(`Nothing is proposed${feed === undefined ? '' : ` for ${feed}`}.`);
  });
}

/** Reads archived deliveries again as if the proposal had been taken. */
async function tryOut(feed: string, options: Options & { try: string }, command: Command, io: Io): Promise<void> {
  await withReader(command, io, async ({ ctx, loaded }) => {
    assertKnown('feed', feed, Object.keys(ctx.config.feeds));
    const [{ findProposal }, { learnedWith }, { sayTrial }] = await Promise.all([
      import('../../jobs/decisions/take-proposal.ts'),
      import('../../config/learned/add-learned.ts'),
      import('../rules/say-trial.ts'),
    ]);
    const { settings, id } = await findProposal(feed, options.try, ctx);
    if (settings === null)
      throw new OfferlineError('usage', `Proposal ${id} is a question to the supplier: there is nothing to try.`);
    const text = await learnedWith(loaded.file, feed, settings, 'tried');
    const { config } = await loadFor(command, io, 'reads', text);
    const { login } = config.feeds[feed]!;
    const answer = await sayTrial({ feed, login, within: undefined }, options, { ...ctx, config }, io);
    if (options.json === true) io.json(answer);
  });
}

async function decide(feed: string, options: Options & { reason: string }, command: Command, io: Io): Promise<void> {
  await toDecide(command, io, async ({ ctx, loaded }) => {
    assertKnown('feed', feed, Object.keys(ctx.config.feeds));
    const { findProposal, silenceProposal, takeProposal } = await import('../../jobs/decisions/take-proposal.ts');
    const proposal = await findProposal(feed, options.take ?? options.silence ?? '', ctx);
    const decision = decisionOf(options.reason);
    if (options.silence !== undefined) {
      await silenceProposal(proposal, decision, ctx);
      if (options.json === true) io.json({ ...proposal, silenced: true });
      else io.out(`Proposal ${proposal.id} for ${feed} is not shown any more: ${printable(proposal.says)}`);
      return;
    }
    const judge = async (learned: string) => {
      await loadFor(command, io, 'reads', learned);
    };
    const file = await takeProposal(proposal, { configFile: loaded.file, judge }, decision, ctx);
    if (options.json === true) return io.json({ ...proposal, taken: true, file });
    io.out(`Taken: ${printable(proposal.says)}`);
    io.out(`Written to ${file}. To see what it changes: offerline config diff ${feed}. Then restart \`offerline up\`.`);
  });
}

function linesOf({ id, feed, says, why, examples, settings }: Proposal, number: number): string[] {
  return [
    `${feed} ${number} (${id})  ${says}`,
    `  because ${why}`,
    ...(examples.length === 0 ? [] : [`  such as ${examples.join(', ')}`]),
    ...(settings === null ? [] : [`  feeds.${feed}: ${JSON.stringify(settings)}`]),
  ];
}
