import type { Config } from './schema/schema.ts';

/** Where people find the console, without a slash at its end; null where there is none, or nobody said its address. */
export function publicOrigin({ web }: Pick<Config, 'web'>): string | null {
  return web.listen === null ? null : (web.publicUrl?.replace(/\/$/u, '') ?? null);
}
