import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../../../src/context.ts';
import type { DecisionOf } from '../../../../src/jobs/decisions/second/person.ts';
import { advanceRun } from '../../../../src/jobs/run/flow.ts';
import { insertUser } from '../../../../src/ledger/access/users.ts';
import { listIncidents } from '../../../../src/ledger/alerts/incidents.ts';
import { createRun, getRun } from '../../../../src/ledger/runs/runs.ts';
import { updateIntent } from '../../../../src/ledger/uploads/intents.ts';
import { attemptsOf, updateUpload } from '../../../../src/ledger/uploads/uploads.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { contextFor, intend, leaseOf } from '../../../upload/upload-world.ts';

const START = Date.UTC(2026, 4, 4, 6, 0, 0);
const HOUR = 3_600_000;
const SOURCE = { type: 'directory', path: '.' };

/** An installation in which approvals and rollbacks need a second person, whose clocks go on by a millisecond with each look at one. */
export async function secondWorld(decisions: object = { approve: { second: true }, rollback: { second: true } }) {
  const opened = await contextFor('http://127.0.0.1:9', {
    feeds: { north: { login: 'main', source: SOURCE, guard: { minRows: 5 } } },
    managers: [{ email: 'boss@example.com' }],
    decisions,
  });
  let now = START;
  const machine = { ahead: 0 };
  const ledger = { ...opened.ledger, now: () => Promise.resolve((now += 1)) };
  const ctx: Context = { ...opened, ledger, clock: { ...opened.clock, now: () => (now += 1) + machine.ahead } };
  const { db } = ledger;
  let files = 0;
  /** A run of north whose file has fewer rows than its guard allows. */
  const held = async () => {
    files += 1;
    now += 1000;
    const file = join(tempFolder(), 'list.csv');
    writeFileSync(file, `brand;oem\nBOSCH;${files}\n`);
    const asked = { feed: 'north', login: 'main', cause: 'manual', options: { file }, sandbox: false, now } as const;
    const id = await createRun(db, asked);
    await advanceRun(id, { pulling: false }, ctx, new AbortController().signal);
    return id;
  };
  /** An upload of main that was proved live. */
  const live = async (part: string) => {
    now += 1000;
    const lease = await leaseOf(ctx);
    const { intent } = await intend(ctx, lease, [['BOSCH', part, '', '']]);
    const [{ id } = { id: '' }] = await attemptsOf(db, intent.id);
    await updateUpload(db, id, { state: 'success', offer_id: part, sent_at: now, closed_at: now });
    await updateIntent(db, intent.id, { result: 'met', closed_at: now });
    await lease.release();
    return id;
  };
  return {
    ctx,
    db,
    held,
    live,
    pass: (hours: number) => (now += hours * HOUR),
    /** Sets the clock of this machine, but not that of the ledger. */
    setClock: (hours: number) => (machine.ahead = hours * HOUR),
    outcome: async (run: string) => (await getRun(db, run)).outcome,
    user: (name: string, role: 'viewer' | 'manager' | 'ops' = 'ops') => insertUser(db, userOf(name, role)),
    /** What the audit has: who did what, and why. */
    audit: async () => {
      const rows = await db.selectFrom('audit').selectAll().orderBy('at').orderBy('id').execute();
      return rows.map(({ who, action, reason }) => [who, action, reason]);
    },
    incidents: async () => (await listIncidents(db, { all: true })).map(({ kind, recovery }) => [kind, recovery]),
  };
}

function userOf(name: string, role: 'viewer' | 'manager' | 'ops') {
  const times = { created_at: START, changed_at: START, disabled_at: null };
  return { name, role, email: `${name}@example.com`, language: null, password: 'x', ...times };
}

/** Somebody who signed in to the console. */
export function by(who: string, reason = 'season end'): DecisionOf {
  return { who, reason, via: 'console', origin: '192.0.2.1' };
}
