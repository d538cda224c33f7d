import { join } from 'node:path';
import { beginSignIn, finishSignIn } from '../../../src/access/oidc/flow.ts';
import { configSchema, type Config, type ConfigInput } from '../../../src/config/schema/schema.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import type { Context } from '../../../src/context.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { atEnd } from '../at-end.ts';
import { memoryLog } from '../memory-log.ts';
import { tempFolder } from '../temp-folder.ts';

/** The address that users of the console open. */
export const BACK = 'http://127.0.0.1:8480';

type OidcInput = NonNullable<NonNullable<ConfigInput['web']>['oidc']>;

/** What users sign in to: a ledger, a log, and a configuration with a provider. */
export async function openAccess(oidc: Partial<OidcInput> & { issuer: string }) {
  const given = {
    clientId: 'offerline',
    clientSecret: 'a secret of the test',
    roles: { admin: ['admins'], ops: ['ops'], manager: ['buyers'], viewer: ['staff'] },
    ...oidc,
  };
  const parsed = configSchema.parse({ logins: {}, feeds: {}, web: { publicUrl: BACK, oidc: given } });
  const web = { ...parsed.web, oidc: { ...parsed.web.oidc, clientSecret: secret(given.clientSecret as string) } };
  const config = { ...parsed, web } as unknown as Config;
  const ledger = await openLedger({ file: join(tempFolder(), 'ledger.sqlite') });
  atEnd(() => ledger.close());
  const { log, entries } = memoryLog();
  return { ledger, log, entries, config };
}

/** Goes to a provider and comes back; `visit` gives what the browser is sent back with. */
export async function goThrough(
  ctx: Pick<Context, 'ledger' | 'log' | 'config'>,
  visit: (address: string) => Promise<string> | string,
) {
  const begun = await beginSignIn({ to: '/runs' }, ctx);
  if ('refused' in begun) return { ...begun, search: '', kept: '' };
  const { search } = new URL(await visit(begun.url), BACK);
  const done = await finishSignIn({ search, kept: begun.flow, address: '10.0.0.1' }, ctx);
  return { ...done, search, kept: begun.flow };
}
