import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import type { LiveNow } from '../../model.ts';
import { reasonOfRun, shownReason } from '../../wording/reasons/run-reasons.ts';
import { acceptanceInWords, columnInWords } from '../../wording/columns/accepted-column.ts';
import { printable } from '../../wording/printable.ts';
import { counted } from '../../wording/words.ts';
import type { Io } from '../io.ts';
import { withReader } from '../session.ts';

/** Adds `feeds`: the state of each feed. */
export function define(program: Command, io: Io): void {
  program
    .command('feeds')
    .description('Show the state of each feed: its last run, what is live, what is waiting, and when it runs next.')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', '\nExample:\n  offerline feeds\n')
    .action((options: { json?: true }, command: Command) =>
      withReader(command, async ({ ctx }) => {
        const states = await Promise.all(Object.keys(ctx.config.feeds).map((feed) => stateOf(feed, ctx)));
        const leaving = await leavingStates(ctx);
        if (options.json === true) return io.json([...states, ...leaving]);
        const [{ showTime, table }, { fitText }] = await Promise.all([import('../table.ts'), import('../fit.ts')]);
        const rows = states.map((state) => [
          state.feed,
          state.login,
          state.lastRun === null ? 'never run' : (state.lastRun.outcome ?? `(${state.lastRun.stage})`),
          state.live === null ? '' : `${state.live.rows}${state.now.doubt === null ? '' : ' ?'}`,
          state.live === null ? '' : showTime(state.live.since),
          state.candidate === null ? '' : state.candidate.run,
          showTime(state.nextDue),
          remark(state, showTime),
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
        io.out(table(head, rows, ['live rows']));
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
function acceptedText(feed: string, accepted: Accepted): string {
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
function remark(state: Awaited<ReturnType<typeof stateOf>>, showTime: (at: number | null) => string): string {
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

function reasonIn(run: Parameters<typeof reasonOfRun>[0]): string | null {
  return shownReason(reasonOfRun(run));
}

type Accepted = Awaited<ReturnType<typeof acceptedOf>>[number];

async function acceptedOf(feed: string, ctx: Context) {
  const { acceptedColumnsOf } = await import('../../ledger/runs/accepted-columns.ts');
  const { readSettings } = await import('../../config/schema/feed-settings.ts');
  const { placesByConfiguration } = await import('../../config/schema/match-names.ts');
  const rows = await acceptedColumnsOf(ctx.ledger.db, feed);
  const settings = readSettings(ctx.config, feed).columns;
  return rows.map(({ accepted, header_cells: header, width, who, reason, at: since, run }) => {
    const decided = placesByConfiguration(settings, { header, width });
    const columns = accepted.map(({ key, column, position }) => {
      return { key, column, position, inUse: !decided.some((one) => one.key === key || one.position === position) };
    });
    return { columns, header, width, who, reason, since, run };
  });
}

async function stateOf(feed: string, ctx: Context) {
  const { feedState } = await import('../../ledger/runs/feeds.ts');
  const { getRun, listRuns } = await import('../../ledger/runs/runs.ts');
  const { nextDue } = await import('../../jobs/queue/next-due.ts');
  const { standstillOf } = await import('../../ledger/uploads/standing.ts');
  const settings = ctx.config.feeds[feed];
  const db = ctx.ledger.db;
  const state = await feedState(db, feed, settings?.login ?? '');
  const [last] = await listRuns(db, { feed, limit: 1 });
  const live = state.contribution === null ? null : await getRun(db, state.contribution);
  const { liveFacts } = await import('../../jobs/logins/live-facts.ts');
  const { liveNow } = await import('../../jobs/logins/live-now.ts');
  const facts = await liveFacts(db, state.login);
  const now = liveNow(feed, facts);
  const schedule = settings?.schedule;
  const { incidentsNote, openIncidentsOf } = await import('./incident-answer.ts');
  const incidents = await openIncidentsOf({ feed }, ctx);
  return {
    feed,
    login: state.login,
    lastRun:
      last === undefined
        ? null
        : {
            run: last.id,
            outcome: last.outcome,
            stage: last.stage,
            reason: reasonIn(last),
            createdAt: last.created_at,
          },
    live: live === null ? null : { run: live.id, rows: now.proved?.live ?? 0, since: provedAt(now) },
    /** As in `show`; while it is uncertain, `live` is what was verified before. */
    now,
    /** An upload of its login that was accepted but not verified. */
    unproved: facts.unproved?.offerId ?? null,
    /** The source refused its credentials: since when, how often, and when the schedule asks next. */
    sourceDenied: await deniedBy(feed, ctx),
    paused: await pausedBy(feed, state.login, ctx),
    held: last?.outcome === 'held' ? { run: last.id, since: last.finished_at, reason: reasonIn(last) } : null,
    standstill: await standstillOf(db, feed),
    frozen: await frozenBy(feed, ctx),
    candidate: state.candidate === null ? null : { run: state.candidate, since: state.candidate_at },
    acceptedColumns: await acceptedOf(feed, ctx),
    incidents: incidents.answers,
    /** What is wrong with it, and which command shows more. */
    note: incidents.rows.length === 0 ? null : incidentsNote(incidents.rows, ` --feed ${feed}`),
    schedule: schedule ?? null,
    nextDue: schedule === undefined ? null : (state.next_due ?? nextDue(schedule, ctx.clock.now())),
  };
}

/** When the upload that these rows were verified in was accepted, as in `show` and `logins`. */
function provedAt({ proved }: LiveNow): number | null {
  return proved === null || proved.since === null ? null : Date.parse(proved.since);
}

/** Feeds that are live but no longer configured. */
async function leavingStates(ctx: Context) {
  const { leavingFeeds } = await import('../../jobs/feeds/leaving.ts');
  const { lastVerified } = await import('../../ledger/uploads/accepted-uploads.ts');
  const { liveFacts } = await import('../../jobs/logins/live-facts.ts');
  const { liveNow } = await import('../../jobs/logins/live-now.ts');
  const found = [];
  for (const login of Object.keys(ctx.config.logins)) {
    const live = await lastVerified(ctx.ledger.db, login);
    const facts = await liveFacts(ctx.ledger.db, login);
    for (const leaving of await leavingFeeds(login, live?.dataset ?? null, ctx)) {
      const { feed, stays, released, why } = leaving;
      const rows = liveNow(feed, facts).proved?.live ?? 0;
      // One that expired has a line of its own, and an incident.
      if (leaving.configured) continue;
      const then = stays
        ? `stays in the dataset: ${why}. To let it leave: \`offerline release ${feed} --reason TEXT\``
        : `leaves with the next upload${released ? ' (released)' : ''}`;
      found.push({ feed, login, configured: false, rows, stays, released, reason: `NOT CONFIGURED, ${then}` });
    }
  }
  return found;
}

async function deniedBy(feed: string, ctx: Context) {
  const { sourceDenialStanding } = await import('../../jobs/queries/feed-standing.ts');
  return sourceDenialStanding(feed, ctx);
}

async function frozenBy(feed: string, ctx: Context) {
  const { freezeOf } = await import('../../ledger/runs/freezes.ts');
  const freeze = await freezeOf(ctx.ledger.db, feed);
  return freeze === undefined ? null : { since: freeze.at, who: freeze.who, reason: freeze.reason };
}

async function pausedBy(feed: string, login: string, ctx: Context) {
  const { pauseOver } = await import('../../ledger/runs/pauses.ts');
  const pause = await pauseOver(ctx.ledger.db, feed, login);
  return pause === undefined ? null : { kind: pause.kind, since: pause.at, who: pause.who, reason: pause.reason };
}
