import { printable } from '../../wording/printable.ts';
import { counted, grouped, showTime, span } from '../../wording/words.ts';
import { cutText } from '../fit.ts';
import { table, type Cell } from '../table.ts';
import { paint } from '../tone.ts';
import { needsSomebody, type StatusAnswer } from '../../jobs/standing/status.ts';
import { TONE_MARKS } from '../../jobs/standing/tone.ts';

type Line = StatusAnswer['lines'][number];

/** What the screen can hold: undefined where nobody's terminal limits it. */
type Size = { columns: number | undefined; rows: number | undefined };

/**
 * The whole screen: a head, the lines with their next commands below them, and what to think of it all. Lines that do not fit are
 * left out from the end, where nothing has to be done, and counted; commands are never cut.
 */
export function statusScreen(status: StatusAnswer, { columns, rows }: Size, color: boolean): string {
  const head = `${status.sandbox ? 'SANDBOX  ' : ''}${showTime(status.at)} UTC  ${printable(status.home)}`;
  const [titles = '', ...shown] = table(['', 'name', 'live rows', 'state'], status.lines.map(cells), {
    numeric: ['live rows'],
    columns,
    color,
  }).split('\n');
  const shownWorkers = workerTable(status, columns);
  const room = rows === undefined ? Infinity : rows - FRAME - shownWorkers.length;
  const body: string[] = [];
  let left = status.lines.length;
  for (const [at, line] of status.lines.entries()) {
    const block = [
      shown[at]!,
      ...(line.next === null ? [] : [`${INDENT}${paint('busy', printable(line.next), color)}`]),
    ];
    const last = at === status.lines.length - 1;
    if (body.length + block.length + (last ? 0 : 1) > room) break;
    body.push(...block);
    left -= 1;
  }
  const more =
    left === 0
      ? []
      : [paint('quiet', `${INDENT}and ${grouped(left)} more: ${leftOut(status.lines.slice(-left))}`, color)];
  return [
    columns === undefined ? head : cutText(head, columns),
    '',
    titles,
    ...body,
    ...more,
    '',
    ...shownWorkers,
    verdict(status, color),
  ].join('\n');
}

/** The head and its blank line, the titles, a blank line and the verdict, and the line of the cursor. */
const FRAME = 6;
const INDENT = '   ';

function cells({ tone, what, name, login, rows, says }: Line): Cell[] {
  const title = name === null ? what : what === 'feed' ? `${name} (${login})` : `login ${name}`;
  return [{ text: TONE_MARKS[tone], tone }, title, rows === null ? '' : grouped(rows), { text: says, tone }];
}

/** Who works, where that is more than one process; a blank line after it. */
function workerTable({ workers, at }: StatusAnswer, columns: number | undefined): string[] {
  if (workers.length < 2) return [];
  const rows = workers.map(({ name, version, state, serves, since, seen, doing }): Cell[] => [
    name,
    state,
    version,
    showTime(since).slice(0, 16),
    `${span(Math.max(0, at - seen))} ago`,
    serves.join(', '),
    doing.join(', '),
  ]);
  const shown = table(['worker', '', 'version', 'since (UTC)', 'last seen', 'serves', 'works on'], rows, { columns });
  return [...shown.split('\n'), ''];
}

function leftOut(lines: Line[]): string {
  const wanting = lines.filter(needsSomebody).length;
  return wanting === 0
    ? 'none of them needs attention'
    : `${counted(wanting, 'line')} of them ${wanting === 1 ? 'needs' : 'need'} attention`;
}

function verdict({ lines }: StatusAnswer, color: boolean): string {
  const wanting = lines.filter(needsSomebody);
  if (wanting.length > 0) {
    const bad = wanting.some(({ tone }) => tone === 'bad');
    return paint(
      bad ? 'bad' : 'waiting',
      `${counted(wanting.length, 'line')} above ${wanting.length === 1 ? 'needs' : 'need'} attention.`,
      color,
    );
  }
  const quiet = lines.filter(({ tone }) => tone === 'quiet').length;
  const busy = lines.filter(({ tone }) => tone === 'busy').length;
  if (busy > 0) return paint('busy', `Nothing needs attention; ${grouped(busy)} in progress.`, color);
  if (quiet > 0)
    return paint('quiet', `Nothing needs attention; ${counted(quiet, 'line')} not live yet or paused.`, color);
  return paint('good', 'All clear: every feed is live and every dataset verified.', color);
}
