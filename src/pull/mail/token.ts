import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { MailSource } from '../../config/schema/sources/mail.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { hideFromNowOn } from '../../wording/redact.ts';
import type { ServerPlace } from '../server/server.ts';

const run = promisify(execFile);

/**
 * The OAuth2 token of a mailbox, from its file or as its command prints it; asked for at each pull, because tokens end. Throws
 * `pull-failed` when there is none.
 */
export async function tokenOf(
  auth: Extract<MailSource['auth'], { type: 'token' }>,
  place: ServerPlace,
  signal?: AbortSignal,
): Promise<string> {
  const token = (await read(auth, place, signal)).trim();
  if (token === '' || /\s/u.test(token)) throw refusal(place, 'no token came: it must be one word');
  hideFromNowOn(token);
  return token;
}

async function read(
  { tokenFile, tokenCommand }: Extract<MailSource['auth'], { type: 'token' }>,
  place: ServerPlace,
  signal?: AbortSignal,
): Promise<string> {
  if (tokenFile !== undefined) {
    return readFile(tokenFile, 'utf8').catch((error: unknown) => {
      throw refusal(place, `${tokenFile} cannot be read (${messageOf(error)})`, error);
    });
  }
  const [program = '', ...args] = (tokenCommand ?? []).map((word) => word.reveal());
  const options = { timeout: place.timeout, maxBuffer: 1 << 20, ...(signal === undefined ? {} : { signal }) };
  try {
    return (await run(program, args, options)).stdout;
  } catch (error) {
    const facts = error as { code?: number | string; killed?: boolean };
    const how = facts.killed === true ? `took longer than ${place.timeout / 1000} s` : `ended with ${facts.code}`;
    // It may hold secrets, and so may what it wrote.
    throw refusal(place, `the command that prints the token (tokenCommand) ${how}`);
  }
}

function refusal({ url }: ServerPlace, what: string, cause?: unknown): OfferlineError {
  const message = `${url} was not asked: ${what}. Correct source.auth.`;
  return new OfferlineError('pull-failed', message, { cause, details: { url, status: 401 } });
}
