import type { PartsChange, PartsGone, PriceJump, Share, SliceDrop, TrippedGuard } from '../../model.ts';
import { counted, grouped, percent } from '../words.ts';

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
    case 'maxLeftOut': {
      const { before, after } = tripped;
      return (
        `rules left out ${shareText(after)} of the rows of ${whose}, and ${shareText(before)} of the delivery that was verified last: ` +
        `more than ${percent(tripped.limit)} of the rows in addition (guard.maxLeftOut)`
      );
    }
    case 'maxPartsGone':
      return goneSentence(tripped, whose, limit);
  }
}

function goneSentence({ gone, of, change, other, examples }: PartsGone, whose: string, limit: string): string {
  const mixed = other === null ? null : `${percent(other.share)} of its parts are those of ${other.feed}`;
  const hint = 'the files may have been mixed up';
  if (of === 0) return `${whose} is the first of its feed, and ${mixed}: ${hint} (guard.maxPartsGone)`;
  const what = `${whose} lacks ${percent(gone / of)} of the parts that are live (${grouped(gone)} of ${grouped(of)}), more than ${limit}`;
  if (mixed !== null) return `${what}: ${mixed}: ${hint}`;
  if (change === null) return what;
  const [example] = examples;
  const such = example === undefined || example.after === null ? '' : `, such as ${pairText(example)}`;
  return `${what}: ${changeText(change)} (${grouped(change.parts)} of ${grouped(change.of)} compared${such})`;
}

/** What happened to the parts of a delivery. */
function changeText(change: PartsChange): string {
  switch (change.what) {
    case 'ending':
      return change.isNew ? `its numbers end in “${change.text}” now` : `its numbers no longer end in “${change.text}”`;
    case 'beginning':
      return change.isNew
        ? `its numbers begin with “${change.text}” now`
        : `its numbers no longer begin with “${change.text}”`;
    case 'zeros':
      return `its numbers have ${change.isNew ? 'gained' : 'lost'} leading zeros`;
    case 'brand-before':
      return `its numbers ${change.isNew ? 'begin with their brand now' : 'no longer begin with their brand'}`;
    case 'letters':
      return 'its parts are written with look-alike letters of another alphabet';
    case 'marks':
      return 'its numbers are written with other marks among their letters and digits';
    case 'swapped':
      return 'brand and number stand in each other’s place';
    case 'brand':
      return 'its numbers stand under other brands';
  }
}

/** A part before and after: `BOSCH 0986 → BOSCH 0986-N`. */
export function pairText({ before, after }: PartsGone['examples'][number]): string {
  const name = ({ brand, oem }: { brand: string; oem: string }) => `${brand} ${oem}`.trim();
  return after === null ? name(before) : `${name(before)} → ${name(after)}`;
}

/** Examples of live parts that a delivery lacks, for a terminal. */
export function goneLines({ gone, of, examples }: PartsGone): string[] {
  if (examples.length === 0) return [];
  const shown = examples.map((example) => `  ${pairText(example)}`);
  return [`Of the ${counted(of, 'live part')} ${grouped(gone)} are missing, such as:`, ...shown];
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
