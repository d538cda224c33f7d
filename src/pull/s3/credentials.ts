import { readFile } from 'node:fs/promises';
import type { S3Source } from '../../config/schema/sources/s3.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { hideFromNowOn } from '../../wording/redact.ts';
import type { ServerPlace } from '../server/server.ts';

/** Keys that sign requests. */
export type S3Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

/**
 * The keys of a source, read at each pull, because those of a session end. Throws `pull-failed` when there are none, with
 * what to set.
 */
export async function credentialsOf({ auth }: Pick<S3Source, 'auth'>, place: ServerPlace): Promise<S3Credentials> {
  const found = await read(auth, place);
  for (const text of [found.secretAccessKey, found.sessionToken]) if (text !== undefined) hideFromNowOn(text);
  return found;
}

async function read(auth: S3Source['auth'], place: ServerPlace): Promise<S3Credentials> {
  switch (auth.type) {
    case 'basic': {
      const { sessionToken } = auth;
      const token = sessionToken === undefined ? {} : { sessionToken: sessionToken.reveal() };
      return { accessKeyId: auth.user, secretAccessKey: auth.password.reveal(), ...token };
    }
    case 'environment':
      // The keys were not there when the configuration was read.
      throw refusal(place, 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set; set them, or write source.auth');
    case 'profile': {
      const { file, profile: name } = auth;
      const profile = profileIn(await textOf(file, place), name);
      const keys = profile === undefined ? undefined : keysIn((key) => profile.get(key));
      if (keys !== undefined) return keys;
      throw refusal(
        place,
        `${file} has no profile "${name}" with keys; correct source.auth.profile, or write the profile`,
      );
    }
  }
}

/** Keys by the names that they have in a credentials file. */
function keysIn(valueOf: (name: string) => string | undefined): S3Credentials | undefined {
  const [accessKeyId, secretAccessKey] = [valueOf('aws_access_key_id'), valueOf('aws_secret_access_key')];
  const sessionToken = valueOf('aws_session_token');
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

async function textOf(file: string, place: ServerPlace): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const why = systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${messageOf(error)})`;
    throw refusal(place, `${file} ${why}; correct source.auth.file`, error);
  }
}

/** A section of an INI file, as `aws configure` writes it. */
function profileIn(text: string, name: string): Map<string, string> | undefined {
  let section: Map<string, string> | undefined;
  const sections = new Map<string, Map<string, string>>();
  for (const line of text.split(/\r?\n/u)) {
    const title = /^\s*\[\s*(?:profile\s+)?([^\]]*?)\s*\]/u.exec(line)?.[1];
    const [, key, value] = /^\s*([A-Za-z_]+)\s*=\s*(.*?)\s*$/u.exec(line) ?? [];
    if (title !== undefined) sections.set(title, (section = new Map()));
    else if (key !== undefined && value !== undefined) section?.set(key.toLowerCase(), value);
  }
  return sections.get(name);
}

function refusal({ url }: ServerPlace, what: string, cause?: unknown): OfferlineError {
  return new OfferlineError('pull-failed', `${url} was not asked: ${what}.`, { cause, details: { url, status: 401 } });
}
