import type { Context } from '../../context.ts';
import { offerOf, type DatasetRow } from '../../ledger/schema/schema.ts';
import { tagKey } from '../../compose/offer-file.ts';
import type { TraceInput } from '../../upload/errors/trace.ts';

/** The task of tracing rejections, for a thread. */
export const TRACING = { module: new URL('../../upload/errors/trace.ts', import.meta.url), name: 'traceRejections' };

/** What tracing the rejections of an upload of this dataset reads, and where it writes those of each feed. */
export function traceInput(
  dataset: DatasetRow,
  errorsSha: string | null,
  outputs: Record<string, string>,
  ctx: Context,
): TraceInput {
  const { columns, tagSeparator } = offerOf(dataset);
  return {
    errorsPath: errorsSha === null ? null : ctx.archive.file(errorsSha),
    indexPath: ctx.archive.file(dataset.index_sha),
    columns: Object.keys(columns),
    tagSeparator,
    tagColumn: tagKey(offerOf(dataset)),
    outputs,
  };
}
