import { beforeAll } from 'vitest';
import { atEnd } from './at-end.ts';
import { findProgram, hasDocker, inCi } from './programs.ts';
import { runSql, startPostgres } from './servers/postgres.ts';

const hasPrograms = findProgram('postgres') !== undefined && findProgram('initdb') !== undefined;
const atUrl = process.env['DATABASE_URL'];

/** Nothing that a test writes must outlast a crash. */
const QUICK = ['synchronous_commit=off'];

/**
 * True where no Postgres can be had, neither DATABASE_URL nor a program of this machine nor a container: then tests that
 * need one are skipped, but never in CI.
 */
export const withoutPostgres = atUrl === undefined && !hasPrograms && !hasDocker && !inCi;

/** True where no Postgres program can be started: then tests that stop and start one are skipped, but never in CI. */
export const cannotStartPostgres = !hasPrograms && !inCi;

/** Opens a Postgres for the tests of a file; answers with the address of a new and empty database at each call. */
export function postgresForTests(): () => Promise<string> {
  let server = '';
  let count = 0;
  beforeAll(async () => {
    if (withoutPostgres) return;
    server = atUrl ?? (hasPrograms ? (await startPostgres({ settings: QUICK })).url : await inContainer());
  });
  return async () => {
    const name = `offerline_test_${process.pid}_${(count += 1)}`;
    await runSql(server, `create database ${name}`);
    atEnd(() => runSql(server, `drop database ${name} with (force)`));
    const own = new URL(server);
    own.pathname = `/${name}`;
    return own.href;
  };
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
