import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROUTES } from '../../../src/web/routes.ts';
import { deliverAndRun, goodRows, heldRun, strangeColumns, unsureLetter } from '../../support/console-work.ts';
import type { Client, ConsoleUnderTest } from '../../support/console.ts';
import { until } from '../../support/until.ts';

/** What a console is configured with, so that each action can be done in it. */
export const CONFIG = {
  logins: {
    main: { coalesce: '0s' },
    other: { coalesce: '0s', auth: { type: 'basic', user: 'other', password: 'secret' } },
    back: { coalesce: '0s', auth: { type: 'basic', user: 'back', password: 'secret' } },
    // A delivery without any part that is live is not what is told here.
    third: {
      coalesce: '0s',
      guard: { maxPartsGone: '100%' },
      auth: { type: 'basic', user: 'third', password: 'secret' },
    },
  },
  feeds: {
    north: {},
    south: {},
    odd: {},
    late: {},
    free: {},
    east: { login: 'other' },
    frost: { login: 'other' },
    west: { login: 'third' },
    old: { login: 'back' },
  },
};

/** A form of the console with what it takes to send it. `later`: a worker has something to do then. */
export type Action = { route: string; path: string; fields: Record<string, string>; later: boolean };

const why = 'stocktaking';

/** Forms that decide nothing, and that of an upload of unknown outcome, which tests of their own have. */
const OTHERS = [
  '/sign-in',
  '/sign-in/code',
  '/sign-in/enrol',
  '/sign-out',
  '/language',
  '/feeds/:feed/source',
  '/feeds/:feed/rules',
  '/feeds/:feed/rules/yaml',
  '/logins/:login/rehearse',
  '/runs/:run/rehearse',
  '/check',
  '/check/marked',
  '/check/deliver',
  '/check/deliver/confirm',
  '/system/doctor',
  '/account/password',
  '/account/factor',
  '/uploads/:upload/resolve',
];

