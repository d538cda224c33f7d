import { PassThrough, type Readable } from 'node:stream';
import type { z } from 'zod';
import { OfferlineError } from '../../errors.ts';
import { alongPaths } from './along-paths.ts';
import { checkParameters } from '../operation/check-parameters.ts';
import type { CallOptions, Client } from '../client.ts';
import type { Access, Call, Reply } from '../http/access.ts';
import { readWhole } from '../http/body.ts';
import { isSuccess, readJson } from '../http/read.ts';
import { refusal } from '../http/refusal.ts';
import { send, unreachable } from '../http/send.ts';
import type { CommandForm, Operation } from '../operation/operation.ts';
import { interrupted, repeat } from './repeat.ts';
import { requestOf } from './request.ts';

/** Calls an operation whose reply is a value; parameters and reply are checked against its schemas. */
export function callForValue(
  operation: Operation,
  client: Client,
  given: unknown,
  options: CallOptions = {},
): Promise<unknown> {
  const { reply: schema, command } = operation;
  if (schema === 'file') throw new TypeError(`${operation.name} answers with a file`);
  if (command !== undefined && client.catalogForm === 'command') {
    return callCommand({ ...operation, command, reply: schema }, client, given, options);
  }
  return perform(operation, client, given, options, async (reply, call) =>
    readJson(call, (await readWhole(call, reply)).toString('utf8'), schema),
  );
}

/** Calls an operation whose reply is a file, which must be read or destroyed. */
export function callForFile(
  operation: Operation,
  client: Client,
  given: unknown,
  options: CallOptions = {},
): Promise<Readable> {
  return perform(operation, client, given, options, (reply, call) => Promise.resolve(fileOf(reply, call)));
}

/** The body of a reply; where it breaks off or is given up, the reader gets an OfferlineError as from any call. */
function fileOf({ body }: Reply, call: Call): Readable {
  const file = new PassThrough();
  body.on('error', (error) => {
    const isGivenUp = call.signal?.aborted === true;
    file.destroy(isGivenUp ? interrupted(error) : unreachable(call, 'the reply was cut off', error));
  });
  file.on('close', () => body.destroy());
  return body.pipe(file);
}

async function perform<T>(
  operation: Operation,
  client: Client,
  given: unknown,
  { signal }: CallOptions,
  read: (reply: Reply, call: Call) => Promise<T>,
): Promise<T> {
  const request = requestOf(operation, checkParameters(operation, given), client);
  const once = (path: string) => exchange(operation, client, { ...request, path }, signal, read);
  return repeat(() => alongPaths(operation, client, once), timesOf(operation, client), client, signal);
}

async function callCommand(
  operation: Operation & { command: CommandForm; reply: z.ZodType },
  client: Client,
  given: unknown,
  { signal }: CallOptions,
): Promise<unknown> {
  const { commandCall, readCommand } = await import('../command/command.ts');
  const request = commandCall(operation, checkParameters(operation, given), client);
  const read = (reply: Reply, call: Call) => readCommand(operation, call, reply);
  const once = () => exchange(operation, client, request, signal, read);
  return repeat(once, timesOf(operation, client), client, signal);
}

function timesOf({ repeatable }: Operation, { retries }: Client): number {
  return repeatable ? retries : 0;
}

/** One request and its reply; the one place that logs them. */
async function exchange<T>(
  operation: Operation,
  client: Client,
  call: Call,
  signal: AbortSignal | undefined,
  read: (reply: Reply, call: Call) => Promise<T>,
): Promise<T> {
  const access = accessOf(operation, client);
  const started = client.clock.now();
  const known = { operation: operation.name, method: call.method, path: call.path };
  let status: number | null = null;
  try {
    const whole = signal === undefined ? call : { ...call, signal };
    const reply = await send(access, whole);
    ({ status } = reply);
    if (!isSuccess(reply)) throw await refusal(whole, reply);
    const answer = await read(reply, whole);
    client.log.debug({ ...known, status, ms: client.clock.now() - started }, 'service called');
    return answer;
  } catch (error) {
    const code = error instanceof OfferlineError ? error.code : 'internal';
    client.log.debug({ ...known, status, ms: client.clock.now() - started, code }, 'service call failed');
    throw error;
  }
}

/** The address of an operation's group. */
function accessOf({ group }: Operation, client: Client): Access {
  return group === 'catalog' ? client.catalogAccess : client.access;
}
