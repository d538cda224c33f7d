import type { Context } from '../../context.ts';
import { openIncident, raise, recover } from '../../ledger/alerts/incidents.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { SourceConfig } from '../../config/schema/source-schema.ts';
import { patternIn } from '../../pull/several/wanted.ts';
import { isFolder } from '../feeds/place-of-feed.ts';
import { originOf, type Pulled } from '../../pull/source.ts';

/** Names that a reason shows. */
const SHOWN = 5;

/** Whether another feed takes a file of this name from the same place. */
function isOfAnother(name: string, feed: string, source: SourceConfig, { config }: Context): boolean {
  return Object.entries(config.feeds).some(([other, { source: its }]) => {
    const isHere = other !== feed && originOf(its) === originOf(source);
    return isHere && isFolder(its) && patternIn(its).matches(name);
  });
}

/** Opens an incident while newer files of a feed's place almost fit its pattern and none is taken, and ends it once none does. */
export async function noteMisnamed({ login, feed, options }: RunRow, pulled: Pulled, ctx: Context): Promise<void> {
  const source = ctx.config.feeds[feed]?.source;
  if (source === undefined || !isFolder(source) || options.file !== undefined) return;
  const what = { kind: 'misnamed-file', login, feed } as const;
  const near =
    pulled.kind === 'file' ? [] : (pulled.near ?? []).filter((name) => !isOfAnother(name, feed, source, ctx));
  const now = ctx.clock.now();
  const { db } = ctx.ledger;
  if (near.length === 0) {
    // Hardly ever is there anything to write.
    if ((await openIncident(db, what)) === undefined) return;
    await recover(db, { ...what, text: 'no newer file almost fits the pattern any more' }, now);
    return;
  }
  const { text: pattern } = patternIn(source);
  const reason = {
    code: 'misnamed',
    files: near.slice(0, SHOWN),
    more: Math.max(0, near.length - SHOWN),
    pattern,
  } as const;
  await raise(db, { ...what, reason }, now);
}
