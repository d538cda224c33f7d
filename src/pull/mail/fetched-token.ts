import type { MailSource } from '../../config/schema/sources/mail.ts';
import { hideFromNowOn } from '../../wording/redact.ts';
import { accountGrant } from '../cloud/account-grant.ts';
import { appGrant } from '../cloud/app-grant.ts';
import { forgetToken, keptToken, type OAuth2, tokenFor, type TokenGrant } from '../http/oauth2.ts';
import { openWeb } from '../http/request.ts';
import type { ServerPlace } from '../server/server.ts';

/** The mailboxes of Microsoft 365, and those of Gmail, as their tokens name them. */
const MICROSOFT_MAIL = 'https://outlook.office365.com';
const GOOGLE_MAIL = 'https://mail.google.com/';

/** Credentials with which a token is fetched. */
type Fetching = Extract<MailSource['auth'], { type: 'oauth2' | 'app' | 'serviceAccount' }>;

/** True for credentials with which a token is fetched. */
export function isFetching(auth: MailSource['auth']): auth is Fetching {
  return auth.type === 'oauth2' || auth.type === 'app' || auth.type === 'serviceAccount';
}

/** The token of a mailbox, fetched where none is known that lasts. Throws `pull-failed`. */
export async function fetchedToken(auth: Fetching, place: ServerPlace, signal?: AbortSignal): Promise<string> {
  const grant = grantOf(auth, place);
  const { timeout } = place;
  const web = openWeb({ url: grant.tokenUrl, auth: grant, headers: {}, timeout, maxRedirects: 0, allowHosts: [] });
  try {
    const token = await tokenFor(grant, web, signal);
    // The mail server may repeat it.
    hideFromNowOn(token);
    return token;
  } finally {
    await web.close();
  }
}

/** True where a token is known that lasts, so that none is fetched. */
export function isTokenKept(auth: Fetching, place: ServerPlace): boolean {
  return keptToken(grantOf(auth, place)) !== undefined;
}

/** Forgets a token that the mail server refused. */
export function forgetFetched(auth: Fetching, place: ServerPlace): void {
  forgetToken(grantOf(auth, place));
}

function grantOf(auth: Fetching, place: ServerPlace): OAuth2 | TokenGrant {
  switch (auth.type) {
    case 'oauth2':
      return auth;
    case 'app':
      return appGrant(auth, MICROSOFT_MAIL);
    case 'serviceAccount':
      return accountGrant({ key: auth.key, scope: GOOGLE_MAIL, subject: auth.user }, place);
  }
}
