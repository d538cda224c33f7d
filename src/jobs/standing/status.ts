import type { Context } from '../../context.ts';
import { failingMails } from '../../ledger/alerts/mails.ts';
import { restingFor } from '../../ledger/maintenance/restored.ts';
import { doubtIn, type Doubt } from '../logins/live-now.ts';
import { workersNow, type WorkersNow } from '../workers/workers-now.ts';
import { attendance } from '../doctor/attendance.ts';
import { standingFacts, type StandingFacts } from './facts.ts';
import { feedStatesFrom, leavingStatesFrom } from './feed-state.ts';
import { loginStatesFrom } from './login-state.ts';
import { plainWording, type StatusLine, type Wording } from './status-line.ts';
import { statusLines } from './status-lines.ts';

/** An installation at one moment: each login and feed one line, worst first. */
export type Status = {
  at: number;
  home: string;
  sandbox: boolean;
  clear: boolean;
  lines: StatusLine[];
} & WorkersNow;

/** A status as scripts see it. */
export type StatusAnswer = Omit<Status, 'lines'> & {
  lines: Omit<StatusLine, 'about' | 'action' | 'notLive' | 'quoted'>[];
};

/**
 * How the installation stands now. `scope`: only these feeds, without their logins and what concerns all; null: everything. `wording`:
 * how it is said.
 */
export async function statusOf(
  ctx: Context,
  { scope = null, wording = plainWording() }: { scope?: readonly string[] | null; wording?: Wording } = {},
): Promise<Status> {
  const now = ctx.clock.now();
  const facts = await standingFacts(ctx, scope);
  const { waiting } = await failingMails(ctx.ledger.db, now);
  const isAll = scope === null;
  const { workers, unserved } = isAll ? await workersNow(ctx) : { workers: [], unserved: [] };
  const lines = statusLines({
    logins: isAll ? loginStatesFrom(facts, ctx) : [],
    feeds: feedStatesFrom(facts, ctx),
    leaving: isAll
      ? leavingStatesFrom(facts, ctx)
      : leavingStatesFrom(facts, ctx).filter(({ feed }) => scope.includes(feed)),
    incidents: facts.incidents.all.map(({ row, facts: said, work }) => {
      return { id: row.id, facts: said, kind: row.kind, openedAt: row.opened_at, work };
    }),
    doubts: doubtsIn(facts),
    standstills: facts.standstills,
    attendance: await attendance(ctx),
    resting: isAll ? await restingFor(ctx.ledger.db) : null,
    workers,
    unserved,
    mails: isAll ? { waiting: waiting.length, error: waiting[0]?.error ?? null } : { waiting: 0, error: null },
    now,
    wording,
  });
  // Who sees nothing is not told that all is well.
  const clear = lines.length > 0 && !lines.some(needsSomebody);
  return { at: now, home: ctx.home, sandbox: ctx.sandbox, clear, lines, workers, unserved };
}

/** The logins that may serve something else than what was proved, each with why. */
function doubtsIn({ live }: StandingFacts): Map<string, Doubt> {
  return new Map(
    [...live].flatMap(([login, facts]) => {
      const doubt = doubtIn(facts);
      return doubt?.elsewhere === true ? [[login, doubt] as const] : [];
    }),
  );
}

/** The status without what only pages need. */
export function statusAnswer({ lines, ...status }: Status): StatusAnswer {
  return {
    ...status,
    lines: lines.map(({ about: _about, action: _action, notLive: _notLive, quoted: _quoted, ...line }) => line),
  };
}

/** Whether somebody has to do something, now or soon. */
export function needsSomebody({ tone }: Pick<StatusLine, 'tone'>): boolean {
  return tone === 'bad' || tone === 'waiting';
}
