import type { Finding } from './problem.ts';
import type { ParsedConfig } from './schema.ts';

/** What the schema cannot see: references between settings and settings that contradict each other. */
export function checkRules(_config: ParsedConfig, _written: unknown): Finding[] {
  return [];
}