/** Brings a console to where each action can be done, and gives all of them; a route without one fails. */
export async function everyAction(served: ConsoleUnderTest, admin: Client): Promise<Action[]> {
  const done = async (path: string, fields: Record<string, string> = { reason: why }) => {
    const { status } = await admin.post(path, fields);
    expect({ path, status }).toEqual({ path, status: 303 });
  };
  const held = await heldRun('north', admin, served);
  const other = await heldRun('south', admin, served);
  const columns = await deliverAndRun('odd', strangeColumns(), admin, served);
  const unsure = await deliverAndRun('late', unsureLetter(), admin, served);
  const [first, last] = [
    await deliverAndRun('east', goodRows(30), admin, served),
    await deliverAndRun('east', goodRows(31), admin, served),
  ];
  const old = await deliverAndRun('old', goodRows(30), admin, served);
  await deliverAndRun('old', goodRows(31), admin, served);
  const live = await deliverAndRun('west', goodRows(30), admin, served);
  // Of so few rows nobody can say that none of them is live.
  const accepted = await deliverAndRun('west', strangeColumns(45), admin, served);
  // Its rows wait to be uploaded until it is resumed.
  await done('/logins/third/pause');
  await done(`/runs/${accepted.run}/columns`, { 'column-brand': '1', 'column-oem': '2', reason: why });
  await until(() => (candidateOf('west', served) === accepted.run ? true : undefined)).catch(async (error: unknown) => {
    const standing = await (await admin.get(`/api/v1/runs/${accepted.run}`)).text();
    throw new Error(`the run whose columns were accepted is no candidate: ${standing}`, { cause: error });
  });
  await done('/feeds/south/pause');
  await done('/feeds/south/away', { from: '2027-05-03', to: '2027-05-07', reason: why });
  await done('/logins/other/rollback', { reason: why, to: first.upload?.offerId ?? '', confirm: 'yes' });
  // What is decided next must not meet an upload under way, whose login is busy or has none to go back to yet.
  await until(() => (openUploads(served) === 0 ? true : undefined));
  const incident = String(
    asked(served, 'select id from incidents where feed = ? and recovered_at is null', 'south')?.['id'],
  );
  const decider = await served.addUser('ops');
  const user = await served.addUser('viewer');
  const gone = await served.addUser('viewer');
  await done(`/users/${gone}/disable`, { confirm: 'yes' });
  expect((await admin.post('/tokens', { name: 'grafana', role: 'viewer' })).status).toBe(200);
  const [, token = ''] = /\/tokens\/([\w-]+)\/revoke/u.exec(await admin.page('/users')) ?? [];
  const run = {
    held,
    other,
    columns: columns.run,
    unsure: unsure.run,
    last: last.run,
    live: live.run,
    accepted: accepted.run,
  };
  const about = (route: string, path: string, fields: Record<string, string>, later = false): Action => ({
    route,
    path,
    fields,
    later,
  });
  const actions = [
    about('/incidents/:incident/take', `/incidents/${incident}/take`, {}),
    about('/incidents/:incident/note', `/incidents/${incident}/note`, { text: why }),
    about('/incidents/:incident/quiet', `/incidents/${incident}/quiet`, { until: 'delivery' }),
    about('/incidents/:incident/give', `/incidents/${incident}/give`, { to: decider }),
    about('/incidents/:incident/release', `/incidents/${incident}/release`, { from: decider }),
    about('/runs/rerun', '/runs/rerun?feed=east', { confirm: 'yes', count: '1' }, true),
    about('/runs/:run/approve', `/runs/${run.held}/approve`, { reason: why }, true),
    about('/runs/:run/reject', `/runs/${run.other}/reject`, { reason: why, confirm: 'yes' }, true),
    about(
      '/runs/:run/columns',
      `/runs/${run.columns}/columns`,
      { 'column-brand': '1', 'column-oem': '2', reason: why },
      true,
    ),
    about('/runs/:run/reading', `/runs/${run.unsure}/reading`, { reading: '1', reason: why }, true),
    about('/runs/:run/revoke-columns', `/runs/${run.accepted}/revoke-columns`, { reason: why }, true),
    about('/runs/:run/rerun', `/runs/${run.last}/rerun`, { from: 'report' }, true),
    about('/feeds/:feed/run', '/feeds/free/run', {}, true),
    about('/feeds/:feed/pause', '/feeds/north/pause', { reason: why }),
    about('/feeds/:feed/resume', '/feeds/south/resume', { reason: why }),
    about('/feeds/:feed/release', '/feeds/east/release', { reason: why }),
    about('/feeds/:feed/away', '/feeds/north/away', { from: '2027-05-03', to: '2027-05-07', reason: why }),
    about('/feeds/:feed/away/:from/:to/revoke', '/feeds/south/away/2027-05-03/2027-05-07/revoke', { reason: why }),
    about('/logins/:login/resume', '/logins/third/resume', { reason: why }),
    about('/logins/:login/release', '/logins/other/release', { reason: why }),
    about(
      '/logins/:login/rollback',
      '/logins/back/rollback',
      { reason: why, to: old.upload?.offerId ?? '', confirm: 'yes' },
      true,
    ),
    about('/logins/:login/pause', '/logins/main/pause', { reason: why }),
    about('/users', '/users', { name: 'newcomer', role: 'viewer', password: 'correct horse battery staple' }),
    about('/users/:user/disable', `/users/${user}/disable`, { confirm: 'yes' }),
    about('/users/:user/enable', `/users/${gone}/enable`, {}),
    about('/users/:user/reset-factor', `/users/${user}/reset-factor`, {}),
    about('/tokens', '/tokens', { name: 'prometheus', role: 'viewer' }),
    about('/tokens/:token/rotate', `/tokens/${token}/rotate`, {}),
    about('/tokens/:token/revoke', `/tokens/${token}/revoke`, { confirm: 'yes' }),
  ];
  const posts = ROUTES.filter(({ method, path }) => method === 'POST' && !path.startsWith('/api/')).map(
    ({ path }) => path,
  );
  expect([...actions.map(({ route }) => route), ...OTHERS].sort()).toEqual(posts.sort());
  return actions;
}

/** The run of a feed whose rows wait to be uploaded. */
function candidateOf(feed: string, served: ConsoleUnderTest): unknown {
  return asked(served, 'select candidate from feeds where feed = ?', feed)?.['candidate'];
}

/** How many logins have an upload that has not come to its end. */
function openUploads(served: ConsoleUnderTest): unknown {
  return asked(served, 'select count(*) as open from intents where result is null')?.['open'];
}

function asked({ shop }: ConsoleUnderTest, sql: string, ...values: string[]) {
  const ledger = new DatabaseSync(join(shop.home, 'ledger.sqlite'), { readOnly: true, timeout: 10_000 });
  try {
    return ledger.prepare(sql).get(...values);
  } finally {
    ledger.close();
  }
}
