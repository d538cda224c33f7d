import type { ListingSource, SourceConfig } from '../config/schema/source-schema.ts';
import { isIndex } from '../config/schema/sources/web.ts';
import { showUrl } from '../wording/show-url.ts';
import type { Listed } from './choose/choose.ts';
import { exceptResults } from './choose/past.ts';
import { longestSettling, pullDirectory } from './directory.ts';
import { inTime } from './in-time.ts';
import { isResult } from './result/mark.ts';
import { longestSettlingOf, urlOf } from './server/place.ts';
import { severalOf } from './several/wanted.ts';
import type { Pulled, PullInput } from './source.ts';

/**
 * Pulls the current file of a feed's source to `input.target`, within `source.deadline` and not slower than 1 KB/s; source.ts
 * has the contract and the errors. A result that was put there is no delivery, whatever it is called: the next newest file is pulled then.
 */
export async function pull(source: SourceConfig, input: PullInput): Promise<Pulled> {
  const results: Listed[] = [];
  for (;;) {
    const past = results.length === 0 ? input.past : exceptResults(results, input.past);
    const pulled = await pullOnce(source, { ...input, past });
    if (pulled.kind !== 'file' || !isResult(pulled.path))
      return results.length === 0 ? pulled : { ...pulled, results: [...results, ...(pulled.results ?? [])] };
    if (pulled.listed === null) return { kind: 'nothing', reason: `${pulled.name} is a result, and no delivery` };
    results.push(pulled.listed.taken);
  }
}

function pullOnce(source: SourceConfig, input: PullInput): Promise<Pulled> {
  if (source.type === 'directory') {
    // A file that is still being written is waited for, which is not the folder's slowness.
    const deadline = source.deadline + longestSettling(source);
    const several = severalOf(source);
    return inTime({ source, place: source.path, deadline }, input, async (bounded) => {
      if (several === null) return pullDirectory(source, bounded);
      const { pullDirectoryFiles } = await import('./several/from-directory.ts');
      return pullDirectoryFiles(source, several, bounded);
    });
  }
  if (source.type !== 'http' || isIndex(source)) return pullFolder(source, input);
  const { deadline } = source;
  return inTime({ source, place: showUrl(source.url), deadline }, input, async (bounded) => {
    const { pullHttp } = await import('./http/pull-http.ts');
    return pullHttp(source, bounded);
  });
}

function pullFolder(source: ListingSource, input: PullInput): Promise<Pulled> {
  const deadline = source.deadline + longestSettlingOf(source);
  return inTime({ source, place: urlOf(source), deadline }, input, async (bounded) => {
    // Most installations have no such source: its libraries are loaded when it is asked.
    const several = severalOf(source);
    if (several === null) return (await import('./server/pull-server.ts')).pullServer(source, bounded);
    const { pullServerFiles } = await import('./several/from-server.ts');
    return pullServerFiles(source, several, bounded);
  });
}
