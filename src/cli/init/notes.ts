import { basename } from 'node:path';
import { counted } from '../../wording/words.ts';
import { literal, patternOf } from './group-files.ts';
import { datedName } from './names-with-dates.ts';
import { goneBy, isChanges } from './propose-changes.ts';
import type { FeedProposal } from './propose-feed.ts';
import { hasOpenMarks } from './several-files.ts';

/** What somebody should know of a proposal, in sentences: what is not taken, how parts go, and what could be otherwise. Pure. */
export function notesOf(feed: FeedProposal): string[] {
  return [...nameNotes(feed), ...(feed.doubts ?? []), ...archiveNotes(feed), ...changesNotes(feed)];
}

/** That later deliveries are not taken, where a pattern for them would take files of other feeds, too. */
function nameNotes({ pattern, files, several, delivery }: FeedProposal): string[] {
  const name = basename(files[0]!);
  const isExact = pattern === literal(name) && patternOf(name) !== pattern;
  if (!isExact || several !== undefined || delivery !== undefined) return [];
  const dated = datedName(name)?.pattern;
  const how = dated === undefined ? 'a pattern that fits only its files' : `the pattern ${dated}`;
  return [
    `Only ${name} is taken, and no later delivery: ${patternOf(name)} would take files of another feed, too. Write ${how}.`,
  ];
}

/** Which files of an archive are read, where not all are. */
function archiveNotes({ entries, entry, unread = [] }: FeedProposal): string[] {
  const patterns = entry === null ? entries : [entry];
  if (patterns === null || patterns === 'all') return [];
  const left = unread.length === 0 ? '' : `; ${listed(unread)} ${unread.length === 1 ? 'is' : 'are'} left out`;
  return [
    `Of the archive, files that fit ${patterns.join(' or ')} are read${left}. Lists that fit no pattern are not taken.`,
  ];
}

/** Which changes are taken, and how they say that a part is gone. */
function changesNotes(feed: FeedProposal): string[] {
  const { delivery, files } = feed;
  if (delivery !== undefined) return [hasOpenMarks(feed) ? notTakenNote(delivery) : goneNote(feed, delivery)];
  if (!isChanges(feed)) return [];
  const how = files.length === 1 ? '' : `, and all ${files.length} files are taken in their order`;
  return [
    `The newest file is taken as the full list, though its name speaks of changes. If it has only what has changed, write delivery: changes${how} (docs/changes.md).`,
  ];
}

type Delivery = NonNullable<FeedProposal['delivery']>;

function notTakenNote({ changed, marks }: Delivery): string {
  const open = marks!.open.map((mark) => JSON.stringify(mark)).join(', ');
  const what = `${counted(changed.length, 'file')} with changes ${changed.length === 1 ? 'is' : 'are'} not taken (${listed(changed.map((file) => basename(file)).sort())})`;
  return `${what}: it is not known which mark in ${marks!.column} removes a part (${open}). The configuration has the lines for it as a comment.`;
}

function goneNote(feed: FeedProposal, { marks, stock }: Delivery): string {
  const rule = 'If it does, remove the "# " before rules.';
  switch (goneBy(feed)) {
    case 'mark': {
      const removed = marks!.removed.join(', ');
      return marks!.isGuess
        ? `No row of the newest changes removes a part: that ${removed} in ${marks!.column} does is a guess. Ask the supplier.`
        : `Rows of changes with ${removed} in ${marks!.column} remove their parts.`;
    }
    case 'stock':
      return `Rows of changes with stock 0 (${stock!.column}) remove their parts, by the rule "no stock": the full list has no such rows.`;
    case 'perhaps stock':
      return stock!.inChanges
        ? `Nothing tells whether stock 0 (${stock!.column}) in changes removes a part: the full list has such rows, too. ${rule}`
        : `No row of the newest changes removes a part: they have no marks, and no stock 0 (${stock!.column}). Ask the supplier whether stock 0 will. ${rule}`;
    case null:
      return stock === null
        ? 'Nothing in the newest changes says that a part is gone: they have no marks and no stock. Parts go only with the next full list; if the supplier marks them, write change (docs/changes.md).'
        : `Stock 0 (${stock.column}) in changes removes no part: a rule for it needs the column in the full list, too. Ask the supplier how parts go (docs/changes.md).`;
  }
}

const MOST_LISTED = 5;

function listed(names: string[]): string {
  const more = names.length - MOST_LISTED;
  return [...names.slice(0, MOST_LISTED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
