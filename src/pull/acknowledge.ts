import type { FolderSource } from '../config/schema/source-schema.ts';
import { OfferlineError } from '../errors.ts';
import { type Acknowledged, acknowledgeInDirectory } from './acknowledge-directory.ts';
import type { Listed } from './choose/choose.ts';
import { isSameFile } from './choose/past.ts';

/** A feed that takes from the place, this one among them. */
export type Sharer = {
  feed: string;
  source: FolderSource;
  /** The first of these files for which the place has to stay as it is. */
  needs: (files: Listed[]) => Promise<Listed | undefined>;
};

/** What is not moved or deleted yet, because a feed still needs a file that would go with it. */
export type Waiting = { feed: string; file: Listed };

/**
 * Moves or deletes a file at the supplier's, as `source.after` says: only the very file that was taken, unchanged since, and
 * nothing that one of the `sharers` needs. It may be called again for a file that was dealt with. Throws `pull-failed` as a
 * pull does.
 */
export async function acknowledge(
  source: FolderSource,
  file: Listed,
  signal: AbortSignal,
  sharers: Sharer[] = [],
): Promise<Acknowledged | Waiting> {
  if (source.after === 'keep') return 'done';
  if (source.type === 'directory') {
    return (await neededBy(sharers, async () => [file])) ?? acknowledgeInDirectory(source, file);
  }
  const { withServer } = await import('./server/open.ts');
  return withServer(source, signal, async (server) => {
    if ((await server.isAside?.(file)) !== true) {
      const now = await server.look(file);
      if (now === undefined) return 'gone';
      if (!isSameFile(file, now)) return 'changed';
    }
    const waiting = await neededBy(sharers, (from) => server.goingWith?.(file, from) ?? Promise.resolve([file]));
    if (waiting !== undefined) return waiting;
    try {
      await (source.after === 'delete' ? server.remove(file) : server.move(file, source.moveTo));
      return 'done';
    } catch (error) {
      if (error instanceof OfferlineError && error.details['changed'] === true) return 'changed';
      throw error;
    }
  });
}

async function neededBy(
  sharers: Sharer[],
  going: (source: FolderSource) => Promise<Listed[]>,
): Promise<Waiting | undefined> {
  for (const { feed, source, needs } of sharers) {
    const file = await needs(await going(source));
    if (file !== undefined) return { feed, file };
  }
  return undefined;
}
