import type { ServerSource, SourceConfig } from '../config/schema/source-schema.ts';
import { isIndex } from '../config/schema/sources/web.ts';
import { showUrl } from '../wording/show-url.ts';
import { longestSettling, pullDirectory } from './directory.ts';
import { inTime } from './in-time.ts';
import { longestSettlingOf, urlOf } from './server/place.ts';
import type { Pulled, PullInput } from './source.ts';

/**
 * Pulls the current file of a feed's source to `input.target`, within `source.deadline` and not slower than 1 KB/s; source.ts
 * has the contract and the errors.
 */
export function pull(source: SourceConfig, input: PullInput): Promise<Pulled> {
  if (source.type === 'directory') {
    // A file that is still being written is waited for, which is not the folder's slowness.
    const deadline = source.deadline + longestSettling(source);
    return inTime({ source, place: source.path, deadline }, input, (bounded) => pullDirectory(source, bounded));
  }
  if (source.type !== 'http' || isIndex(source)) return pullFolder(source, input);
  const { deadline } = source;
  return inTime({ source, place: showUrl(source.url), deadline }, input, async (bounded) => {
    const { pullHttp } = await import('./http/pull-http.ts');
    return pullHttp(source, bounded);
  });
}

function pullFolder(source: ServerSource, input: PullInput): Promise<Pulled> {
  const deadline = source.deadline + longestSettlingOf(source);
  return inTime({ source, place: urlOf(source), deadline }, input, async (bounded) => {
    // Most installations have no such source: its libraries are loaded when it is asked.
    const { pullServer } = await import('./server/pull-server.ts');
    return pullServer(source, bounded);
  });
}
