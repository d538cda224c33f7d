import type { Estimate } from '../../model.ts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ScorecardInput } from '../../report/scorecard/input.ts';
import type { Measure, Score } from '../../report/scorecard/measure.ts';
import type { Io } from '../io.ts';
import { withReader } from '../session.ts';
import { assertKnown } from './runs.ts';

type Options = { since: number; format?: 'html' | 'csv' | 'json'; out?: string; json?: true };

const DAY_MS = 86_400_000;

const HELP = `
On time, complete, clean, stable: docs/scorecard.md defines each. The html page has the definitions and the runs behind
each number; --since is the period, and the trend compares it with the one before.

Examples:
  offerline scorecard --since 90d
  offerline scorecard north --format html --out north.html
`;

/** Adds `scorecard`: how suppliers delivered, measured. */
export function define(program: Command, io: Io): void {
  program
    .command('scorecard')
    .description('Score suppliers: on time, complete, clean, stable, time to recovery; with trend and rank.')
    .argument('[feed]', 'only this feed; its rank is still that among all')
    .addOption(new Option('--since <period>', 'how far back, in days').argParser(days).default(90 * DAY_MS, '90d'))
    .addOption(new Option('--format <format>', 'a file instead of a table').choices(['html', 'csv', 'json']))
    .option('--out <file>', 'write it here; "-" and nothing write to stdout')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((feed: string | undefined, options: Options, command: Command) =>
      withReader(command, io, async ({ ctx }) => {
        const feeds = Object.keys(ctx.config.feeds);
        assertKnown('feed', feed, feeds);
        const { scorecard } = await import('../../jobs/queries/scorecard.ts');
        const { openLanguage } = await import('../../wording/language/language.ts');
        const to = ctx.clock.now();
        const language = openLanguage(ctx.config.mail.language, ctx.config.mail.daily.timezone);
        const all = await scorecard({ from: to - options.since, to, feeds, language }, ctx);
        const scores = all.scores.filter((score) => feed === undefined || score.feed === feed);
        await give({ ...all, scores }, options, io);
      }),
    );
}

async function give(input: ScorecardInput, { format, out, json }: Options, io: Io): Promise<void> {
  const wanted = json === true ? 'json' : format;
  if (wanted === undefined && out === undefined) return io.out(await asTable(input));
  const text = await written(input, wanted ?? 'html');
  if (out === undefined || out === '-') return io.out(text.trimEnd());
  const { writeOutput } = await import('../files/output-file.ts');
  await writeOutput('--out', out, [text]);
  io.note(`Written to ${out}`);
}

async function written(input: ScorecardInput, format: 'html' | 'csv' | 'json'): Promise<string> {
  if (format === 'json') return `${JSON.stringify(jsonOf(input), null, 2)}\n`;
  if (format === 'csv') return (await import('../../report/scorecard/csv.ts')).scorecardCsv(input);
  return (await import('../../report/scorecard/page.ts')).scorecardPage(input);
}

/** The JSON answer: everything behind the scores. */
function jsonOf({ from, to, scores, sandbox }: ScorecardInput) {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), sandbox, suppliers: scores };
}

async function asTable({ scores }: ScorecardInput): Promise<string> {
  const { table } = await import('../table.ts');
  if (scores.length === 0) return 'No feeds are configured.';
  const numeric = ['rank', 'overall', 'trend', 'on time', 'complete', 'clean', 'stable', 'known', 'deliveries'];
  const head = [
    'rank',
    'supplier',
    'overall',
    'trend',
    'on time',
    'complete',
    'clean',
    'stable',
    'recovery',
    'known',
    'deliveries',
  ];
  const rows = scores.map((score: Score) => {
    const { rank, name, overall, trend, measures, recovery, known, deliveries } = score;
    const shares = [measures.onTime, measures.complete, measures.clean, measures.stable];
    return [
      rank === null ? '-' : String(rank),
      name,
      percentOf(overall),
      trend === null ? '-' : `${trend > 0 ? '+' : ''}${(trend * 100).toFixed(1)}`,
      ...shares.map(({ share }: Measure) => percentOf(share)),
      recovery.median === null ? '-' : `${(recovery.median / 3_600_000).toFixed(1)} h`,
      knownText(known),
      String(deliveries),
    ];
  });
  return table(head, rows, { numeric });
}

function knownText(known: Estimate | null): string {
  if (known === null || known.from === known.to) return percentOf(known?.share ?? null);
  return `${percentOf(known.share)} (${percentOf(known.from)} to ${percentOf(known.to)})`;
}

function percentOf(share: number | null): string {
  return share === null ? '-' : `${(share * 100).toFixed(1)}%`;
}

function days(text: string): number {
  const match = /^(\d{1,4})d$/.exec(text);
  if (match === null || Number(match[1]) === 0) {
    throw new InvalidArgumentError('Write a number of days from 1d to 9999d, such as 90d.');
  }
  return Number(match[1]) * DAY_MS;
}
