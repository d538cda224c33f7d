import type { Config } from '../config/schema/schema.ts';
import type { SandboxFit } from './builtin-sandbox.ts';

/** What the built-in sandbox has to know of a configuration. */
export function sandboxFit({ logins, service, offer }: Config): SandboxFit {
  const headers = Object.values(logins).flatMap(({ auth }) => (auth.type === 'header' ? [auth.name] : []));
  const { upload, commandPath, commandValues } = service;
  return {
    fileField: upload.field,
    catalog: { commandPath, commandValues: commandValues === 'percent' ? 'percent' : 'plain' },
    tagSeparator: offer.tagSeparator,
    credentialHeaders: [...new Set(headers)],
  };
}
