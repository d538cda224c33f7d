import type { FeedTrace, Verdict } from './trace-in-run.ts';

/** A doubt, and what was live of a part before; `winner`: the feed that it was live from. */
export function uncertain(doubt: string, offerId: string | null, winner: string | null): string {
  if (offerId === null) return `${doubt}; no upload was verified before`;
  const before = winner === null ? 'it is not live' : `it is live from ${winner}`;
  return `${doubt}; in upload ${offerId}, the last one verified, ${before}`;
}

const WHY: [Verdict, string][] = [
  ['rejected-remotely', 'the service rejected the row of'],
  ['waiting', 'it is waiting to be uploaded from'],
  ['not-uploaded', 'it was not uploaded from'],
  ['expired', 'it left the dataset with the expired rows of'],
  ['rejected-locally', 'it was rejected here from'],
  ['removed', 'a mark in its row removes it from the rows of'],
  ['left-out', 'a rule leaves it out of the rows of'],
];

/** The first reason that holds, of the feed that came furthest; `rejectedIn`: the upload that has its row and rejected it. */
export function whyNot(feeds: FeedTrace[], rejectedIn: string | null): string {
  for (const [verdict, text] of WHY) {
    const found = feeds.find((feed) => feed.verdict === verdict);
    if (found === undefined) continue;
    return `${text} ${found.feed}${rejectedIn === null ? '' : ` in upload ${rejectedIn}`}`;
  }
  return 'no feed offers it';
}
