import { Option, type Command } from 'commander';
import type { MailAnswer } from '../../jobs/alerts/mail-file.ts';
import { OfferlineError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { showTime } from '../../wording/words.ts';
import type { Io } from '../io.ts';
import { withReader, withSession } from '../session.ts';
import { wholeNumber } from './page-option.ts';
import { giveOut } from './report.ts';

type Options = { run?: string; limit: number; out?: string; json?: true };

const HELP = `
Without SMTP_URL mails are .eml files in the outbox of the machine that wrote them. Every machine can show them: with an id, or a
part of one that no other mail has, the path of the file in this home is printed, or a copy of it is written.

Examples:
  offerline mails --run latest:north
  offerline mails "20261121-060000-k3f9x live brakes@example.com" --out mail.eml
`;

/** Adds `mails`: which mails were written, where they went, and what they say. */
export function define(program: Command, io: Io): void {
  program
    .command('mails')
    .description('List mails, or print the path of one that went to the outbox.')
    .argument('[mail]', 'the id of a mail, or a part of it that no other has')
    .option('--run <run>', 'list only those about a run')
    .addOption(new Option('--limit <number>', 'how many are listed').default(20).argParser(wholeNumber))
    .option('--out <file>', 'write a copy of the mail here; "-" writes it to stdout')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((mail: string | undefined, options: Options, command: Command) => {
      if (mail === undefined) {
        if (options.out !== undefined) throw new OfferlineError('usage', '--out is for one mail: name it.');
        return withReader(command, io, ({ ctx }) => list(options, ctx, io));
      }
      if (options.run !== undefined) throw new OfferlineError('usage', '--run is for the list of mails: name no mail.');
      return withSession(command, io, ({ ctx }) => giveMail(mail, options, ctx, io));
    });
}

async function list({ run, limit, json }: Options, ctx: Context, io: Io): Promise<void> {
  const [{ newestMails }, { mailAnswer }, { idOfRun }] = await Promise.all([
    import('../../ledger/alerts/mails.ts'),
    import('../../jobs/alerts/mail-file.ts'),
    import('../../ledger/runs/named-run.ts'),
  ]);
  const { db } = ctx.ledger;
  const id = run === undefined ? undefined : await idOfRun(db, run);
  const mails = (await newestMails(db, { run: id, limit })).map((row) => mailAnswer(row, ctx));
  if (json === true) return io.json(mails);
  if (mails.length === 0) return io.out('No mails.');
  const { table } = await import('../table.ts');
  io.out(table(['at (UTC)', 'mail', 'state', 'where'], mails.map(cellsOf)));
}

function cellsOf({ at, id, state, where, error }: MailAnswer): string[] {
  return [showTime(at), id, state, where ?? error ?? ''];
}

async function giveMail(text: string, { out, json }: Options, ctx: Context, io: Io): Promise<void> {
  const [{ findMail }, { mailAnswer, mailFile }, { replaceFile }] = await Promise.all([
    import('../../ledger/alerts/mails.ts'),
    import('../../jobs/alerts/mail-file.ts'),
    import('../../io/replace-file.ts'),
  ]);
  const row = await findMail(ctx.ledger.db, text);
  if (row === undefined)
    throw new OfferlineError('not-found', `There is no single mail ${text}; \`offerline mails\` lists them.`);
  const { path, bytes } = await mailFile(row, ctx);
  if (row.message_sha !== null) await replaceFile(path, bytes);
  if (json === true) return io.json({ ...mailAnswer(row, ctx), path });
  await giveOut(out, path, io);
}
