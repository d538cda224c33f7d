import { readFile } from 'node:fs/promises';
import type { S3Source } from '../../config/schema/sources/s3.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { keysOfProfile, type S3Keys } from '../../io/s3/keys.ts';
import { hideFromNowOn } from '../../wording/redact.ts';
import type { ServerPlace } from '../server/server.ts';

/**
 * The keys of a source, read at each pull, because those of a session end. Throws `pull-failed` when there are none, with
 * what to set.
 */
export async function credentialsOf({ auth }: Pick<S3Source, 'auth'>, place: ServerPlace): Promise<S3Keys> {
  const found = await read(auth, place);
  for (const text of [found.secretAccessKey, found.sessionToken]) if (text !== null) hideFromNowOn(text);
  return found;
}

async function read(auth: S3Source['auth'], place: ServerPlace): Promise<S3Keys> {
  switch (auth.type) {
    case 'basic': {
      const sessionToken = auth.sessionToken?.reveal() ?? null;
      return { accessKeyId: auth.user, secretAccessKey: auth.password.reveal(), sessionToken };
    }
    case 'environment':
      // The keys were not there when the configuration was read.
      throw refusal(place, 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set; set them, or write source.auth');
    case 'profile': {
      const { file, profile: name } = auth;
      const keys = keysOfProfile(await textOf(file, place), name);
      if (keys !== undefined) return keys;
      throw refusal(
        place,
        `${file} has no profile "${name}" with keys; correct source.auth.profile, or write the profile`,
      );
    }
  }
}

async function textOf(file: string, place: ServerPlace): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const why = systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${messageOf(error)})`;
    throw refusal(place, `${file} ${why}; correct source.auth.file`, error);
  }
}

function refusal({ url }: ServerPlace, what: string, cause?: unknown): OfferlineError {
  return new OfferlineError('pull-failed', `${url} was not asked: ${what}.`, { cause, details: { url, status: 401 } });
}
