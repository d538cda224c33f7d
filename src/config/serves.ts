import type { SourceConfig } from './schema/source-schema.ts';

/** Whether a worker that serves some labels may look at a source. */
export function serves(labels: readonly string[], { on }: Pick<SourceConfig, 'on'>): boolean {
  return on === undefined || on.some((label) => labels.includes(label));
}
