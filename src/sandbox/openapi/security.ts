import type { SandboxSettings, WrittenCredential } from '../settings.ts';
import type { Json } from './schema.ts';

/** Without `logins` in the settings every credential is let in, and so is none at all. */
const EVERYBODY: WrittenCredential['type'][] = ['none', 'basic', 'bearer', 'header'];

/** How callers may log in, each way once. */
export function securityOf({ logins, credentialHeaders }: SandboxSettings): {
  security: Json[];
  securitySchemes: Json;
} {
  const ways = new Set(logins?.map(({ auth }) => auth.type) ?? EVERYBODY);
  const own = logins === undefined ? ['X-Api-Key', ...credentialHeaders] : [];
  const listed = (logins ?? []).flatMap(({ auth }) => (auth.type === 'header' ? [auth.name] : []));
  const headers = [...new Set([...own, ...listed])];
  const securitySchemes = {
    ...(ways.has('basic') && { basic: { type: 'http', scheme: 'basic' } }),
    ...(ways.has('bearer') && { bearer: { type: 'http', scheme: 'bearer' } }),
    ...Object.fromEntries(headers.map((name) => [schemeName(name), { type: 'apiKey', in: 'header', name }])),
  };
  const each = Object.keys(securitySchemes).map((name) => ({ [name]: [] }));
  return { security: [...(ways.has('none') ? [{}] : []), ...each], securitySchemes };
}

/** Names of components have no other characters. */
function schemeName(header: string): string {
  return `header-${header.replaceAll(/[^\w.-]/g, '_')}`;
}
