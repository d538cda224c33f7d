import type { Context } from '../../context.ts';
import { factsOf, listIncidents } from '../../ledger/alerts/incidents.ts';
import { failingMails } from '../../ledger/alerts/mails.ts';
import { attendance } from '../doctor/attendance.ts';
import { feedStates, leavingStates } from './feed-state.ts';
import { loginStates } from './login-state.ts';
import type { StatusLine } from './status-line.ts';
import { statusLines } from './status-lines.ts';

/** An installation at one moment: each login and feed one line, worst first. */
export type Status = { at: number; home: string; sandbox: boolean; clear: boolean; lines: StatusLine[] };

/** A status as scripts see it. */
export type StatusAnswer = Omit<Status, 'lines'> & { lines: Omit<StatusLine, 'about' | 'action'>[] };

/** How the installation stands now. */
export async function statusOf(ctx: Context): Promise<Status> {
  const now = ctx.clock.now();
  const { waiting } = await failingMails(ctx.ledger.db, now);
  const incidents = await listIncidents(ctx.ledger.db);
  const lines = statusLines({
    logins: await loginStates(ctx),
    feeds: await feedStates(ctx),
    leaving: await leavingStates(ctx),
    incidents: incidents.map((row) => ({ id: row.id, facts: factsOf(row), kind: row.kind, openedAt: row.opened_at })),
    attendance: await attendance(ctx),
    mails: { waiting: waiting.length, error: waiting[0]?.error ?? null },
    now,
  });
  return { at: now, home: ctx.home, sandbox: ctx.sandbox, clear: !lines.some(needsSomebody), lines };
}

/** The status without what only pages need. */
export function statusAnswer({ lines, ...status }: Status): StatusAnswer {
  return { ...status, lines: lines.map(({ about: _about, action: _action, ...line }) => line) };
}

/** Whether somebody has to do something, now or soon. */
export function needsSomebody({ tone }: Pick<StatusLine, 'tone'>): boolean {
  return tone === 'bad' || tone === 'waiting';
}
