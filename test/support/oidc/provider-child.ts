import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { Provider } from 'oidc-provider';

/**
 * A provider of OpenID Connect in a process of its own, with keys of its own at each start: `oidc-provider`, which asks nobody for a password.
 * Lines on stdin say which accounts there are and who comes next: `{"accounts":{"sub":{…}},"next":"sub"}`.
 */
const [port = '', back = ''] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
let accounts = new Map<string, Record<string, unknown>>();
let next = '';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'offerline',
      client_secret: 'a secret of the test',
      redirect_uris: [`${back}/sign-in/callback`],
      post_logout_redirect_uris: [`${back}/sign-in`],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' }] },
  cookies: { keys: ['a key of the test'] },
  pkce: { required: () => true },
  claims: { openid: ['sub'], profile: ['preferred_username', 'groups', 'feeds'], email: ['email', 'email_verified'] },
  features: {
    devInteractions: { enabled: false },
    revocation: { enabled: true },
    rpInitiatedLogout: { enabled: true },
  },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  issueRefreshToken: () => Promise.resolve(true),
  ttl: {
    AccessToken: 3600,
    AuthorizationCode: 60,
    IdToken: 3600,
    Session: 3600,
    Grant: 3600,
    Interaction: 600,
    RefreshToken: 3600,
  },
  findAccount: (_ctx, sub) => {
    const claims = accounts.get(sub);
    return claims === undefined ? undefined : { accountId: sub, claims: () => ({ sub, ...claims }) };
  },
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
});

const answer = provider.callback();
createServer((request, response) => {
  if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response);
  void provider
    .interactionDetails(request, response)
    .then(() => provider.interactionFinished(request, response, { login: { accountId: next } }));
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('{"ready":true}\n'));

for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line) as { accounts: Record<string, Record<string, unknown>>; next: string };
  accounts = new Map(Object.entries(told.accounts));
  next = told.next;
  process.stdout.write('{"told":true}\n');
}
