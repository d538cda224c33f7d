import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { beforeAll } from 'vitest';
import { atEnd } from './at-end.ts';
import { freePort } from './free-port.ts';
import { findProgram, hasDocker, inCi } from './programs.ts';

const program = findProgram('postgres');
const initdb = findProgram('initdb');
const binaries = program === undefined || initdb === undefined ? undefined : { program, initdb };
const atUrl = process.env['DATABASE_URL'];

/**
 * True where no Postgres can be had, neither DATABASE_URL nor a program of this machine nor a container: then tests that
 * need one are skipped, but never in CI.
 */
export const withoutPostgres = atUrl === undefined && binaries === undefined && !hasDocker && !inCi;

/** Opens a Postgres for the tests of a file; answers with the address of a new and empty database at each call. */
export function postgresForTests(): () => Promise<string> {
  let server = '';
  let count = 0;
  beforeAll(async () => {
    if (withoutPostgres) return;
    server = atUrl ?? (binaries === undefined ? await inContainer() : (await startPostgres()).url);
  });
  return async () => {
    const name = `offerline_test_${process.pid}_${(count += 1)}`;
    await run(server, `create database ${name}`);
    atEnd(() => run(server, `drop database ${name} with (force)`));
    const own = new URL(server);
    own.pathname = `/${name}`;
    return own.href;
  };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A Postgres of a test's own, on a free port of loopback. */
export type PostgresServer = {
  url: string;
  /** Its main process, which starts one for each connection. */
  pid: () => number;
  /** Ends it as a power cut would; everything that was committed is still there. */
  kill9: () => Promise<void>;
  /** Starts it again on the same port, and waits until it answers. */
  restart: () => Promise<void>;
};

/** True where no Postgres program can be started: then tests that stop and start one are skipped, but never in CI. */
export const cannotStartPostgres = binaries === undefined && !inCi;

/** Starts a Postgres program that ends with the test; what was committed outlasts its end. It refuses to run as root, so `nobody` runs it. */
export async function startPostgres(): Promise<PostgresServer> {
  if (binaries === undefined) throw new Error('These tests need Postgres: install the package postgresql.');
  const data = mkdtempSync(join(tmpdir(), 'offerline-postgres-'));
  const user = process.getuid?.() === 0 ? nobody() : undefined;
  if (user !== undefined) chownSync(data, user.uid, user.gid);
  const made = spawnSync(
    binaries.initdb,
    ['-D', data, '-U', 'offerline', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'],
    { ...user, cwd: data, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  const port = await freePort();
  const url = `postgres://offerline@127.0.0.1:${port}/postgres`;
  // The system keeps what was written when the program ends, also without `fsync`.
  const quick = ['fsync=off', 'full_page_writes=off', 'unix_socket_directories='];
  const args = ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...quick.flatMap((setting) => ['-c', setting])];
  let end = () => Promise.resolve();
  let pid = 0;
  const restart = async () => {
    const child = spawn(binaries.program, args, { ...user, cwd: data, stdio: ['ignore', 'ignore', 'pipe'] });
    pid = child.pid!;
    const ended = once(child, 'exit');
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    end = async () => {
      process.off('exit', kill);
      child.kill('SIGQUIT');
      await ended;
    };
    while (!(await answers(url))) {
      if (child.exitCode !== null) throw new Error(`postgres ended: ${said}`);
      await sleep(20);
    }
  };
  atEnd(async () => {
    await end();
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  });
  await restart();
  return { url, pid: () => pid, kill9: () => end(), restart };
}

function nobody(): { uid: number; gid: number } {
  const id = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function inContainer(): Promise<string> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer('postgres:17-bookworm')
    .withEnvironment({ POSTGRES_USER: 'offerline', POSTGRES_HOST_AUTH_METHOD: 'trust', POSTGRES_DB: 'postgres' })
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start();
  atEnd(() => container.stop());
  return `postgres://offerline@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
}
