import { rm } from 'node:fs/promises';
import { bytesOf, hashBytes } from '../../archive/durable.ts';
import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import type { BlobKind, Reference } from '../../ledger/maintenance/references.ts';
import { composeAgain, datasetFromItsIndex, indexOfBaseline } from './rebuild-dataset.ts';
import { datasetFromService, errorsFromService } from './from-service.ts';
import { readAgain, rowsFromDatasets, traceAgain, traceIntent } from './rebuild-rows.ts';
import type { Rebuilding } from './rebuilding.ts';

/** A way of making a file again; what it cannot do it leaves. */
type Way = (work: Rebuilding) => Promise<void>;

/** The ways to each kind of file, the cheapest first. A delivery, or what was pushed, comes from its supplier only; a mail says how things stood then. */
const WAYS: Record<BlobKind, Way[]> = {
  delivery: [],
  rows: [rowsFromDatasets, readAgain],
  sample: [readAgain],
  issues: [readAgain],
  rejections: [traceAgain],
  dataset: [datasetFromItsIndex, composeAgain, datasetFromService],
  index: [indexOfBaseline, composeAgain],
  errors: [errorsFromService],
  standing: [traceIntent],
  mail: [],
  pushed: [],
};

/**
 * Makes a file of the archive again, from what was set aside or from what it was made of, and answers whether it is whole. Only bytes with the same hash take its
 * place, so that nothing is ever mended into something else. `tried`: files that are being made already.
 */
export async function rebuild(
  sha256: string,
  references: Pick<Reference, 'kind' | 'owner'>[],
  tried: Set<string>,
  ctx: Context,
  signal: AbortSignal,
): Promise<boolean> {
  if (tried.has(sha256)) return false;
  tried.add(sha256);
  if (await ctx.archive.takeBack(sha256)) return true;
  for (const { kind, owner } of references) {
    for (const way of WAYS[kind]) {
      const folder = await ctx.archive.tempFolder();
      let found = false;
      try {
        const keep = async (path: string) => {
          const blob = await hashBytes(bytesOf(path));
          if (blob.sha256 !== sha256) return false;
          await ctx.archive.adopt(path, blob);
          return (found = true);
        };
        const whole = async (other: string | null, of: BlobKind, its: string) =>
          other !== null &&
          ((await ctx.archive.verify(other)) === 'ok' ||
            (await rebuild(other, [{ kind: of, owner: its }], tried, ctx, signal)));
        await way({ owner, folder, keep, whole, ctx, signal });
      } catch (error) {
        signal.throwIfAborted();
        ctx.log.info({ sha256, kind, owner, why: messageOf(error) }, 'archived file could not be made again this way');
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
      if (found) return true;
    }
  }
  return false;
}
