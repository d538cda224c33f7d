import type { Command } from 'commander';
import { OfferlineError } from '../../errors.ts';
import type { Calling } from './answer.ts';
import { collect } from '../collect.ts';
import type { Io } from '../io.ts';
import { loadFor } from '../session.ts';

type Options = {
  param?: string[];
  body?: string;
  login?: string;
  allPages?: true;
  out?: string;
  json?: true;
};

const HELP = `
Without an operation, lists them all with their parameters. It does not call \`offer/process\`: use \`offerline ingest\` to
upload, one file at a time.

Examples:
  offerline api
  offerline api search --param query="brake pad" --param size=5
  offerline api offer/list --all-pages --json
  offerline api offer/errors --param offerId=9007199254740993 --out rejected.txt
`;

/** Adds `api`: one call of any operation of the remote interface. */
export function define(program: Command, io: Io): void {
  program
    .command('api')
    .description('Call any operation of the remote interface, or list them.')
    .argument('[operation]', 'its name, such as search or offer/list; omit it to list all')
    .option('--param <name=value>', 'a parameter; may be repeated', collect)
    .option('--body <file>', 'parameters as a JSON object, for operations with a body')
    .option('--login <login>', 'the login whose credentials to use; required if there are several')
    .option('--all-pages', 'fetch all pages of a paged operation, not just one')
    .option('--out <file>', 'write the answer here; without it, a downloaded file goes to stdout')
    .option('--json', 'answer with one JSON value: the reply')
    .addHelpText('after', HELP)
    .action(async (name: string | undefined, options: Options, command: Command) => {
      if (name === undefined) return list(options, io);
      const { planCall } = await import('./plan-call.ts');
      const plan = await planCall(name, options);
      await withService(options.login, command, io, async (call) => {
        const { answer } = await import('./answer.ts');
        await answer(plan, options, call, io);
      });
    });
}

async function list(options: Options, io: Io): Promise<void> {
  const used = [options.param, options.body, options.out, options.allPages].some((one) => one !== undefined);
  if (used) throw new OfferlineError('usage', 'Name the operation; `offerline api` lists them.');
  const { listOperations, operationsAsJson } = await import('./list-operations.ts');
  if (options.json === true) io.json(operationsAsJson());
  else io.out(listOperations());
}

async function withService(
  login: string | undefined,
  command: Command,
  io: Io,
  work: (calling: Calling) => Promise<void>,
): Promise<void> {
  const loaded = await loadFor(command, io);
  const chosen = await loginOf(login, Object.keys(loaded.config.logins));
  const [{ createLog }, { NO_CALLS }, { openService }] = await Promise.all([
    import('../../log.ts'),
    import('../../ledger/calls/call-book.ts'),
    import('../../app/open-service.ts'),
  ]);
  const log = await createLog({ level: loaded.logLevel, ...io.log });
  const opened = await openService(loaded, log, NO_CALLS);
  try {
    await work({ service: await opened.service(chosen), sandbox: loaded.sandbox, signal: io.stopSignal() });
    if (loaded.sandbox) io.note('SANDBOX: the built-in sandbox answered, because service.baseUrl names no service.');
  } finally {
    await opened.close();
  }
}

async function loginOf(login: string | undefined, known: string[]): Promise<string> {
  const [only] = known;
  if (login === undefined && only !== undefined && known.length === 1) return only;
  if (login === undefined) {
    const which = known.length === 0 ? 'The configuration has no login.' : `Choose one: --login ${known.join(' | ')}.`;
    throw new OfferlineError('usage', which);
  }
  if (known.includes(login)) return login;
  const { advise } = await import('../../config/read/nearest.ts');
  throw new OfferlineError('usage', `There is no login "${login}"; ${advise(login, known)}`);
}
