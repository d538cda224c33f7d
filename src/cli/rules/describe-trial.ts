import type { LiveInstead } from '../../jobs/trial/live-instead.ts';
import type { TriedDelivery, TriedRule } from '../../jobs/trial/try-delivery.ts';
import type { TriedRules } from '../../jobs/trial/try-rules.ts';
import type { RowRule, RuleExample } from '../../model.ts';
import { diffLines } from '../../wording/diff-words.ts';
import { placeWords } from '../../wording/files/place.ts';
import { counted, grouped, showTime } from '../../wording/words.ts';

/** Rules apply to what is read with them. */
const UNTRIED = 'stay as they were read; a full list brings the rules to all rows.';

/** Brands whose changes are shown of what would be live. */
const SHOWN_BRANDS = 5;

/** What would be live instead, for a terminal. */
export function liveLines({ state, why, run, upload, upon, feeds, diff, held }: LiveInstead, login: string): string[] {
  if (state === 'nothing') return ['Nothing of the feed is live, so nothing would change there.'];
  const what = `What would be live at ${login} instead of upload ${upload ?? '?'} (run ${run ?? '?'})`;
  if (state === 'unknown') return [`${what} is not known: ${why}`];
  const rows = feeds.map(({ feed, before, after }) => `${feed} ${fromTo(before, after)}`).join(', ');
  return [
    `${what}: ${rows}`,
    ...(upon === null ? [] : [`  It has changes: the rows of run ${upon}, which they are put upon, ${UNTRIED}`]),
    ...(diff === null ? [] : diffLines({ ...diff, of: 'dataset' }, SHOWN_BRANDS).map((line) => `  ${line}`)),
    ...(held === null ? [] : [`  A run would hold the delivery: ${held.why}`]),
  ];
}

/** What the rules do to a delivery. */
export function deliveryLines({ run, at, name, state, why, upon, rows, change, rules }: TriedDelivery): string[] {
  const head = `${showTime(Date.parse(at))}  ${name ?? 'a delivery'} (run ${run})`;
  if (state === 'gone') return [`${head}: passed over: ${why}`];
  if (state !== 'read') return [`${head}: it would be ${state}: ${why}`];
  const { before, after } = rows;
  const sums = [
    `${grouped(after!.read)} read`,
    `accepted ${fromTo(before?.accepted ?? null, after!.accepted)}`,
    `left out ${fromTo(before?.leftOut ?? null, after!.leftOut)}`,
  ];
  const put = upon === null ? '' : `; changes, put upon the rows of run ${upon} as these were read`;
  return [`${head}: ${sums.join(', ')}${changeText(change)}${put}`, ...rules.flatMap(ruleLines)];
}

/** What each rule does to all deliveries together, and what was left out of the trial. */
export function inAllLines({ deliveries, left, rules, since }: TriedRules): string[] {
  const read = deliveries.filter(({ state }) => state === 'read').length;
  const from = `since ${showTime(Date.parse(since))}`;
  if (deliveries.length + left === 0) return [`No delivery came ${from}.`];
  const untried = left === 0 ? [] : [`There was no time for ${counted(left, 'more delivery', 'more deliveries')}.`];
  if (read === 0) return [`No delivery ${from} could be read again.`, ...untried];
  if (rules.length === 0)
    return [`The feed has no rules; read again ${from}: ${counted(read, 'delivery', 'deliveries')}.`, ...untried];
  return [
    `In all, in ${counted(read, 'delivery', 'deliveries')} ${from}:`,
    ...rules.map(({ rule, does, rows, before, deliveries: of }) =>
      rows === 0
        ? `  ${rule}: acts on no row; it never matched`
        : `  ${rule}: ${doesTo(does, rows)} in ${of} of them (was ${grouped(before)})`,
    ),
    ...untried,
  ];
}

function ruleLines({ rule, does, rows, before, full, examples }: TriedRule): string[] {
  if (rows === null) return [`  ${rule}: there is no such rule any more (was ${counted(before ?? 0, 'row')})`];
  const was = before === null ? 'new' : before === rows ? 'as before' : `was ${grouped(before)}`;
  const lacking = full === 0 ? '' : `; ${counted(full, 'row')} of these had no room for all tags`;
  return [`  ${rule}: ${doesTo(does, rows)} (${was})${lacking}`, ...examples.map((one) => `    ${exampleText(one)}`)];
}

function doesTo(does: RowRule['does'], rows: number): string {
  if (rows === 0) return 'acts on no row';
  return `${does === 'leave-out' ? 'leaves out' : 'changes'} ${counted(rows, 'row')}`;
}

function exampleText({ part, cells, ...place }: RuleExample): string {
  const changes = cells.map(({ column, before, after }) => `${column} “${before}” → “${after}”`);
  return `${placeWords(place)} ${part}${changes.length === 0 ? '' : `: ${changes.join(', ')}`}`;
}

function changeText(change: TriedDelivery['change']): string {
  if (change === null) return '';
  const said = Object.entries(change).flatMap(([what, rows]) => (rows === 0 ? [] : [`${grouped(rows)} ${what}`]));
  return `; ${said.length === 0 ? 'no part changed' : `parts: ${said.join(', ')}`}`;
}

function fromTo(before: number | null, after: number): string {
  return before === null || before === after ? grouped(after) : `${grouped(before)} → ${grouped(after)}`;
}
