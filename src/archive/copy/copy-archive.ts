import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OfferlineError } from '../../errors.ts';
import { count, setTotal, type Meter } from '../../gauge.ts';
import type { Damage } from '../damage.ts';
import { sayDiskFull } from '../disk-full.ts';
import type { CopySource, SourceFile } from './copy-source.ts';
import type { CopyTarget, TargetFile } from './copy-target.ts';
import { pagesOf, sideBySide, type Beside } from './side-by-side.ts';

/** Files, and how many bytes they have together. */
export type Amount = { files: number; bytes: number };

/** A file of a source that was not copied, because its bytes no longer give its hash or cannot be read. */
export type DamagedFile = { sha256: string; path: string; damage: Damage };

/** What became of the files of a source. */
export type Copied = {
  copied: Amount;
  /** Those that were there already. */
  skipped: Amount;
  /** Those that were removed from the source before they were read. */
  gone: number;
  /** Those of the source that are not in the target at the end: they came in meanwhile. */
  left: number;
  damaged: DamagedFile[];
};

export type CopyOptions = {
  /** What lies there in its size is not read again. */
  sizeOnly: boolean;
  meter: Meter;
  /** Called after each page of files. */
  onPage: (copied: Copied) => void;
  signal: AbortSignal;
};

/** So many files at once: a store answers each of them after a while. */
const AT_ONCE = 8;

/**
 * Copies the files of an archive to another one. Each is hashed when it is read, and what lies there already is read and hashed, too. May be
 * stopped at any moment and repeated; both archives may be in use. Throws `archive` for a place that does not do its part, `interrupted` at the signal.
 */
export async function copyArchive(source: CopySource, target: CopyTarget, options: CopyOptions): Promise<Copied> {
  const { meter, signal, onPage } = options;
  setTotal(meter, await bytesIn(source, signal));
  const done: Copied = { copied: none(), skipped: none(), gone: 0, left: 0, damaged: [] };
  // By their hashes, the sizes of what was copied.
  const copied = new Map<string, number>();
  const drafts = await target.tempFolder();
  try {
    for await (const page of pagesOf(sideBySide(source.list(), target.list()))) {
      const wanted = await target.wanted(page.map(({ file }) => file.sha256));
      await eachAtOnce(page, signal, async (beside) => {
        const { file } = beside;
        const { generation, known } = wanted(file.sha256);
        const there = beside.there.find((one) => one.generation === generation);
        const state = await stateOf(file, there, target, options);
        if (state === 'whole') {
          if (!known) await target.keep(file);
          add(done.skipped, file.bytes);
        } else {
          const draft = join(drafts, file.sha256);
          const got = await sayDiskFull(drafts, () => source.fetch(file, draft));
          if (typeof got === 'number') {
            await target.bring(draft, { sha256: file.sha256, bytes: got }, state === 'damaged' ? generation : null);
            add(done.copied, got);
            copied.set(file.sha256, got);
          } else if (got === 'missing') done.gone += 1;
          else done.damaged.push({ sha256: file.sha256, path: source.shown(file), damage: got });
          await rm(draft, { force: true });
        }
        count(meter, file.bytes);
      });
      onPage(done);
    }
  } finally {
    await rm(drafts, { recursive: true, force: true });
  }
  done.left = await leftIn(source, target, {
    copied,
    damaged: new Set(done.damaged.map(({ sha256 }) => sha256)),
    signal,
  });
  return done;
}

async function stateOf(
  { bytes }: SourceFile,
  there: TargetFile | undefined,
  target: CopyTarget,
  { sizeOnly }: CopyOptions,
): Promise<'whole' | 'damaged' | 'missing'> {
  if (there === undefined) return 'missing';
  if (there.bytes === bytes && (sizeOnly || (await target.isWhole(there)))) return 'whole';
  return 'damaged';
}

/** How many files are not there after all were copied. Throws `archive` for one that the target took and does not have. */
async function leftIn(
  source: CopySource,
  target: CopyTarget,
  { copied, damaged, signal }: { copied: Map<string, number>; damaged: Set<string>; signal: AbortSignal },
): Promise<number> {
  let left = 0;
  for await (const page of pagesOf(sideBySide(source.list(), target.list()))) {
    throwIfStopped(signal);
    const wanted = await target.wanted(page.map(({ file }) => file.sha256));
    for (const { file, there } of page) {
      const { sha256 } = file;
      const expected = { sha256, bytes: copied.get(sha256) ?? file.bytes, generation: wanted(sha256).generation };
      const isThere = there.some(
        ({ generation, bytes }) => generation === expected.generation && bytes === expected.bytes,
      );
      if (isThere || damaged.has(sha256)) continue;
      if (!copied.has(sha256)) left += 1;
      else if (!(await target.holds(expected))) throw lost(sha256, target);
    }
  }
  return left;
}

function lost(sha256: string, { place }: CopyTarget): OfferlineError {
  return new OfferlineError(
    'archive',
    `The archive ${place} took the file ${sha256} and does not have it. Ask who runs the store, and copy again.`,
  );
}

async function bytesIn(source: CopySource, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  for await (const file of source.list()) {
    throwIfStopped(signal);
    bytes += file.bytes;
  }
  return bytes;
}

/** Does the work on several at once; after a failure nothing more is begun, and what was begun is waited for. */
async function eachAtOnce(page: Beside[], signal: AbortSignal, work: (beside: Beside) => Promise<void>): Promise<void> {
  const waiting = page.values();
  let failed = false;
  const lane = async () => {
    for (const beside of waiting) {
      if (failed) return;
      throwIfStopped(signal);
      await work(beside);
    }
  };
  const lanes = Array.from({ length: AT_ONCE }, () =>
    lane().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  const ends = await Promise.allSettled(lanes);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

function throwIfStopped(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new OfferlineError('interrupted', 'Interrupted; the same command continues where this one ended.');
}

function none(): Amount {
  return { files: 0, bytes: 0 };
}

function add(amount: Amount, bytes: number): void {
  amount.files += 1;
  amount.bytes += bytes;
}
