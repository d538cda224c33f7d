import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { withReader, withSession, type Session } from '../session.ts';

type Options = { out: string; offline?: true; json?: true };

const HELP = `
Writes NAME.md and NAME.zip. The zip has the text, the facts as record.json, the calls as calls.csv, the file that was sent and the
.errors file. Nothing of other logins is in them, and no credential; look them over before you send them.

Examples:
  offerline dossier main
  offerline dossier 9007199254740993 --out /tmp --offline
`;

/** Adds `dossier`: one upload, for the people of the service. */
export function define(program: Command, io: Io): void {
  program
    .command('dossier')
    .description(
      "Write down one upload for the service's people: ids, times, requests, states, what was sent and is shown.",
    )
    .argument('<upload>', 'an upload: its id, token or offer id; or a login: its open upload, else its newest')
    .option('--out <folder>', 'write the files here', '.')
    .option('--offline', 'do not ask the service what it shows now')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((name: string, options: Options, command: Command) => {
      const work = (session: Session) => write(name, options, session, io);
      return options.offline === true ? withReader(command, io, work) : withSession(command, io, work);
    });
}

async function write(name: string, options: Options, { ctx }: Session, io: Io): Promise<void> {
  const { gatherDossier } = await import('../../jobs/dossier/gather-dossier.ts');
  const { writeDossier } = await import('../../jobs/dossier/write-dossier.ts');
  const dossier = await gatherDossier(name, { offline: options.offline === true, signal: io.stopSignal() }, ctx);
  const { markdown, zip, files } = await writeDossier(dossier, options.out, ctx);
  const { upload, shown } = dossier;
  const notAsked = 'why' in shown ? shown.why : null;
  if (options.json === true) {
    const { id, login, offer_id: offerId, token, state } = upload;
    return io.json({ upload: id, login, offerId, token, state, markdown, zip, files, calls: dossier.total, notAsked });
  }
  io.out(`Written to ${markdown} and ${zip}`);
  for (const { name: file, why } of files) if (why !== null) io.note(`${file} is not in it: ${why}.`);
  if (notAsked !== null) io.note(`What the service shows now is not in it: ${notAsked}.`);
}
