import { join } from 'node:path';
import type { Command } from 'commander';
import { byThisUser } from '../decisions/decision.ts';
import type { Io } from '../io.ts';
import { RUN, withRun } from '../session.ts';
import { giveOut, markedOf } from './report.ts';

type Options = { out?: string };

/** Adds `supplier-mail`: a mail to the supplier of a run's file, ready to be opened and sent. */
export function define(program: Command, io: Io): void {
  program
    .command('supplier-mail')
    .description('Write a mail to the supplier with the rows to be corrected, as a draft for your mail program.')
    .argument('<run>', RUN)
    .option('--out <file>', 'write the .eml here; "-" writes it to stdout')
    .addHelpText(
      'after',
      '\nNothing is sent: open the .eml, look it over, and send it. The address is feeds.NAME.supplier.email.\n\n' +
        'Example:\n  offerline supplier-mail 20261121-060000-k3f9x --out correction.eml\n',
    )
    .action((name: string, options: Options, command: Command) =>
      withRun(command, io, name, async (id, { ctx }) => {
        const { isCorrection, writeSupplierMail, supplierAddress } =
          await import('../../jobs/queries/supplier-mail.ts');
        const { linkForMail } = await import('../../access/supplier-links.ts');
        const { reportFolder } = await import('../../jobs/queries/reports-here.ts');
        const { replaceFile } = await import('../../io/replace-file.ts');
        const { reportInput } = await import('../../jobs/queries/run-report.ts');
        const { getRun } = await import('../../ledger/runs/runs.ts');
        const run = await getRun(ctx.ledger.db, id);
        supplierAddress(run, ctx);
        const about = isCorrection(run)
          ? { run, input: await reportInput(run, ctx), marked: null }
          : await markedOf(id, ctx, io);
        const path = join(reportFolder(id, ctx), 'supplier-mail.eml');
        const page = await linkForMail(run.feed, byThisUser(), ctx);
        const draft = { marked: about.marked, from: null, page };
        await replaceFile(path, [await writeSupplierMail(about.run, about.input, draft, ctx)]);
        await giveOut(options.out, path, io);
      }),
    );
}
