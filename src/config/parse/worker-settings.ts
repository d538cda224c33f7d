import { OfferlineError } from '../../errors.ts';
import type { Problem } from '../read/problem.ts';
import { inEnvironment } from '../read/server-addresses.ts';
import type { Config } from '../schema/schema.ts';
import { readLabels, readWorkerName } from '../schema/worker-schema.ts';

/** What the command line says of the worker of a process, as it is written there. */
export type NamedWorker = { name?: string | undefined; serves?: string | undefined };

type Reader<T> = (text: string) => { value: T } | { problem: string };

/**
 * How this process works: machines that share a configuration differ by the command line, which goes first, or by
 * OFFERLINE_WORKER_NAME and OFFERLINE_WORKER_SERVES. Throws `usage` for what the command line says wrongly.
 */
export function workerSettings(
  written: Config['worker'],
  asked: NamedWorker,
  env: NodeJS.ProcessEnv,
): { settings: Config['worker']; problems: Problem[] } {
  const problems: Problem[] = [];
  const fromEnvironment = <T>(variable: string, read: Reader<T>) => {
    const found = read(env[variable] ?? '');
    if ('value' in found) return found.value;
    problems.push(inEnvironment(variable, found.problem));
    return undefined;
  };
  const set = {
    name: env['OFFERLINE_WORKER_NAME'] ? fromEnvironment('OFFERLINE_WORKER_NAME', readWorkerName) : undefined,
    serves: env['OFFERLINE_WORKER_SERVES'] ? fromEnvironment('OFFERLINE_WORKER_SERVES', readLabels) : undefined,
  };
  return {
    settings: {
      ...written,
      name: fromCommand('--name', asked.name, readWorkerName) ?? set.name ?? written.name,
      serves: fromCommand('--serves', asked.serves, readLabels) ?? set.serves ?? written.serves,
    },
    problems,
  };
}

function fromCommand<T>(option: string, text: string | undefined, read: Reader<T>): T | undefined {
  if (text === undefined) return undefined;
  const found = read(text);
  if ('value' in found) return found.value;
  throw new OfferlineError('usage', `${option}: ${found.problem}.`);
}
