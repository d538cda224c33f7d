import { z } from 'zod';
import { OfferlineError } from '../errors.ts';
import type { BackupPlace } from './place.ts';

const ownerSchema = z.object({
  /** The ledger whose backups lie here. */
  ledger: z.string(),
  /** Its term, where it was restored: of those that go on in place of one ledger, the one with the greatest does. */
  term: z.string().default(''),
  /** Those whose places it has taken, one after the other, each with when that was (epoch ms). */
  before: z.array(z.object({ ledger: z.string(), at: z.number() })),
});

/** Whose backups lie in a place. */
export type BackupOwner = z.infer<typeof ownerSchema>;

const NAME = 'installation.json';

/** Whose backups lie in a place; null when there are none yet. Fails with `archive` where that cannot be read. */
async function ownerOf(place: BackupPlace, signal?: AbortSignal): Promise<BackupOwner | null> {
  const text = await place.readText(NAME, signal);
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

/** A ledger that goes on after a restore: in whose place, the first one first, and its term. */
export type Successor = { originals: readonly string[]; term: string };

/** Who has taken a ledger's own place, and when; null where nobody has. `restored`: as in `claimPlace`. */
export async function takerOf(
  place: BackupPlace,
  ledger: string,
  restored: Successor | null,
  signal?: AbortSignal,
): Promise<{ takenBy: string; at: number } | null> {
  const owner = await ownerOf(place, signal);
  return owner === null ? null : takenFrom(owner, ledger, restored);
}

/** One that was restored from a backup of this ledger may have been chosen before it was: then it goes on no more, and this one has its place again. */
function takenFrom(owner: BackupOwner, ledger: string, restored: Successor | null) {
  if (owner.ledger === ledger || (restored !== null && restored.term > owner.term)) return null;
  const taken = owner.before.find((one) => one.ledger === ledger);
  return taken === undefined ? null : { takenBy: owner.ledger, at: taken.at };
}

/**
 * Makes sure that a ledger may write its backups to a place. `restored`: in whose place it goes on after a restore, which it takes the place over from; null
 * where there is none. Answers with who has taken its own place, if somebody has; fails with `conflict` where the backups of another installation lie.
 */
export async function claimPlace(
  place: BackupPlace,
  ledger: string,
  { restored, now }: { restored: Successor | null; now: number },
): Promise<{ takenBy: string; at: number } | null> {
  const owner = await ownerOf(place);
  if (owner === null) {
    await write(place, { ledger, term: restored?.term ?? '', before: [] });
    return null;
  }
  if (owner.ledger === ledger) return null;
  const taken = takenFrom(owner, ledger, restored);
  if (taken !== null) return taken;
  if (restored?.originals.some((original) => isOf(owner, original)) === true)
    return handOver(place, ledger, restored, now);
  throw new OfferlineError(
    'conflict',
    `${place.where} has backups of another installation (its ledger is ${owner.ledger}, this one is ${ledger}). Name a place of its own for each.`,
  );
}

/** True where a ledger's backups lie, or those of one that has taken its place. */
function isOf({ ledger, before }: BackupOwner, original: string): boolean {
  return ledger === original || before.some((one) => one.ledger === original);
}

/**
 * Gives a place to the ledger that goes on after a restore: the original finds itself replaced there, and so does one that has gone on in its place before.
 * Answers with the one that goes on instead, where that was chosen later.
 */
export async function handOver(
  place: BackupPlace,
  to: string,
  { originals, term }: Successor,
  at: number,
): Promise<{ takenBy: string; at: number } | null> {
  const owner = await ownerOf(place);
  if (owner?.ledger === to) return null;
  const before = owner?.before ?? [];
  if (owner !== null && owner.term > term) {
    return { takenBy: owner.ledger, at: before.find(({ ledger }) => originals.includes(ledger))?.at ?? at };
  }
  const replaced = [...new Set([...originals, ...(owner === null ? [] : [owner.ledger])])].filter(
    (ledger) => !before.some((one) => one.ledger === ledger),
  );
  await write(place, { ledger: to, term, before: [...before, ...replaced.map((ledger) => ({ ledger, at }))] });
  return null;
}

/** The terms of those that have gone on in the place of others here. */
export async function termsAt(place: BackupPlace): Promise<string[]> {
  const owner = await ownerOf(place);
  return owner === null || owner.term === '' ? [] : [owner.term];
}

function write(place: BackupPlace, owner: BackupOwner): Promise<void> {
  return place.writeText(NAME, `${JSON.stringify(owner)}\n`);
}
