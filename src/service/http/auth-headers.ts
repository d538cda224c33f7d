import type { AuthConfig } from '../../config/schema/sources/auth.ts';
import { hideFromNowOn } from '../../wording/redact.ts';

/** The headers that identify a login. */
export function authHeaders(auth: AuthConfig): Record<string, string> {
  switch (auth.type) {
    case 'none':
      return {};
    case 'basic': {
      const pair = `${auth.user}:${auth.password.reveal()}`;
      hideFromNowOn(pair);
      return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
    }
    case 'bearer':
      return { authorization: `Bearer ${auth.token.reveal()}` };
    case 'header':
      return { [auth.name]: auth.value.reveal() };
  }
}
