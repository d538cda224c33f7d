import { sign } from 'node:crypto';
import { systemClock } from '../../clock.ts';
import { accountKeyOf } from '../../config/schema/sources/account-key.ts';
import type { Secret } from '../../config/secrets/secret.ts';
import type { TokenGrant } from '../http/oauth2.ts';
import { pullError } from '../http/errors.ts';
import type { ServerPlace } from '../server/server.ts';

/** The longest that Google lets an assertion last, in seconds. */
const LASTS = 3600;

/** What a service account wants to do, and for whom it acts. */
type Acting = { key: Secret; scope: string; subject: string | undefined };

/** How a service account asks for its token: with an assertion that it signs (RFC 7523). Throws `pull-failed` where the key is none. */
export function accountGrant({ key: written, scope, subject }: Acting, place: ServerPlace): TokenGrant {
  const key = accountKeyOf(written.reveal());
  if (key === undefined) throw pullError(place, 'was not asked: source.auth.key is no key of a service account.');
  const { email, keyId, privateKey, tokenUrl } = key;
  return {
    type: 'grant',
    tokenUrl,
    identity: [email, privateKey, scope, subject ?? ''],
    form: () => {
      const now = Math.floor(systemClock.now() / 1000);
      const header = { alg: 'RS256', typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) };
      const acting = subject === undefined ? {} : { sub: subject };
      const claims = { iss: email, scope, aud: tokenUrl, iat: now, exp: now + LASTS, ...acting };
      const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      const signature = sign('sha256', Buffer.from(signed), privateKey).toString('base64url');
      return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: `${signed}.${signature}` };
    },
    advice: (error, description) => adviceOn(error, description, subject),
  };
}

function adviceOn(error: string, description: string, subject: string | undefined): string | undefined {
  if (error === 'unauthorized_client' && subject !== undefined) {
    return 'the service account may not act for the person; have domain-wide delegation allowed for it (its ID, and the scope), or correct source.auth';
  }
  if (/\biat\b|timeframe/u.test(description))
    return 'it refused the time of the request; correct the clock of this machine';
  if (/signature/iu.test(description)) {
    return 'the key is none of the service account, or no longer; make a new one, and write it into source.auth.key';
  }
  return /account not found/iu.test(description)
    ? 'there is no such service account; correct source.auth.key'
    : undefined;
}
