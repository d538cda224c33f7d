import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { install } from '../../support/installation.ts';
import { lacks } from '../../support/programs.ts';
import { sandboxForTest } from '../../support/sandbox.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** The statements of docs/machines.md, to the letter: those that make the database, and those within it. */
const [MAKING = '', WITHIN = ''] = [
  ...readFileSync('docs/machines.md', 'utf8').matchAll(/^```sql\n([^]*?)^```$/gmu),
].map(([, statements]) => statements);

describe.skipIf(lacks('postgres', 'initdb'))('a role that may only read and write rows', () => {
  test('works with the tables that another role made, and says what to do when they are not there or too old', async () => {
    const server = await startPostgres();
    const at = (role: string) => ({ DATABASE_URL: `postgres://${role}@127.0.0.1:${server.port}/offerline` });
    // A database cannot be made within a transaction, as several statements at once are.
    for (const statement of MAKING.split(';')) await server.run(statement);
    await server.run(WITHIN, 'offerline');
    const service = await sandboxForTest();
    const config = { service: { baseUrl: service.url } };
    const daily = install(config, at('offerline_app'));
    const owner = install(config, at('offerline_owner'));

    const early = await daily.offerline('feeds');
    expect(early.status).toBe(1);
    expect(early.stderr).toContain(
      'may not change them: permission denied for schema public. Run `offerline migrate` with a role that may',
    );
    const before = await daily.offerline('migrate', '--check', '--json');
    expect({ status: before.status, ...JSON.parse(before.stdout) }).toMatchObject({
      status: 1,
      engine: 'postgres',
      migrated: [],
      pending: expect.arrayContaining(['001-initial']),
    });

    const made = await owner.offerline('migrate', '--json');
    expect({ status: made.status, ...JSON.parse(made.stdout) }).toMatchObject({
      status: 0,
      migrated: expect.arrayContaining(['001-initial']),
      pending: [],
    });
    const again = await owner.offerline('migrate');
    expect({ status: again.status, stdout: again.stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        /^ledger {3}postgres \d.*\n\nThe tables are those of this version; nothing to do\.\n$/u,
      ),
    });

    daily.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\nATE;2\n');
    expect(await daily.ingest('north')).toMatchObject({ status: 0, outcome: 'live', rows: { live: 2 } });
    for (const args of [['verify'], ['prune'], ['doctor'], ['migrate', '--check']]) {
      expect(await daily.offerline(...args)).toMatchObject({ status: 0 });
    }

    // As a ledger of an earlier version is: its last migration has not run.
    await server.run(`delete from kysely_migration where name = (select max(name) from kysely_migration)`, 'offerline');
    const late = await daily.offerline('feeds');
    expect(late).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Run `offerline migrate` with a role that may'),
    });
  });

  test('restores a backup into the tables that the other role has made', async () => {
    const server = await startPostgres();
    for (const statement of [...MAKING.split(';'), 'create database second owner offerline_owner'])
      await server.run(statement);
    for (const database of ['offerline', 'second']) await server.run(WITHIN, database);
    const at = (role: string, database: string) => ({
      DATABASE_URL: `postgres://${role}@127.0.0.1:${server.port}/${database}`,
    });
    const service = await sandboxForTest();
    const config = { service: { baseUrl: service.url } };
    expect(await install(config, at('offerline_owner', 'offerline')).offerline('migrate')).toMatchObject({ status: 0 });
    const lost = install(config, at('offerline_app', 'offerline'));
    lost.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\nATE;2\n');
    expect(await lost.ingest('north')).toMatchObject({ status: 0, outcome: 'live' });
    const place = join(tempFolder(), 'backups');
    expect(await lost.offerline('backup', place)).toMatchObject({ status: 0 });

    const daily = install(config, at('offerline_app', 'second'));
    const early = await daily.offerline('restore', place);
    expect(early).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Run `offerline migrate` with a role that may') as string,
    });
    expect(await install(config, at('offerline_owner', 'second')).offerline('migrate')).toMatchObject({ status: 0 });
    expect(await daily.offerline('restore', place, '--resume', 'live')).toMatchObject({ status: 0 });
    daily.deliver('north', 'b.csv', 'brand;oem\nBOSCH;1\nATE;2\nATE;3\n');
    expect(await daily.ingest('north')).toMatchObject({ status: 0, outcome: 'live', rows: { live: 3 } });
    expect(await daily.offerline('verify')).toMatchObject({ status: 0 });
  });
});
