import { Option, type Command } from 'commander';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { GROUPS, type RowGroup } from '../../jobs/rows/run-rows.ts';
import { printable, printableText } from '../../wording/printable.ts';
import { showTime } from '../../wording/words.ts';
import type { Io } from '../io.ts';
import { RUN, readRun } from '../session.ts';
import { bringReports } from '../running/bring-reports.ts';
import { wholeNumber } from './page-option.ts';

type Options = { rows?: RowGroup; search?: string; page?: number; json?: true };

/** Adds `show`: everything about one run. */
export function define(program: Command, io: Io): void {
  program
    .command('show')
    .description('Show one run: its account, upload, receipt, rejections and timeline.')
    .argument('<run>', RUN)
    .addOption(new Option('--rows <group>', 'show the rows behind a number of its account instead').choices(GROUPS))
    .option('--search <text>', 'of these only rows with this in their brand, number (in any spelling) or name')
    .option('--page <number>', 'the page of them: 50 rows each', wholeNumber)
    .option('--json', 'answer with one JSON value')
    .addHelpText(
      'after',
      '\nExample:\n  offerline show latest:north\n  offerline show 20261121-060000-k3f9x --json\n  offerline show latest:north --rows rejectedRemotely --search bosch\n',
    )
    .action((name: string, options: Options, command: Command) =>
      readRun(command, io, name, async (run, { ctx }) => {
        if (options.rows !== undefined) return rowsOf(run, options.rows, options, ctx, io);
        if (options.search !== undefined || options.page !== undefined)
          throw new OfferlineError('usage', '--search and --page are for the rows of a run: add --rows GROUP.');
        const { answerOf } = await import('../../jobs/queries/answer.ts');
        const answer = await answerOf(run, ctx);
        await bringReports(answer, ctx);
        if (options.json === true) return io.json(answer);
        const [{ showAnswer, paintOutcome }, { eventsOf }, { fitText }] = await Promise.all([
          import('./show-answer.ts'),
          import('../../ledger/runs/runs.ts'),
          import('../fit.ts'),
        ]);
        const events = await eventsOf(ctx.ledger.db, run);
        io.styled(paintOutcome(printableText(fitText(showAnswer(answer))), answer, io.color));
        io.out('\nTimeline (UTC)');
        for (const event of events)
          io.out(fitText(`  ${showTime(event.at)}  ${event.stage.padEnd(7)}  ${printable(event.message)}`));
      }),
    );
}

async function rowsOf(run: string, group: RowGroup, options: Options, ctx: Context, io: Io): Promise<void> {
  const { search = '', page = 1, json } = options;
  const { rowsOfRun } = await import('../../jobs/rows/rows-of-run.ts');
  const found = await rowsOfRun(run, { group, search, page }, ctx);
  if (json === true) return io.json(found);
  const [{ showRows }, { fitText }] = await Promise.all([import('./show-rows.ts'), import('../fit.ts')]);
  io.out(fitText(showRows(found)));
}
