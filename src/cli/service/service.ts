import type { Command } from 'commander';
import type { ServiceFigures, ServiceMonth } from '../../jobs/dossier/service-figures.ts';
import type { Io } from '../io.ts';
import { withReader } from '../session.ts';
import { readSince, type Since } from '../since.ts';

type Options = { since?: Since; json?: true };

const USUAL = '90d';

const HELP = `
Months are those of UTC. Time to process runs from the reply that took an upload to the look that found it processed; stalls are
incidents of stalled uploads; 4xx, 5xx and no reply are calls. What is older than keep.reports is not counted.

Examples:
  offerline service --since 180d
  offerline service --since 2026-09-01 --json
`;

/** Adds `service`: how the service did, by month. */
export function define(program: Command, io: Io): void {
  program
    .command('service')
    .description('Show how the service did by month: time to process, stalls, aborted uploads, errors.')
    .option('--since <time>', `how long ago, such as ${USUAL} (which is usual), or a date`, readSince)
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((options: Options, command: Command) =>
      withReader(command, io, async ({ ctx }) => {
        const { figuresAnswer, serviceFigures } = await import('../../jobs/dossier/service-figures.ts');
        const figures = await serviceFigures((options.since ?? readSince(USUAL))(ctx.clock.now()), ctx);
        if (options.json === true) return io.json(figuresAnswer(figures));
        io.out(await asTable(figures));
      }),
    );
}

async function asTable({ months }: ServiceFigures): Promise<string> {
  if (months.length === 0) return 'Nothing was uploaded in this period.';
  const { table } = await import('../table.ts');
  const { grouped } = await import('../../wording/words.ts');
  const counts = ['uploads', 'lines', 'stalls', 'failed', 'aborted', '4xx', '5xx', 'no reply'];
  const head = ['month', 'uploads', 'lines', 'median s/1000', 'p95 s/1000', ...counts.slice(2)];
  const rows = months.map((month: ServiceMonth) => {
    const { uploads, lines, perThousand, stalls, failed, aborted, status4xx, status5xx, noReply } = month;
    const times = [perThousand.median, perThousand.p95].map((ms) => (ms === null ? '-' : (ms / 1000).toFixed(2)));
    const [sent = '', all = '', ...others] = [
      uploads,
      lines,
      stalls,
      failed,
      aborted,
      status4xx,
      status5xx,
      noReply,
    ].map((count) => grouped(count));
    return [month.month, sent, all, ...times, ...others];
  });
  return table(head, rows, { numeric: head.slice(1) });
}
