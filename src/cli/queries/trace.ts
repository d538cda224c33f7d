import type { Command } from 'commander';
import type { PartChange, PartHistory } from '../../jobs/rows/history-of-part.ts';
import type { LoginTrace } from '../../jobs/queries/trace-part.ts';
import { OfferlineError } from '../../errors.ts';
import { placeWords } from '../../wording/files/place.ts';
import { printable } from '../../wording/printable.ts';
import { moment } from '../../wording/words.ts';
import type { Io } from '../io.ts';
import { assertKnown } from './runs.ts';
import { withReader } from '../session.ts';

type Options = { login?: string; history?: true; json?: true };

/** A trace, with the history where that is asked for. */
type Traced = LoginTrace & { history?: PartHistory };

const HELP = `
Case, spaces, dashes and dots are ignored. Exits with 0 even if the part is not found.

Example:
  offerline trace BOSCH "0 986 424 797"
  offerline trace BOSCH "0 986 424 797" --history
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
    .option('--history', 'also in which uploads it came, changed and went, as far as datasets are kept')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((brand: string, oem: string, options: Options, command: Command) =>
      withReader(command, io, async ({ ctx }) => {
        if (brand.trim() === '' || oem.trim() === '')
          throw new OfferlineError(
            'usage',
            'The brand or the number is empty: write both, as in the example of --help.',
          );
        const logins = Object.keys(ctx.config.logins);
        assertKnown('login', options.login, logins);
        const { tracePart } = await import('../../jobs/queries/trace-part.ts');
        const { historyOfPart } = await import('../../jobs/rows/history-of-part.ts');
        const traces: Traced[] = [];
        for (const login of options.login === undefined ? logins : [options.login]) {
          const trace = await tracePart({ brand, oem }, login, ctx);
          const history = options.history === true ? await historyOfPart(brand, oem, { login }, ctx) : undefined;
          traces.push(history === undefined ? trace : { ...trace, history });
        }
        if (options.json === true) return io.json({ brand, oem, sandbox: ctx.sandbox, logins: traces });
        for (const trace of traces) {
          show(trace, io);
          if (trace.history !== undefined) showHistory(trace.history, io);
        }
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
  if (trace.found !== null) io.out(printable(`  ${foundWords(trace.found)}`));
  const width = Math.max(12, ...trace.feeds.map(({ feed }) => feed.length));
  for (const { feed, verdict, file, sheet, line, messages } of trace.feeds) {
    const row = line === null ? '' : ` ${printable(placeWords({ sheet, line }))}`;
    const place = file === null ? '' : `  ${printable(file)}${row}`;
    // While that is uncertain, no row is called live.
    const said = verdict === 'live' && doubt !== null ? 'was verified live' : verdict;
    io.out(`  ${feed.padEnd(width)}  ${said.padEnd(17)}${place}`);
    for (const message of messages) io.out(`  ${' '.repeat(width)}  ${printable(message)}`);
  }
}

function foundWords({ at, found, knownAs }: NonNullable<LoginTrace['found']>): string {
  const said = {
    known: 'its reference database knows it',
    'other-brand': `its reference database knows the number as ${knownAs}`,
    own: 'it is found, and only what the file says of it is known',
    missing: 'it is not found',
  }[found];
  return `asked on ${moment(Date.parse(at))}, the search says: ${said}`;
}

function showHistory({ login, since, uploads, changes, notes }: PartHistory, io: Io): void {
  const kept = since === null ? 'no dataset is kept' : `${uploads} kept uploads, the oldest of ${moment(since)}`;
  io.out(`  History at ${login}: ${kept}`);
  for (const change of changes) for (const text of changeLines(change)) io.out(printable(`  ${text}`));
  for (const note of notes) io.out(printable(`  ${note}`));
}

function changeLines({ change, upload, offerId, at, state, differs }: PartChange): string[] {
  const head = `${moment(at)}  ${change.padEnd(7)}`;
  const inUpload = `in upload ${offerId ?? upload}`;
  if (state === null) return [`${head}  ${inUpload}`];
  const { place, cells, rejected } = state;
  const what = change === 'changed' ? `  ${differs.join(', ')}` : '';
  const row = `${place.feed}, ${place.file ?? 'its file'}, ${placeWords({ sheet: place.sheet, line: place.line })}: ${Object.values(
    cells,
  )
    .filter((cell) => cell !== '')
    .join(' | ')}`;
  return [`${head}  ${inUpload}${what}`, `  ${row}`, ...rejected.map(({ message }) => `  rejected there: ${message}`)];
}
