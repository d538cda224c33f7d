import { rm } from 'node:fs/promises';
import { OfferlineError } from '../../errors.ts';
import { temporaryFolder } from '../../io/temporary-folder.ts';
import { places } from '../../io/places.ts';
import type { World } from './world.ts';

/** Dossiers that are made at once: each may ask the service, and copies what was sent. */
const making = places(1);
/** Milliseconds for which one waits for its turn; a service that does not answer keeps the one before for minutes. */
const LONGEST_WAIT = 10_000;

/** Where a dossier is, until whoever asked for it removes the folder. */
type DossierFiles = { folder: string; markdown: string; zip: string };

/**
 * Writes the dossier of an upload into a folder of its own, as `offerline dossier` does; `offline`: without asking the service. Fails with `conflict`
 * while another one is made for long.
 */
export async function writeDossier(
  { upload, offline }: { upload: string; offline: boolean },
  { ctx }: Pick<World, 'ctx'>,
): Promise<DossierFiles> {
  const [{ gatherDossier }, { writeDossier: write }] = await Promise.all([
    import('../../jobs/dossier/gather-dossier.ts'),
    import('../../jobs/dossier/write-dossier.ts'),
  ]);
  const leave = await turn();
  try {
    await ctx.calls.flush();
    const dossier = await gatherDossier(upload, { offline, signal: new AbortController().signal }, ctx);
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

async function turn(): Promise<() => void> {
  const late = AbortSignal.timeout(LONGEST_WAIT);
  try {
    return await making.take(late);
  } catch (error) {
    if (error !== late.reason) throw error;
    throw new OfferlineError(
      'conflict',
      'Another dossier is being made, and the service may not answer. Ask for this one again in a minute.',
    );
  }
}
