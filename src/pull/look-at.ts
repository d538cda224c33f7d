import type { HttpSource, ServerSource, SourceConfig } from '../config/schema/source-schema.ts';
import { showUrl } from '../wording/show-url.ts';
import { isIndex } from '../config/schema/sources/web.ts';
import { inTime } from './in-time.ts';
import { cleanName } from './source.ts';
import { lookAtDirectory } from './directory.ts';
import type { Choice, Listed } from './choose/choose.ts';
import type { Past } from './choose/past.ts';
import { urlOf } from './server/place.ts';

/** What a place holds: each file with what a pull would do with it, the one to be taken first. */
export type Look = {
  /** Without credentials. */
  place: string;
  files: LookedAt[];
};

type LookedAt = {
  name: string;
  /** Bytes; null for what is passed over. */
  size: number | null;
  /** Epoch milliseconds by the clock of the place. */
  modifiedAt: number | null;
  decision: 'take' | 'superseded' | 'pass over';
  why: string;
};

/**
 * Looks at what the place of a feed holds and changes nothing, neither here nor there; null for an address that is asked
 * with POST, which may have effects. A file to take may be the one that is live already. Throws `pull-failed` as a pull does,
 * after `source.deadline` at the latest.
 */
export async function lookAt(source: SourceConfig, past?: Past, signal?: AbortSignal): Promise<Look | null> {
  if (source.type === 'directory') return shown(source.path, await lookAtDirectory(source, past));
  const isFolder = source.type !== 'http' || isIndex(source);
  const place = isFolder ? urlOf(source) : showUrl(source.url);
  const bounds = { source, place, deadline: source.deadline, next: 'ask the supplier why it is so slow' };
  return inTime(bounds, { signal }, (asking) =>
    isFolder ? lookAtFolder(source, past, asking.signal) : lookAtFile(source, asking.signal),
  );
}

async function lookAtFile(source: HttpSource, signal?: AbortSignal): Promise<Look | null> {
  if (source.method === 'POST') return null;
  const { lookAtAddress } = await import('./http/pull-http.ts');
  return shown(showUrl(source.url), {
    newest: await lookAtAddress(source, signal),
    older: [],
    passedOver: [],
    near: [],
  });
}

async function lookAtFolder(source: ServerSource, past?: Past, signal?: AbortSignal): Promise<Look> {
  const { lookAtServer } = await import('./server/pull-server.ts');
  return shown(urlOf(source), await lookAtServer(source, past, signal));
}

function shown(place: string, { newest, older, passedOver, byName }: Choice<Listed>): Look {
  const facts = ({ name, size, mtimeMs }: Listed) => ({ name: cleanName(name), size, modifiedAt: mtimeMs });
  const why = byName === true ? 'the last by name: the place shows no times' : 'the newest that fits';
  const taken = newest === undefined ? [] : [{ ...facts(newest), decision: 'take' as const, why }];
  return {
    place,
    files: [
      ...taken,
      ...older.map((file) => ({
        ...facts(file),
        decision: 'superseded' as const,
        why: byName === true ? `before ${taken[0]!.name} by name` : `older than ${taken[0]!.name}`,
      })),
      ...passedOver.map(({ name, why }) => ({
        name: cleanName(name),
        size: null,
        modifiedAt: null,
        decision: 'pass over' as const,
        why,
      })),
    ],
  };
}
