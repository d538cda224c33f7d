import { expect, test } from 'vitest';
import { parsePostgresAddress } from '../../../src/ledger/engines/postgres-address.ts';

function hostsOf(url: string): string[] {
  return parsePostgresAddress(url).hosts.map(({ name }) => name);
}

test.each([
  ['postgres://db/offerline', ['db:5432']],
  ['postgresql://shop:geheim@db1:6432,db2/offerline', ['db1:6432', 'db2:5432']],
  ['postgres://shop@[::1]:5433,[2001:db8::2]/offerline', ['[::1]:5433', '[2001:db8::2]:5432']],
  ['postgres:///offerline?host=db1,db2&port=6432', ['db1:6432', 'db2:6432']],
  ['postgres://shop@ignored/offerline?host=/run/postgresql', ['/run/postgresql']],
  ['postgres://shop@%2Frun%2Fpostgresql/offerline', ['/run/postgresql']],
  ['postgres:///offerline', ['localhost:5432']],
])('the hosts of %s', (url, hosts) => {
  expect(hostsOf(url)).toEqual(hosts);
});

test('each host gets the user, the password, the database and the parameters of all', () => {
  const { hosts } = parsePostgresAddress(
    'postgres://shop:g%40heim@a:1,b:2/offerline?sslmode=require&target_session_attrs=any',
  );
  expect(hosts.map(({ connectionString }) => connectionString)).toEqual([
    'postgres://shop:g%40heim@/offerline?sslmode=verify-full&host=a&port=1',
    'postgres://shop:g%40heim@/offerline?sslmode=verify-full&host=b&port=2',
  ]);
});

test('of several hosts the one that takes changes is wanted, unless the address says otherwise', () => {
  expect(parsePostgresAddress('postgres://a/db').attrs).toBe('any');
  expect(parsePostgresAddress('postgres://a,b/db').attrs).toBe('read-write');
  expect(parsePostgresAddress('postgres://a,b/db?target_session_attrs=prefer-standby').attrs).toBe('prefer-standby');
});

test('limits are milliseconds, the time for a connection is seconds', () => {
  expect(parsePostgresAddress('postgres://a/db')).toMatchObject({
    connect: undefined,
    serverLimits: {
      idle_in_transaction_session_timeout: 30_000,
      lock_timeout: 60_000,
      statement_timeout: 300_000,
    },
  });
  expect(parsePostgresAddress('postgres://a/db?connect_timeout=3&statement_timeout=0')).toMatchObject({
    connect: 3000,
    serverLimits: { statement_timeout: 0, lock_timeout: 60_000 },
  });
});

test.each([
  ['geheim', 'must start with postgres:// and name a host and a database'],
  ['postgres://a,b,c/db?port=1,2', 'names 3 hosts and 2 ports; write one port for all of them, or one for each'],
  ['postgres://a,/db', 'names a host without a name; remove the comma that is too many'],
  ['postgres://a:geheim/db', 'names a port that is no number up to 65535'],
  ['postgres://a:65536/db', 'names a port that is no number up to 65535'],
  ['postgres://%zz/db', 'names a host that cannot be read; write NAME:PORT, or [ADDRESS]:PORT'],
  ['postgres://[::1/db', 'names a host that cannot be read; write NAME:PORT, or [ADDRESS]:PORT'],
  [
    'postgres://a/db?target_session_attrs=master',
    'has a target_session_attrs that is none of any, read-write, read-only, primary, standby, prefer-standby',
  ],
  [
    'postgres://a/db?sslmode=allow',
    'has a sslmode that is none of disable, prefer, require, verify-ca, verify-full, no-verify',
  ],
  ['postgres://a/db?statement_timeout=30s', 'has a statement_timeout that is no whole number of milliseconds'],
  ['postgres://a/db?connect_timeout=-1', 'has a connect_timeout that is no whole number of seconds'],
])('%s is refused', (url, why) => {
  expect(() => parsePostgresAddress(url)).toThrow(`DATABASE_URL ${why}.`);
});
