import type { z } from 'zod';
import { alongPaths } from './along-paths.ts';
import { heldTo } from './call-options.ts';
import { checkParameters } from '../operation/check-parameters.ts';
import type { CallOptions, Client } from '../client.ts';
import { downloadOf, type Download } from './download.ts';
import { exchange, type WithResponse } from './exchange.ts';
import type { Call, Reply } from '../http/access.ts';
import { readWhole } from '../http/body.ts';
import { readJson } from '../http/read.ts';
import type { CommandForm, Operation } from '../operation/operation.ts';
import { repeat } from './repeat.ts';
import { requestOf } from './request.ts';

/** Calls an operation whose reply is a value; parameters and reply are checked against its schemas. */
export async function callForValue(
  operation: Operation,
  client: Client,
  given: unknown,
  options: CallOptions = {},
): Promise<WithResponse<unknown>> {
  const { reply: schema, command } = operation;
  if (schema === 'file') throw new TypeError(`${operation.name} answers with a file`);
  const held = heldTo(operation, client, options);
  try {
    if (command !== undefined && client.catalogForm === 'command') {
      return await callCommand({ ...operation, command, reply: schema }, client, given, held);
    }
    return await perform(operation, client, given, held, async (reply, call) =>
      readJson(call, (await readWhole(call, reply)).toString('utf8'), schema),
    );
  } finally {
    held.end();
  }
}

/** Calls an operation whose reply is a file, which must be read or destroyed. */
export async function callForFile(
  operation: Operation,
  client: Client,
  given: unknown,
  options: CallOptions = {},
): Promise<WithResponse<Download>> {
  const held = heldTo(operation, client, options);
  try {
    return await perform(operation, client, given, held, (reply, call) =>
      Promise.resolve(downloadOf(reply, call, held.end)),
    );
  } catch (error) {
    held.end();
    throw error;
  }
}

type Held = ReturnType<typeof heldTo>;

function perform<T>(
  operation: Operation,
  client: Client,
  given: unknown,
  { limits, sending }: Held,
  read: (reply: Reply, call: Call) => Promise<T>,
): Promise<WithResponse<T>> {
  const request = requestOf(operation, checkParameters(operation, given), client);
  const once = (attempt: number) =>
    alongPaths(operation, client, (path) =>
      exchange(operation, client, { ...request, path }, { ...sending, attempt }, read),
    );
  return repeat(once, limits, client);
}

async function callCommand(
  operation: Operation & { command: CommandForm; reply: z.ZodType },
  client: Client,
  given: unknown,
  { limits, sending }: Held,
): Promise<WithResponse<unknown>> {
  const { commandCall, readCommand } = await import('../command/command.ts');
  const request = commandCall(operation, checkParameters(operation, given), client);
  const read = (reply: Reply, call: Call) => readCommand(operation, call, reply);
  return repeat((attempt) => exchange(operation, client, request, { ...sending, attempt }, read), limits, client);
}
