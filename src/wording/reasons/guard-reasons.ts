import { counted, grouped, percent } from '../words.ts';

/** What a guard checked: the file of a feed, or the dataset of a login. */
export type Guarded = { feed: string } | { login: string };

/** A brand or a tag that lost more rows than its guard allows. */
export type SliceDrop = { kind: 'brand' | 'tag'; name: string; before: number; after: number };

/** A guard that tripped: its setting with its limit, and the numbers that it compared. */
export type TrippedGuard = { whose: Guarded; limit: number } & (
  | { guard: 'minRows'; rows: number }
  | { guard: 'maxRejected'; rejected: number; read: number }
  | {
      guard: 'maxRowDrop' | 'maxRowGrowth';
      before: number;
      after: number;
      /** Rows that the service rejected are left out of the numbers. */
      withoutRejected: boolean;
    }
  | { guard: 'maxBrandDrop' | 'maxTagDrop'; first: SliceDrop; others: SliceDrop[]; more: number }
  | ({ guard: 'maxPriceJump' } & PriceJump)
  | { guard: 'maxStockDrop'; before: Share; after: Share }
);

/** Prices that are others altogether, of all that were compared. */
type PriceJump = { parts: number; of: number; how: 'jumped' | 'swapped' | 'unreadable' };

/** Some rows of all that say what is asked. */
type Share = { rows: number; of: number };

/** Which guard tripped and why, with the setting to change. */
export function guardSentence(tripped: TrippedGuard): string {
  const whose = 'feed' in tripped.whose ? `the file of ${tripped.whose.feed}` : `the dataset of ${tripped.whose.login}`;
  const limit = `guard.${tripped.guard} (${tripped.guard === 'minRows' ? tripped.limit : percent(tripped.limit)})`;
  switch (tripped.guard) {
    case 'minRows':
      return `${whose} has ${counted(tripped.rows, 'row')}, fewer than ${limit}`;
    case 'maxRejected': {
      const { rejected, read } = tripped;
      return `${percent(rejected / read)} of the rows of ${whose} were rejected (${rejected} of ${read}), more than ${limit}`;
    }
    case 'maxRowDrop':
    case 'maxRowGrowth': {
      const { before, after, withoutRejected } = tripped;
      const how = tripped.guard === 'maxRowDrop' ? 'shrank' : 'grew';
      const without = withoutRejected ? ' without those that the service rejected' : '';
      return `${whose} ${how} by ${percent(Math.abs(after - before) / before)} (from ${before} to ${after} rows${without}), more than ${limit}`;
    }
    case 'maxBrandDrop':
    case 'maxTagDrop': {
      const { first, others, more } = tripped;
      const also = others.map((drop) => `${drop.kind} ${drop.name} (${drop.before} → ${drop.after})`);
      const rest = [...also, ...(more === 0 ? [] : [`${more} more`])];
      const list = rest.length === 0 ? '' : `; also ${rest.join(', ')}`;
      return `the ${first.kind} ${first.name} of ${whose} ${lossOf(first)}, more than ${limit}${list}`;
    }
    case 'maxPriceJump':
      return `in ${whose} ${jumpText(tripped)}, more than ${limit}`;
    case 'maxStockDrop': {
      const { before, after } = tripped;
      const drop = percent(1 - after.rows / after.of / (before.rows / before.of));
      const shares = `from ${shareText(before)} to ${shareText(after)}`;
      return `the share of rows of ${whose} that are in stock fell by ${drop} (${shares}), more than ${limit}`;
    }
  }
}

function jumpText({ parts, of, how }: PriceJump): string {
  const some = `${grouped(parts)} of ${grouped(of)}`;
  switch (how) {
    case 'jumped':
      return `the price of ${percent(parts / of)} of the parts more than doubled or fell to less than half (${some} compared)`;
    case 'swapped':
      return `prices and article numbers are swapped (${some} compared)`;
    case 'unreadable':
      return `${percent(parts / of)} of the prices cannot be read any more (${some} rows)`;
  }
}

function shareText({ rows, of }: Share): string {
  return `${percent(rows / of)} (${grouped(rows)} of ${grouped(of)})`;
}

function lossOf({ before, after }: SliceDrop): string {
  if (after === 0) return `vanished (it had ${counted(before, 'row')})`;
  return `shrank by ${percent(1 - after / before)} (from ${before} to ${after} rows)`;
}
