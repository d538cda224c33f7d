import { describe, expect, test } from 'vitest';
import { openLedger, type Ledger } from '../../../src/ledger/ledger.ts';
import { atEnd } from '../../support/at-end.ts';
import { freePort } from '../../support/free-port.ts';
import { lacks } from '../../support/programs.ts';
import { startPostgres, startStandby, type Postgres } from '../../support/servers/postgres.ts';

const skipped = lacks('postgres', 'initdb', 'pg_basebackup');

function addressOf(servers: { port: number }[], parameters = ''): string {
  return `postgres://offerline:0f-the-l3dger@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres${parameters}`;
}

async function open(databaseUrl: string): Promise<Ledger> {
  const ledger = await openLedger({ file: '', databaseUrl });
  atEnd(() => ledger.close());
  return ledger;
}

function put({ db }: Ledger, key: string): Promise<unknown> {
  return db.insertInto('meta').values({ key, value: '' }).execute();
}

async function keys({ db }: Ledger): Promise<string[]> {
  const rows = await db.selectFrom('meta').select('key').where('key', 'like', 'test-%').orderBy('key').execute();
  return rows.map(({ key }) => key);
}

async function pair(): Promise<[Postgres, Postgres]> {
  const primary = await startPostgres();
  return [primary, await startStandby(primary)];
}

async function promote(standby: Postgres): Promise<void> {
  await standby.run('select pg_promote()');
}

describe.skipIf(skipped)('a primary and a standby', () => {
  test('the primary is found wherever it stands; when it ends, the promoted standby is, and nothing is lost', async () => {
    const [primary, standby] = await pair();
    const ledger = await open(addressOf([standby, primary]));
    const other = await open(addressOf([primary, standby], '?target_session_attrs=primary'));
    await put(ledger, 'test-1');
    expect(await keys(other)).toEqual(['test-1']);
    await primary.kill();
    const writing = Promise.allSettled([
      put(ledger, 'test-2').then(() => 'test-2'),
      other.transaction((trx) => put({ ...other, db: trx }, 'test-3')).then(() => 'test-3'),
    ]);
    await promote(standby);
    // Of a change that was under way it is said whether it was made; whoever waited too long is told.
    const made = (await writing).flatMap((change) => (change.status === 'fulfilled' ? [change.value] : []));
    await put(other, 'test-4');
    expect(await keys(ledger)).toEqual(expect.arrayContaining(['test-1', ...made, 'test-4']));
  });

  test('none that serves is said in one sentence with every host and why, and without the password', async () => {
    const [, standby] = await pair();
    const closed = { port: await freePort() };
    await expect(open(addressOf([closed, standby]))).rejects.toMatchObject({
      code: 'ledger',
      retryable: true,
      message:
        `The Postgres of DATABASE_URL cannot be used: none of its hosts serves: 127.0.0.1:${closed.port}: connect ECONNREFUSED ` +
        `127.0.0.1:${closed.port}; 127.0.0.1:${standby.port} is a standby, and target_session_attrs is read-write. ` +
        'Check its address, its login, and that it runs.',
    });
    await expect(open(addressOf([standby], '?target_session_attrs=primary'))).rejects.toMatchObject({
      message: expect.stringContaining(`127.0.0.1:${standby.port} is a standby, and target_session_attrs is primary`),
    });
  });

  test('a login that is refused is said, and no other host is asked', async () => {
    const [primary, standby] = await pair();
    const url = addressOf([primary, standby]).replace('offerline:', 'nobody:');
    await expect(open(url)).rejects.toMatchObject({ message: expect.stringContaining('role "nobody" does not exist') });
  });

  test('a primary of before the last failover that comes back is passed over by whoever has seen its successor', async () => {
    const [primary, standby] = await pair();
    const ledger = await open(addressOf([primary, standby]));
    await put(ledger, 'test-1');
    await primary.kill();
    await promote(standby);
    await put(ledger, 'test-2').catch(() => undefined);
    await primary.start();
    const late = await open(addressOf([primary, standby]));
    expect(await keys(late)).toEqual(await keys(ledger));
    await put(late, 'test-3');
    expect(await keys(ledger)).toContain('test-3');
  });
});
