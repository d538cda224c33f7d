import { rm } from 'node:fs/promises';
import { temporaryFolder } from '../../io/temporary-folder.ts';
import { places } from '../../io/places.ts';
import type { World } from './world.ts';

/** Dossiers that are made at once: each asks the service, and copies what was sent. */
const making = places(1);
/** Milliseconds for which one waits for its turn. */
const LONGEST_WAIT = 60_000;

/** Where a dossier is, until whoever asked for it removes the folder. */
type DossierFiles = { folder: string; markdown: string; zip: string };

/** Writes the dossier of an upload into a folder of its own, as `offerline dossier` does. */
export async function writeDossier({ upload }: { upload: string }, { ctx }: World): Promise<DossierFiles> {
  const [{ gatherDossier }, { writeDossier: write }] = await Promise.all([
    import('../../jobs/dossier/gather-dossier.ts'),
    import('../../jobs/dossier/write-dossier.ts'),
  ]);
  const leave = await making.take(AbortSignal.timeout(LONGEST_WAIT));
  try {
    await ctx.calls.flush();
    const dossier = await gatherDossier(upload, { offline: false, signal: new AbortController().signal }, ctx);
    const folder = await temporaryFolder('dossier');
    try {
      const { markdown, zip } = await write(dossier, folder, ctx);
      return { folder, markdown, zip };
    } catch (error) {
      // What was sent to the service must not stay where nobody looks for it.
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  } finally {
    leave();
  }
}
