import { keptBytes } from '../../archive/kept-file.ts';
import type { SourceConfig } from '../../config/schema/source-schema.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { allPushedTo, newestPushed, pushedFile, pushedTo } from '../../ledger/pushed.ts';
import { own } from '../../io/dictionary.ts';
import type { PushedRow } from '../../ledger/schema/schema.ts';
import type { Listed } from '../../pull/choose/choose.ts';
import type { PushedFiles } from '../../pull/source.ts';

/** What was pushed to the feed of a source, from ledger and archive; undefined for sources of other kinds. */
export function pushedFiles(
  source: SourceConfig,
  { config, ledger: { db }, archive }: Pick<Context, 'config' | 'ledger' | 'archive'>,
): PushedFiles | undefined {
  if (source.type !== 'push') return undefined;
  const { feed } = source;
  // Changes do not take the place of those before them, also when all have one name.
  const isWhole = (own(config.feeds, feed)?.delivery ?? 'full') === 'full';
  return {
    list: async () => (await (isWhole ? pushedTo : allPushedTo)(db, feed)).map(listedAs),
    look: async ({ name, id = '' }) => {
      const row = await (isWhole ? newestPushed(db, feed, name) : pushedFile(db, feed, id));
      return row === undefined ? undefined : listedAs(row);
    },
    read: async function* ({ name, id = '' }) {
      const row = await pushedFile(db, feed, id);
      if (row === undefined)
        throw new OfferlineError('archive', `${name} is not kept any more (keep.deliveries).`, { retryable: false });
      yield* keptBytes(archive.file(row.sha256));
    },
  };
}

function listedAs({ id, name, bytes, at }: PushedRow): Listed {
  return { name, size: bytes, mtimeMs: at, id };
}
