import { z } from 'zod';
import { OfferlineError } from '../errors.ts';
import type { BackupPlace } from './place.ts';

const ownerSchema = z.object({
  /** The ledger whose backups lie here. */
  ledger: z.string(),
  /** Those whose places it has taken, one after the other, each with when that was (epoch ms). */
  before: z.array(z.object({ ledger: z.string(), at: z.number() })),
});

/** Whose backups lie in a place. */
export type BackupOwner = z.infer<typeof ownerSchema>;

const NAME = 'installation.json';

/** Whose backups lie in a place; null when there are none yet. Fails with `archive` where that cannot be read. */
async function ownerOf(place: BackupPlace): Promise<BackupOwner | null> {
  const text = await place.readText(NAME);
  if (text === null) return null;
  try {
    return ownerSchema.parse(JSON.parse(text));
  } catch {
    throw new OfferlineError(
      'archive',
      `The file ${NAME} in ${place.where}, which says whose backups lie there, is damaged. Remove it if they are those of this installation, and try again.`,
    );
  }
}

/**
 * Makes sure that a ledger may write its backups to a place. `original`: the ledger in whose place it goes on after a restore, which it takes the place over
 * from; null where there is none. Answers with who has taken its own place, if somebody has; fails with `conflict` where the backups of another installation lie.
 */
export async function claimPlace(
  place: BackupPlace,
  ledger: string,
  { original, now }: { original: string | null; now: number },
): Promise<{ takenBy: string; at: number } | null> {
  const owner = await ownerOf(place);
  if (owner === null) {
    await place.writeText(NAME, `${JSON.stringify({ ledger, before: [] } satisfies BackupOwner)}\n`);
    return null;
  }
  if (owner.ledger === ledger) return null;
  const taken = owner.before.find((one) => one.ledger === ledger);
  if (taken !== undefined) return { takenBy: owner.ledger, at: taken.at };
  if (owner.ledger === original) {
    await handOver(place, original, ledger, now);
    return null;
  }
  throw new OfferlineError(
    'conflict',
    `${place.where} has backups of another installation (its ledger is ${owner.ledger}, this one is ${ledger}). Name a place of its own for each.`,
  );
}

/**
 * Gives a place to the ledger that goes on after a restore: the original finds itself replaced there, and so does one that has gone on in its place before.
 */
export async function handOver(place: BackupPlace, from: string, to: string, at: number): Promise<void> {
  const owner = await ownerOf(place);
  if (owner?.ledger === to) return;
  const before = owner?.before ?? [];
  const replaced = [...new Set([from, owner?.ledger ?? from])].filter(
    (ledger) => !before.some((one) => one.ledger === ledger),
  );
  const written: BackupOwner = { ledger: to, before: [...before, ...replaced.map((ledger) => ({ ledger, at }))] };
  await place.writeText(NAME, `${JSON.stringify(written)}\n`);
}
