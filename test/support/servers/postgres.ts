import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { atEnd } from '../at-end.ts';
import { freePort } from '../free-port.ts';
import { findProgram } from '../programs.ts';

/** A Postgres of this machine that is the test's own. */
export type Postgres = {
  /** Its database `postgres`, as a superuser. */
  url: string;
  port: number;
  data: string;
  /** Its main process, which starts one for each connection. */
  pid: () => number;
  /** Ends it as a crash of its machine does. */
  kill: () => Promise<void>;
  /** Starts it again. */
  start: () => Promise<void>;
  /** Runs SQL as a superuser, in `postgres` or another database. */
  run: (sql: string, database?: string) => Promise<void>;
};

type Options = {
  /** Further settings. */
  settings?: string[];
  /** A certificate and its key in these files: connections are refused that are not encrypted. */
  tls?: { cert: string; key: string };
};

const USER = 'offerline';

/** A new server in a temp folder, on a free port of loopback. It refuses to run as root, so `nobody` runs it. */
export async function startPostgres({ settings = [], tls }: Options = {}): Promise<Postgres> {
  const data = newFolder();
  runAsUser('initdb', ['-D', data, '-U', USER, '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C']);
  if (tls !== undefined) {
    for (const [name, file] of [
      ['server.crt', tls.cert],
      ['server.key', tls.key],
    ] as const) {
      copyFileSync(file, join(data, name));
      own(join(data, name));
      chmodSync(join(data, name), 0o600);
    }
    writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 trust\n');
  }
  return serverOn(data, tls === undefined ? settings : ['ssl=on', ...settings], tls !== undefined);
}

/** A standby of a server, which streams from it; commits wait for the standby from then on, as for one that loses nothing. */
export async function startStandby(primary: Postgres): Promise<Postgres> {
  const data = newFolder();
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', USER];
  runAsUser('pg_basebackup', [...from, '-D', data, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync']);
  const standby = await serverOn(data, [], false);
  await primary.run(`alter system set synchronous_standby_names = '*'`);
  await primary.run(`alter system set synchronous_commit = 'on'`);
  await primary.run('select pg_reload_conf()');
  const client = await connected(primary.url);
  try {
    const streams = `select 1 from pg_stat_replication where sync_state = 'sync'`;
    while ((await client.query(streams)).rowCount === 0) await sleep(20);
  } finally {
    await client.end();
  }
  return standby;
}

async function serverOn(data: string, settings: string[], encrypted: boolean): Promise<Postgres> {
  const port = await freePort();
  const quick = [
    'fsync=off',
    'full_page_writes=off',
    'unix_socket_directories=',
    'listen_addresses=127.0.0.1',
    ...settings,
  ];
  const args = ['-D', data, '-p', String(port), ...quick.flatMap((setting) => ['-c', setting])];
  const program = findProgram('postgres')!;
  const address = `postgres://${USER}@127.0.0.1:${port}/postgres`;
  const url = encrypted ? `${address}?sslmode=no-verify` : address;
  let child: ChildProcess | undefined;
  const killAtExit = () => child?.kill('SIGKILL');
  const end = async (signal: 'SIGQUIT' | 'SIGKILL') => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    process.off('exit', killAtExit);
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  const start = async () => {
    const started = spawn(program, args, { ...user(), cwd: data, stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    let said = '';
    started.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    process.once('exit', killAtExit);
    while (!(await answers(url))) {
      if (started.exitCode !== null) throw new Error(`postgres ended: ${said}`);
      await sleep(20);
    }
  };
  const run = (sql: string, database = 'postgres') => {
    const at = new URL(url);
    at.pathname = `/${database}`;
    return runSql(at.href, sql);
  };
  atEnd(async () => {
    await end('SIGQUIT');
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  });
  await start();
  return { url, port, data, pid: () => child!.pid!, kill: () => end('SIGQUIT'), start, run };
}

/** Runs SQL over a connection of its own. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = await connected(url);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

async function answers(url: string): Promise<boolean> {
  try {
    await runSql(url, 'select 1');
    return true;
  } catch {
    return false;
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'offerline-postgres-'));
  own(folder);
  return folder;
}

function own(path: string): void {
  const { uid, gid } = user();
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

function runAsUser(name: string, args: string[]): void {
  const made = spawnSync(findProgram(name)!, args, { ...user(), cwd: tmpdir(), encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`${name} failed: ${made.error?.message ?? made.stderr}`);
}

function user(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}
