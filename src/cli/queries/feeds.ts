import type { Command } from 'commander';
import type { LiveNow } from '../../model.ts';
import { acceptanceInWords, columnInWords } from '../../wording/columns/accepted-column.ts';
import { printable } from '../../wording/printable.ts';
import { counted, showTime } from '../../wording/words.ts';
import type { Io } from '../io.ts';
import { withReader } from '../session.ts';
import type { Cell } from '../table.ts';
import type { AcceptedColumns, FeedState } from '../../jobs/standing/feed-state.ts';

/** Adds `feeds`: the state of each feed. */
export function define(program: Command, io: Io): void {
  program
    .command('feeds')
    .description('Show the state of each feed: its last run, what is live, what is waiting, and when it runs next.')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', '\nExample:\n  offerline feeds\n')
    .action((options: { json?: true }, command: Command) =>
      withReader(command, io, async ({ ctx }) => {
        const { allFeedStates } = await import('../../jobs/standing/feed-state.ts');
        const { feeds: states, leaving } = await allFeedStates(ctx);
        if (options.json === true) return io.json([...states, ...leaving]);
        const [{ table }, { fitText }, { toneOf }] = await Promise.all([
          import('../table.ts'),
          import('../fit.ts'),
          import('../../jobs/standing/tone.ts'),
        ]);
        const rows = states.map((state): Cell[] => [
          state.feed,
          state.login,
          state.lastRun === null
            ? { text: 'never run', tone: 'quiet' }
            : { text: state.lastRun.outcome ?? `(${state.lastRun.stage})`, tone: toneOf(state.lastRun.outcome) },
          state.live === null ? '' : `${state.live.rows}${state.now.doubt === null ? '' : ' ?'}`,
          state.live === null ? '' : showTime(state.live.since),
          state.candidate === null ? '' : state.candidate.run,
          showTime(state.nextDue),
          remark(state),
        ]);
        for (const { feed, login, rows: live, reason } of leaving) {
          rows.push([feed, login, '', String(live), '', '', '', reason]);
        }
        const head = [
          'feed',
          'login',
          'last run',
          'live rows',
          'live since (UTC)',
          'waiting',
          'next run (UTC)',
          'reason',
        ];
        io.styled(table(head, rows, { numeric: ['live rows'], color: io.color }));
        for (const note of uncertaintyNotes(states)) io.out(fitText(`\n${note}`));
        for (const { feed, acceptedColumns } of states)
          for (const accepted of acceptedColumns) io.out(fitText(`\n${printable(acceptedText(feed, accepted))}`));
        for (const { feed, sourceDenied } of states)
          if (sourceDenied !== null) io.out(fitText(`\nfeed ${feed}: ${sourceDenied.note}`));
        for (const { note } of states) if (note !== null) io.out(fitText(`\n${note}`));
      }),
    );
}

/** One line for each login whose live rows are uncertain: the rows above are those that were verified last. */
function uncertaintyNotes(states: { login: string; now: LiveNow; unproved: string | null }[]): string[] {
  const byLogin = new Map(states.map(({ login, now, unproved }) => [login, { doubt: now.doubt, unproved }]));
  return [...byLogin].flatMap(([login, { doubt, unproved }]) => {
    if (doubt === null) return [];
    const what = unproved === null ? doubt : `upload ${unproved} was accepted but could not be confirmed as live`;
    return [
      `login ${login}: ${what}; the rows above were verified before that. To see why: offerline incidents --login ${login}`,
    ];
  });
}

/** Columns that a person accepted for one header of a feed. */
function acceptedText(feed: string, accepted: AcceptedColumns): string {
  const { header, who, since, reason, run } = accepted;
  const columns = accepted.columns.map(
    (one) => `${columnInWords(one)}${one.inUse ? '' : ' (gives way to the configuration)'}`,
  );
  const by = acceptanceInWords({ who, at: since, reason });
  const where = header.length === 0 ? `${accepted.width} columns without a header` : `the header ${header.join(' | ')}`;
  return (
    `feed ${feed}: ${columns.join(', ')}, ${by} (run ${run}); for files with ${where}. ` +
    `To take it back: offerline approve ${run} --columns --revoke --reason TEXT`
  );
}

/** What ops must know first: a freeze, a pause, or why the last run ended as it did. */
function remark(state: FeedState): string {
  const { frozen, paused, lastRun, standstill } = state;
  if (frozen !== null) return `FROZEN since ${showTime(frozen.since)} by ${frozen.who}: ${frozen.reason}`;
  if (paused !== null) return `PAUSED since ${showTime(paused.since)} by ${paused.who}: ${paused.reason}`;
  if (standstill !== null) {
    const { since, deliveries, last } = standstill;
    const many = deliveries > 1 ? ` (${counted(deliveries, 'delivery', 'deliveries')})` : '';
    return `${last.outcome?.toUpperCase()} since ${showTime(since)}${many}: ${last.reason ?? ''}`;
  }
  return lastRun?.reason ?? '';
}
