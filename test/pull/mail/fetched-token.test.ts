import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MailSource } from '../../../src/config/schema/sources/mail.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import { pull } from '../../../src/pull/pull.ts';
import { serve } from '../../support/http-server.ts';
import { lacks } from '../../support/programs.ts';
import { startDovecot } from '../../support/servers/dovecot.ts';
import { accountKey } from '../../support/servers/drive.ts';
import { trustTestTls } from '../../support/servers/vsftpd.ts';
import { pullInput } from '../pull-input.ts';
import { attached, mailWith } from './write-mail.ts';

type Form = Record<string, string>;

/** What an assertion says of whom it is for. */
function claimsOf({ assertion = '' }: Form): Record<string, unknown> {
  return JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
}

/** Who gives tokens, and tells the mail server which of them are good. */
async function tokens() {
  const good = new Set<string>();
  const forms: Form[] = [];
  const { url } = await serve((request, response) => {
    void text(request).then((body) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/introspect') {
        const isActive = [...good].some((token) => body.includes(token));
        return response.end(JSON.stringify(isActive ? { active: true, username: 'buyer' } : { active: false }));
      }
      forms.push(Object.fromEntries(new URLSearchParams(body)));
      const token = `fetched-${forms.length}-${Math.random().toString(36).slice(2)}`;
      good.add(token);
      return response.end(JSON.stringify({ access_token: token, expires_in: 3600 }));
    });
  });
  return { url, good, forms };
}

describe.skipIf(lacks('dovecot'))('a mailbox whose token is fetched', () => {
  beforeAll(trustTestTls);

  async function mailbox() {
    const given = await tokens();
    const { source, deliver } = await startDovecot({}, { introspection: `${given.url}/introspect`, tokens: 'xoauth2' });
    deliver(mailWith([attached('prices.csv', 'a;b')]));
    const { url } = given;
    const user = 'buyer';
    const client = { clientId: 'me', clientSecret: secret('f0rt-y-tw0-secret') };
    const auths: Record<string, MailSource['auth']> = {
      oauth2: { type: 'oauth2', user, tokenUrl: `${url}/token`, scope: 'imap', ...client },
      app: { type: 'app', user, tenant: 'shop.example', loginUrl: url, ...client },
      serviceAccount: { type: 'serviceAccount', user, key: secret(accountKey(`${url}/token`)) },
    };
    const signedIn = (kind: string) => pull({ ...source, auth: auths[kind]! }, pullInput());
    return { ...given, signedIn };
  }

  test('signs in as a client, an app registration or a service account, with what each says', async () => {
    const { signedIn, forms } = await mailbox();
    for (const kind of ['oauth2', 'app', 'serviceAccount']) {
      expect(await signedIn(kind)).toMatchObject({ name: 'prices.csv' });
    }
    expect(forms[0]).toMatchObject({ grant_type: 'client_credentials', scope: 'imap' });
    expect(forms[1]).toMatchObject({ client_id: 'me', scope: 'https://outlook.office365.com/.default' });
    expect(claimsOf(forms[2]!)).toMatchObject({ sub: 'buyer', scope: 'https://mail.google.com/' });
  });

  test('uses its token until that is refused, and then another one, once', async () => {
    const { signedIn, forms, good } = await mailbox();
    for (let pulls = 0; pulls < 2; pulls++) expect(await signedIn('app')).toMatchObject({ kind: 'file' });
    expect(forms).toHaveLength(1);
    good.clear();
    expect(await signedIn('app')).toMatchObject({ kind: 'file' });
    expect(forms).toHaveLength(2);
  });

  test('is not tried twice with a token that is new, and shows none', async () => {
    const { signedIn, forms, good } = await mailbox();
    good.add = () => good;
    const failure: unknown = await signedIn('app').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'pull-failed', retryable: false, details: { status: 401 } });
    expect(forms).toHaveLength(1);
    expect(JSON.stringify(failure) + String(failure)).not.toMatch(/fetched-1|f0rt-y/u);
  });
});
