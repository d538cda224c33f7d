import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { withSession } from '../session.ts';
import { giveOut, markedOf } from './report.ts';

type Options = { out?: string };

/** Adds `supplier-mail`: a mail to the supplier of a run's file, ready to be opened and sent. */
export function define(program: Command, io: Io): void {
  program
    .command('supplier-mail')
    .description('Write a mail to the supplier with the rows to be corrected, as a draft for your mail program.')
    .argument('<run>', 'the id of a run; see `offerline runs`')
    .option('--out <file>', 'write the .eml here; "-" writes it to stdout')
    .addHelpText(
      'after',
      '\nNothing is sent: open the .eml, look it over, and send it. The address is feeds.NAME.supplier.email.\n\n' +
        'Example:\n  offerline supplier-mail 20261121-060000-k3f9x --out correction.eml\n',
    )
    .action((id: string, options: Options, command: Command) =>
      withSession(command, async ({ ctx }) => {
        const { writeSupplierMail, supplierAddress } = await import('../../jobs/queries/supplier-mail.ts');
        const { replaceFile } = await import('../../io/replace-file.ts');
        const { getRun } = await import('../../ledger/runs/runs.ts');
        supplierAddress(await getRun(ctx.ledger.db, id), ctx);
        const { run, input, marked } = await markedOf(id, ctx);
        const path = join(dirname(marked.path), 'supplier-mail.eml');
        await replaceFile(path, [await writeSupplierMail(run, input, marked, null, ctx)]);
        await giveOut(options.out, path, io);
      }),
    );
}
