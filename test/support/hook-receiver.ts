import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from './http-server.ts';

/** A message as a receiver has it. */
export type Received = {
  headers: IncomingHttpHeaders;
  body: string;
  /** The body as JSON. */
  payload: { type: string; timestamp: string; seq: number | null; sandbox: boolean; data: Record<string, unknown> };
};

/** What a receiver does with a message: answer with a status, or something worse. */
export type Behaviour = (response: ServerResponse, received: Received) => void;

/** A real receiver of hooks, which keeps what comes. */
export type Receiver = { url: string; received: Received[] };

/** Starts a receiver on a free port of 127.0.0.1. */
export async function receiveHooks(behave: Behaviour = answering(204)): Promise<Receiver> {
  const received: Received[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const one = { headers: request.headers, body, payload: JSON.parse(body) as Received['payload'] };
    received.push(one);
    behave(response, one);
  };
  const { url } = await serve((request, response) => void take(request, response));
  return { url, received };
}

/** Answers with a status. */
export function answering(status: number, headers: Record<string, string> = {}, said = ''): Behaviour {
  return (response) => response.writeHead(status, headers).end(said);
}

/** Answers with one status after the other, and from then on with the last one. */
export function answeringInTurn(...statuses: [number, ...number[]]): Behaviour {
  const left = [...statuses];
  return (response) => response.writeHead((left.length > 1 ? left.shift() : left[0])!).end();
}

/** Whether a message is signed with a secret: written from the specification of Standard Webhooks, not with the code that signs. */
export function isSigned({ headers, body }: Pick<Received, 'headers' | 'body'>, secret: string): boolean {
  const key = Buffer.from(secret.split('_')[1]!, 'base64');
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = createHmac('sha256', key).update(content, 'utf8').digest('base64');
  return String(headers['webhook-signature'])
    .split(' ')
    .some((one) => one === `v1,${expected}`);
}

/** A secret for tests. */
export const HOOK_SECRET = `whsec_${Buffer.alloc(32, 'k').toString('base64')}`;
