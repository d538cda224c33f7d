import type { FolderSource } from '../config/schema/source-schema.ts';
import { OfferlineError } from '../errors.ts';
import { type Acknowledged, acknowledgeInDirectory } from './acknowledge-directory.ts';
import type { Listed } from './choose/choose.ts';
import { isSameFile } from './choose/past.ts';

/**
 * Moves or deletes a file at the supplier's, as `source.after` says: only the very file that was taken, unchanged since.
 * It may be called again for a file that was dealt with. Throws `pull-failed` as a pull does.
 */
export async function acknowledge(source: FolderSource, file: Listed, signal: AbortSignal): Promise<Acknowledged> {
  if (source.after === 'keep') return 'done';
  if (source.type === 'directory') return acknowledgeInDirectory(source, file);
  const { withServer } = await import('./server/open.ts');
  return withServer(source, signal, async (server) => {
    if ((await server.isAside?.(file)) !== true) {
      const now = await server.look(file);
      if (now === undefined) return 'gone';
      if (!isSameFile(file, now)) return 'changed';
    }
    try {
      await (source.after === 'delete' ? server.remove(file) : server.move(file, source.moveTo));
      return 'done';
    } catch (error) {
      if (error instanceof OfferlineError && error.details['changed'] === true) return 'changed';
      throw error;
    }
  });
}
