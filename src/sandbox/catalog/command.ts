import type { IncomingMessage } from 'node:http';
import type { Call } from '../calls/call.ts';
import { Refusal, type Reply } from '../http/reply.ts';
import { readAsked } from './asked.ts';
import type { CatalogContext } from './context.ts';
import { CATALOG_OPERATIONS } from './operations.ts';
import { xmlDocument } from './xml.ts';

/** No command is longer. */
const MOST_BYTES = 64 * 1024;

const XML = { 'content-type': 'text/xml; charset=utf-8' };

/** Answers a line `Command:Name=value|Name=value` with XML, a refusal too. */
export async function answerCommand(ctx: CatalogContext, call: Call): Promise<Reply> {
  try {
    return { status: 200, text: reply(ctx, await readLine(call.request)), headers: XML };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, code, message, headers } = error;
    const text = xmlDocument('error', { '@code': code, '@requestid': call.requestId, '#text': message });
    return { status, text, headers: { ...headers, ...XML } };
  }
}

function reply(ctx: CatalogContext, line: string): string {
  const colon = line.indexOf(':');
  const name = colon === -1 ? line : line.slice(0, colon);
  const operation = CATALOG_OPERATIONS.find(({ command }) => command === name);
  if (operation === undefined) {
    const commands = CATALOG_OPERATIONS.map(({ command }) => command).join(', ');
    throw new Refusal(404, 'UNKNOWN_COMMAND', `There is no command ${name.slice(0, 100)}. Commands are ${commands}.`);
  }
  const given = colon === -1 ? [] : readPairs(line.slice(colon + 1), ctx.settings.commandValues);
  const { elements } = operation.run(ctx, readAsked('command', operation, given));
  return xmlDocument(operation.command, elements());
}

function readPairs(text: string, values: CatalogContext['settings']['commandValues']): [string, string][] {
  return text.split('|').map((pair) => {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new Refusal(400, 'INVALID_COMMAND', `Expected Name=value instead of ${pair.slice(0, 100)}.`);
    const value = pair.slice(equals + 1);
    return [pair.slice(0, equals), values === 'percent' ? decode(value) : value];
  });
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new Refusal(400, 'INVALID_COMMAND', `${value.slice(0, 100)} is not percent encoded.`);
  }
}

async function readLine(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Refusal(413, 'COMMAND_TOO_LONG', `A command has at most ${MOST_BYTES} bytes.`);
    chunks.push(chunk);
  }
  const line = Buffer.concat(chunks).toString('utf8').trim();
  if (line === '')
    throw new Refusal(400, 'INVALID_COMMAND', 'The body is a command such as FindVehicle:Locale=en_US|…');
  if (/[\r\n]/.test(line)) throw new Refusal(400, 'INVALID_COMMAND', 'A command is one line.');
  return line;
}
