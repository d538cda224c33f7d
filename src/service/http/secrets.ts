import type { AuthConfig } from '../../config/schema.ts';

/** The headers that identify a login. */
export function authHeaders(auth: AuthConfig): Record<string, string> {
  switch (auth.type) {
    case 'none':
      return {};
    case 'basic': {
      const pair = Buffer.from(`${auth.user}:${auth.password.reveal()}`).toString('base64');
      return { authorization: `Basic ${pair}` };
    }
    case 'bearer':
      return { authorization: `Bearer ${auth.token.reveal()}` };
    case 'header':
      return { [auth.name]: auth.value.reveal() };
  }
}

/** A service that shows the request in its error page must not carry the credential into our messages. */
export function hideSecrets(auth: AuthConfig, text: string): string {
  const hidden = Object.values(authHeaders(auth)).map((header) => header.replace(/^(Basic|Bearer) /, ''));
  if (auth.type === 'basic') hidden.push(auth.password.reveal());
  return hidden.filter((secret) => secret !== '').reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}
