import type { Context } from '../../context.ts';
import type { BlobKind } from '../../ledger/maintenance/references.ts';

/** What a way of making a file again works with. */
export type Rebuilding = {
  owner: string;
  /** Where it may write; removed afterwards. */
  folder: string;
  /** Keeps a file that was made when its hash is the one that is looked for; true when it is. */
  keep: (path: string) => Promise<boolean>;
  /** Whether another file is whole, or could be made again. */
  whole: (sha256: string | null, kind: BlobKind, owner: string) => Promise<boolean>;
  ctx: Context;
  signal: AbortSignal;
};
