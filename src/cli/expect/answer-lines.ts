import type { DayAnswer, ExpectAnswer } from '../../jobs/propose/gather-times.ts';
import { printable } from '../../wording/printable.ts';
import { clockTime, counted, grouped } from '../../wording/words.ts';

/** More late deliveries are not listed; the JSON answer has all. */
const MOST_LATE = 20;

/** The answer as YAML: the proposed settings, and around them comments with what they rest on. */
export function answerLines(answer: ExpectAnswer): string[] {
  return [...evidence(answer), ...proposed(answer), ...late(answer), ...others(answer)].map(printable);
}

function evidence({ feed, timezone, from, to, deliveries, days }: ExpectAnswer): string[] {
  const [first, last] = [clockTime(from, timezone), clockTime(to, timezone)].map((time) => time.slice(0, 10));
  const count = counted(deliveries, 'delivery', 'deliveries');
  const head = `# ${feed}: ${count} from ${first} to ${last}, by the clock of ${timezone}`;
  if (deliveries === 0) return [head];
  return [head, '# day  delivered  first  usual  last   rows: usual (least to most)', ...days.map(dayLine)];
}

function dayLine({ day, of, delivered, times, rows }: DayAnswer): string {
  const share = `${delivered} of ${of}`.padEnd(9);
  if (times === null) return `# ${day}  ${share}`.trimEnd();
  const sizes =
    rows === null ? 'none read' : `${grouped(rows.usual)} (${grouped(rows.least)} to ${grouped(rows.most)})`;
  return `# ${day}  ${share}  ${times.first}  ${times.usual}  ${times.last}  ${sizes}`;
}

const WHY = {
  few: 'There are too few deliveries to propose anything: at least 10 over 14 days are needed. A longer time: --since 180d',
  irregular: 'It delivers on no certain days of the week, so the time between deliveries is proposed.',
  often: 'It delivers more than four times a day, so the time between deliveries is proposed.',
} as const;

function proposed({ feed, proposal, why, now }: ExpectAnswer): string[] {
  const reason = why === null ? [] : [`# ${WHY[why]}`];
  if (proposal === null) return reason;
  const instead =
    'expect' in proposal && now.expectEvery !== null
      ? ['# In place of expectEvery, which the feed has now:']
      : 'expectEvery' in proposal && now.expect !== null
        ? ['# In place of expect, which the feed has now:']
        : [];
  const lines =
    'expectEvery' in proposal
      ? [`    expectEvery: ${proposal.expectEvery}`]
      : ['    expect:', ...Object.entries(proposal.expect).map(([key, value]) => `      ${key}: ${asYaml(value)}`)];
  return [...reason, ...instead, 'feeds:', `  ${JSON.stringify(feed)}:`, ...lines];
}

function asYaml(value: string | number | string[] | { file: string } | undefined): string {
  if (Array.isArray(value)) return `[${value.map((one) => `'${one}'`).join(', ')}]`;
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'string' && value.includes(':') ? `'${value}'` : String(value);
}

function late({ late: found, proposal, timezone, holidays }: ExpectAnswer): string[] {
  if (proposal === null) return [];
  if (found.length === 0) return ['# With it nothing would have been late.'];
  const shown = found.slice(-MOST_LATE);
  const more = found.length - shown.length;
  const time = (at: number) => clockTime(at, timezone).slice(0, 16);
  return [
    `# With it ${counted(found.length, 'delivery', 'deliveries')} would have been late${more === 0 ? '' : `, of which these are the last ${MOST_LATE}`}:`,
    ...shown.map(({ due, came, run }) =>
      came === null
        ? `#   due ${time(due)}, nothing came`
        : `#   due ${time(due)}, came ${time(came)}${run === null ? '' : ` (run ${run})`}`,
    ),
    ...(holidays === null ? [] : [`# All days on which nothing came are public holidays: holidays: [${holidays}]`]),
  ];
}

function others({ away, feed }: ExpectAnswer): string[] {
  return away.map(({ first_day, last_day, who, reason }) => {
    const days = first_day === last_day ? first_day : `${first_day}/${last_day}`;
    return `# Away ${days}, by ${who}: ${reason}. To take it back: offerline expect ${feed} --away ${days} --revoke --reason TEXT`;
  });
}
