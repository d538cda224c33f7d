import type { HttpSource } from '../../../src/config/schema/source-schema.ts';
import { INDEX_DEFAULTS, type IndexSource } from '../../../src/config/schema/sources/web.ts';

/** The source of a file at an address, with what holds where nothing is written. */
export function http(url: string, changes: Partial<HttpSource> = {}): HttpSource {
  return {
    type: 'http',
    url,
    headers: {},
    auth: { type: 'none' },
    timeout: 5000,
    deadline: 60_000,
    maxRedirects: 5,
    allowHosts: [],
    ...changes,
  };
}

/** The source of the files that a page links to. */
export function index(url: string, changes: Partial<IndexSource> = {}): IndexSource {
  return { ...http(url), ...INDEX_DEFAULTS, pattern: '*.csv', ...changes };
}
