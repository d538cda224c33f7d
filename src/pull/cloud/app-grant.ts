import { type AppAuth, MICROSOFT_LOGIN } from '../../config/schema/sources/graph.ts';
import type { TokenGrant } from '../http/oauth2.ts';
import { trimEnd } from '../../io/text-parts.ts';

/** What the numbers mean that the login of Microsoft puts into its refusals. */
const REFUSALS = new Map<string, string>([
  ['AADSTS7000215', 'the client secret is wrong; write its value, not its ID, into source.auth.clientSecret'],
  [
    'AADSTS7000222',
    'the client secret has expired; make a new one in the app registration, and correct source.auth.clientSecret',
  ],
  ['AADSTS700016', 'the directory has no such app; correct source.auth.clientId or source.auth.tenant'],
  ['AADSTS90002', 'there is no such directory; correct source.auth.tenant'],
  ['AADSTS900023', 'there is no such directory; correct source.auth.tenant'],
  ['AADSTS7000112', 'the app registration is disabled; ask its administrator'],
]);

/** How an app registration asks for its token for a resource: with the client credentials grant, and its secret in the form. */
export function appGrant(
  { tenant, clientId, clientSecret, loginUrl = MICROSOFT_LOGIN }: AppAuth,
  resource: string,
): TokenGrant {
  const scope = `${resource}/.default`;
  return {
    type: 'grant',
    tokenUrl: `${trimEnd(loginUrl, '/')}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    identity: [clientId, clientSecret.reveal(), scope],
    form: () => ({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret.reveal(),
      scope,
    }),
    advice: (_, description) => REFUSALS.get(/AADSTS\d+/u.exec(description)?.[0] ?? ''),
  };
}
