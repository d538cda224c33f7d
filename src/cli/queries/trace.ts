import type { Command } from 'commander';
import type { LoginTrace } from '../../jobs/queries/trace-part.ts';
import { placeWords } from '../../wording/files/place.ts';
import { printable } from '../../wording/printable.ts';
import type { Io } from '../io.ts';
import { assertKnown } from './runs.ts';
import { withReader } from '../session.ts';

const HELP = `
Case, spaces, dashes and dots make no difference. Exits with 0 even if the part is not found.

Example:
  offerline trace BOSCH "0 986 424 797"
`;

/** Adds `trace`: where is my part? */
export function define(program: Command, io: Io): void {
  program
    .command('trace')
    .description(
      'Show where a part is: its line in each supplier file, what happened to it, which feed won, and whether it is live.',
    )
    .argument('<brand>', 'the brand')
    .argument('<number>', 'the article number')
    .option('--login <login>', 'only at this login')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((brand: string, oem: string, options: { login?: string; json?: true }, command: Command) =>
      withReader(command, async ({ ctx }) => {
        const logins = Object.keys(ctx.config.logins);
        assertKnown('login', options.login, logins);
        const { tracePart } = await import('../../jobs/queries/trace-part.ts');
        const traces: LoginTrace[] = [];
        for (const login of options.login === undefined ? logins : [options.login]) {
          traces.push(await tracePart({ brand, oem }, login, ctx));
        }
        if (options.json === true) io.json({ brand, oem, sandbox: ctx.sandbox, logins: traces });
        else for (const trace of traces) show(trace, io);
      }),
    );
}

function show(trace: LoginTrace, io: Io): void {
  const { login, live, winner, why, offerId, doubt, verified } = trace;
  const proof = verified === true ? ', verified by its receipt' : '';
  // Of a row that is in the upload and rejected there, the reason names it already.
  const named = winner === null ? ` (upload ${offerId})` : '';
  const upload = offerId === null ? '; nothing has been uploaded yet' : named;
  if (live) io.out(`${login}: live from ${winner} in upload ${offerId}${proof}`);
  else io.out(doubt === null ? `${login}: not live, ${why}${upload}` : `${login}: uncertain: ${why}`);
  for (const { feed, verdict, file, sheet, line, messages } of trace.feeds) {
    const row = line === null ? '' : ` ${printable(placeWords({ sheet, line }))}`;
    const place = file === null ? '' : `  ${printable(file)}${row}`;
    // While that is uncertain, no row is called live.
    const said = verdict === 'live' && doubt !== null ? 'was verified live' : verdict;
    io.out(`  ${feed.padEnd(12)}  ${said.padEnd(17)}${place}`);
    for (const message of messages) io.out(`  ${' '.repeat(12)}  ${printable(message)}`);
  }
}
