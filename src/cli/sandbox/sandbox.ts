import { join, resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { parseDuration } from '../../sandbox/duration.ts';
import type { Pace } from '../../sandbox/settings.ts';
import { collect } from '../collect.ts';
import type { Io } from '../io.ts';
import { demandFile, readFaults, readSettings } from './sandbox-files.ts';

type Options = {
  port: number;
  host: string;
  data?: string;
  pace?: Pace;
  indexTime?: number;
  seedOffers?: string;
  settings?: string;
  faults?: string;
  control?: true;
  authHeader?: string[];
  endWithParent?: true;
  json?: true;
};

const HELP = `
Every credential is accepted and gets its own dataset, unless the settings file lists the logins.
docs/sandbox.md describes the settings file, docs/sandbox-faults.md the faults and the control endpoint.

Examples:
  offerline sandbox
  offerline sandbox --port 0 --data /tmp/sandbox --pace 2s/30s
  offerline sandbox --faults examples/faults.yaml --control
  curl -F offersFile=@offers.txt http://127.0.0.1:8085/us2/public/offer/process
`;

/** Adds `sandbox`: the service, locally. */
export function define(program: Command, io: Io): void {
  program
    .command('sandbox')
    .description('Run the parts search service and the vehicle catalog on this machine.')
    .option('--port <number>', 'port to listen on; 0 picks a free one', parsePort, 8085)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data <folder>', 'where to keep its data (default: sandbox in OFFERLINE_HOME, or .offerline/sandbox)')
    .option(
      '--pace <queued/processing>',
      'how long an upload is queued and processed (default: 100ms/200ms)',
      parsePace,
    )
    .option('--index-time <duration>', 'how long indexing a vehicle takes (default: 300ms)', parseIndexTime)
    .option('--seed-offers <file>', 'offers that each login starts with')
    .option('--settings <file>', 'settings of the service, YAML or JSON')
    .option('--faults <file>', 'faults to inject, YAML or JSON')
    .option('--control', 'serve /control to this machine: faults, the clock, received uploads')
    .option('--auth-header <name>', 'a header that carries a credential; may be repeated', collect)
    .option('--end-with-parent', 'exit when standard input closes')
    .option('--json', 'print {"url":…,"data":…} when ready')
    .addHelpText('after', HELP)
    .action(async (options: Options, command: Command) => {
      const home = command.optsWithGlobals<{ home?: string }>().home ?? io.env['OFFERLINE_HOME'] ?? '.offerline';
      await serve({ ...options, data: resolve(options.data ?? join(home, 'sandbox')) }, io);
    });
}

async function serve(options: Options & { data: string }, io: Io): Promise<void> {
  const { createLog } = await import('../../log.ts');
  const log = await createLog({ level: io.env['LOG_LEVEL'] ?? 'info', ...io.log });
  const settings = await readSettings(options);
  const faults = options.faults === undefined ? [] : await readFaults(options.faults);
  const control = options.control === true;
  const { startSandbox } = await import('../../sandbox/server.ts');
  const { port, host, data: dataDir, pace = {}, indexTime, seedOffers } = options;
  if (seedOffers !== undefined) await demandFile('--seed-offers', seedOffers);
  const given = { ...(indexTime !== undefined && { indexTime }), ...(seedOffers !== undefined && { seedOffers }) };
  const sandbox = await startSandbox({ port, host, dataDir, pace, ...given, settings, faults, control, log }).catch(
    (error: unknown) => {
      throw explain(error, options);
    },
  );
  endOnRequest(sandbox, options.endWithParent === true);
  if (options.json === true) io.json({ url: sandbox.url, data: dataDir });
  else io.out(`The sandbox is running at ${sandbox.url}; its data is in ${dataDir}`);
}

function endOnRequest(sandbox: Sandbox, withParent: boolean): void {
  let ending: Promise<void> | undefined;
  const end = () => {
    process.stdin.unref?.();
    ending ??= sandbox.close();
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  if (!withParent) return;
  process.stdin.once('end', end).once('close', end).once('error', end).resume();
}

function explain(error: unknown, { port, host, data }: Options): unknown {
  const because = (message: string) => new OfferlineError('conflict', message, { cause: error });
  switch (systemCode(error) ?? '') {
    case 'EADDRINUSE':
      return because(`Port ${port} on ${host} is in use. Choose another with --port, or use --port 0 for a free one.`);
    case 'EACCES':
      return because(`This user may not use port ${port} on ${host} or the folder ${data}. ${messageOf(error)}`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return because(`${host} is not an address of this machine. Choose one with --host.`);
    case 'EBUSY':
      return because(`${messageOf(error)} Stop that one, or choose another folder with --data.`);
    case 'EINVAL':
      return because(`${messageOf(error)} Remove it to start afresh, or choose another folder with --data.`);
    case 'EEXIST':
    case 'ENOTDIR':
      return because(`${data} cannot hold the sandbox's data. Choose a folder with --data. ${messageOf(error)}`);
    default:
      return error;
  }
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65_535) throw new InvalidArgumentError('Expected a number from 0 to 65535.');
  return port;
}

function parsePace(text: string): Pace {
  const [queued, processing, ...rest] = text.split('/').map(parseDuration);
  if (queued !== undefined && processing !== undefined && rest.length === 0) return { queued, processing };
  throw new InvalidArgumentError('Expected two durations such as 100ms/200ms, 2s/30s or 0s/1m.');
}

function parseIndexTime(text: string): number {
  const duration = parseDuration(text);
  if (duration !== undefined) return duration;
  throw new InvalidArgumentError('Expected a duration such as 250ms, 5s or 15m.');
}
