import type { Finding } from './problem.ts';
import type { ResolvedConfig } from './schema.ts';

/** What may be right but deserves a look. */
export async function findWarnings(_config: ResolvedConfig, _written: unknown): Promise<Finding[]> {
  return [];
}
