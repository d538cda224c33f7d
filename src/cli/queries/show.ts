import type { Command } from 'commander';
import { printable, printableText } from '../../wording/printable.ts';
import { showTime } from '../../wording/words.ts';
import type { Io } from '../io.ts';
import { RUN, readRun } from '../session.ts';

/** Adds `show`: everything about one run. */
export function define(program: Command, io: Io): void {
  program
    .command('show')
    .description('Show one run: its account, upload, receipt, rejections and timeline.')
    .argument('<run>', RUN)
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', '\nExample:\n  offerline show latest:north\n  offerline show 20261121-060000-k3f9x --json\n')
    .action((name: string, options: { json?: true }, command: Command) =>
      readRun(command, name, async (run, { ctx }) => {
        const { answerOf } = await import('../../jobs/queries/answer.ts');
        const answer = await answerOf(run, ctx);
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
