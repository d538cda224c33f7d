import { shownPath, type Damage } from '../../archive/kept-file.ts';
import type { Context } from '../../context.ts';
import { ledgerProblems } from '../../ledger/maintenance/integrity.ts';
import { referencesTo, type Reference } from '../../ledger/maintenance/references.ts';
import { countedOn } from '../../ledger/maintenance/retention.ts';
import { blobName, endDamage } from '../archive/incident.ts';
import { mend } from '../archive/usable.ts';

/** A file of the archive that is damaged or missing. */
export type Fault = {
  sha256: string;
  path: string;
  damage: Damage;
  /** What the ledger knows it as; empty if nothing refers to it. */
  names: string[];
  logins: string[];
  feeds: string[];
  /** Whether something live, waiting or in progress needs it. */
  live: boolean;
  repaired: boolean;
  /** What to do about it; null when it was repaired. */
  advice: string | null;
};

/** The result of reading everything. `ok`: everything is intact, or has been repaired. */
export type Verified = {
  ok: boolean;
  ledger: { id: string; version: string; problems: string[] };
  files: number;
  bytes: number;
  references: number;
  faults: Fault[];
};

/**
 * Reads every file of the archive, and looks for every file that the ledger refers to. With `repair` it rebuilds what it can, and
 * removes damaged files that nothing refers to; without, it changes nothing.
 */
export async function verifyAll({ repair }: { repair: boolean }, ctx: Context, signal: AbortSignal): Promise<Verified> {
  const { ledger, archive } = ctx;
  const problems = await ledgerProblems(ledger);
  const version = await ledger.version();
  const damaged = new Map<string, Damage>();
  const there = new Set<string>();
  let bytes = 0;
  for await (const blob of archive.list()) {
    signal.throwIfAborted();
    const found = await archive.verify(blob.sha256);
    // Pruned in between.
    if (found === 'missing') continue;
    there.add(blob.sha256);
    bytes += blob.bytes;
    if (found !== 'ok') damaged.set(blob.sha256, found);
  }
  // Read after the files: one that came in meanwhile is there.
  const references = await expected(ctx);
  for (const sha256 of references.keys()) {
    if (!there.has(sha256) && (await archive.verify(sha256)) === 'missing') damaged.set(sha256, 'missing');
  }
  const faults: Fault[] = [];
  for (const [sha256, damage] of damaged) {
    signal.throwIfAborted();
    faults.push(await faultOf(sha256, damage, references.get(sha256) ?? [], repair, ctx, signal));
  }
  if (repair) for (const login of Object.keys(ctx.config.logins)) await endDamage(login, ctx);
  const ok = problems.length === 0 && faults.every((fault) => fault.repaired);
  return {
    ok,
    ledger: { id: ledger.id, version, problems },
    files: there.size,
    bytes,
    references: references.size,
    faults,
  };
}

/** What the ledger counts on, by hash: without what a prune has marked and not removed yet. */
async function expected(ctx: Context): Promise<Map<string, Reference[]>> {
  const { db } = ctx.ledger;
  const counted = await countedOn(db, { deliveries: [], reports: [], datasets: [] }, ctx.config.keep, ctx.clock.now());
  const all = (await referencesTo(db, null)).filter(({ sha256 }) => counted.has(sha256));
  return Map.groupBy(all, ({ sha256 }) => sha256);
}

async function faultOf(
  sha256: string,
  damage: Damage,
  references: Reference[],
  repair: boolean,
  ctx: Context,
  signal: AbortSignal,
): Promise<Fault> {
  const repaired = repair && (await repairedNow(sha256, references, ctx, signal));
  const unique = (values: (string | null)[]) => [...new Set(values.filter((value) => value !== null))];
  return {
    sha256,
    path: shownPath(ctx.archive.file(sha256)),
    damage,
    names: references.map(blobName),
    logins: unique(references.map(({ login }) => login)),
    feeds: unique(references.map(({ feed }) => feed)),
    live: references.some(({ live }) => live),
    repaired,
    advice: repaired ? null : adviceOn(references, repair),
  };
}

async function repairedNow(
  sha256: string,
  references: Reference[],
  ctx: Context,
  signal: AbortSignal,
): Promise<boolean> {
  if (references.length > 0) return mend(sha256, ctx, signal);
  await ctx.archive.remove(sha256);
  return true;
}

function adviceOn(references: Reference[], tried: boolean): string {
  if (!tried) return 'run `offerline verify --repair`';
  if (references.some(({ kind }) => kind === 'mail'))
    return 'restore it from a backup; otherwise this mail cannot be shown any more';
  const delivered = references.find(({ feed }) => feed !== null);
  if (delivered === undefined) {
    return 'restore it from a backup; otherwise the next upload replaces it, and no rollback to it is possible';
  }
  const again = `\`offerline ingest ${delivered.feed} --file PATH --force --wait\` with the same file`;
  return `restore it from a backup, or read the delivery again: ${again}; otherwise this run cannot be repeated`;
}
