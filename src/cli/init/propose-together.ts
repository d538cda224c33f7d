import { basename, dirname } from 'node:path';
import { askTogether, type Person } from './ask.ts';
import type { FileGroup } from './group-files.ts';
import { proposeFeed, type FeedProposal } from './propose-feed.ts';
import { datedDeliveries, maybeOneList, togetherAs } from './several-files.ts';

const NOTHING = { columns: {}, dialect: {} };

/** Parts of one list hardly repeat each other's parts; a delivery repeats most of the one before. */
const MOST_DUPLICATES = 0.05;

/** Proposes a feed whose deliveries are the files of one date; null where those of a date are no parts of one list. */
export async function proposeDated(
  group: FileGroup,
  groups: FileGroup[],
  signal: AbortSignal,
): Promise<FeedProposal | null> {
  const others = groups.flatMap(({ files }) => files).filter((file) => dirname(file) === group.folder);
  const dated = datedDeliveries(
    group,
    others.filter((file) => !group.files.includes(file)),
  );
  return dated === null ? null : proposeOneList(dated, signal);
}

/** Proposes one feed for those whose files are parts of one list; the others stay. Somebody at a terminal is asked. */
export async function joinLists(
  feeds: FeedProposal[],
  person: Person | null,
  signal: AbortSignal,
): Promise<FeedProposal[]> {
  let joined = feeds;
  for (const parts of maybeOneList(feeds)) {
    const others = joined.filter((feed) => !parts.includes(feed));
    const group = togetherAs(parts, others);
    const together = await proposeOneList(group, signal);
    if (together === null) continue;
    const names = group.several!.parts.map((file) => basename(file));
    if (person !== null && !(await askTogether(names, person))) continue;
    joined = joined.flatMap((feed) => (feed === parts[0] ? [together] : parts.includes(feed) ? [] : [feed]));
  }
  return joined;
}

async function proposeOneList(group: FileGroup, signal: AbortSignal): Promise<FeedProposal | null> {
  const proposal = await proposeFeed(group, NOTHING, signal);
  if (!('detection' in proposal) || proposal.reason !== null || proposal.rows === null) return null;
  const { read, duplicates } = proposal.rows;
  return duplicates <= read * MOST_DUPLICATES ? proposal : null;
}
