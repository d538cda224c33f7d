import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runSql, startPostgres } from '../support/servers/postgres.ts';
import { install } from '../support/installation.ts';
import { findProgram, lacks } from '../support/programs.ts';
import { binaryTest, startRedisProgram } from '../support/redis.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { VERSION } from '../../src/version.ts';
import { handBackTime, secretsIn, variablesOfProgram } from './program-facts.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'packaging/compose');
const PAGE = readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8');

type Service = {
  image: string;
  command: string[];
  environment: Record<string, string>;
  secrets: string[];
  volumes: string[];
  ports?: string[];
  stop_grace_period: string;
  healthcheck: { test: string[] };
};
type Compose = { services: Record<string, Service>; secrets: Record<string, { file: string }> };

const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const composeOf = (text: string) => parse(text, { merge: true }) as Compose;
const files = globSync('*.yml', { cwd: FOLDER });
const [servers, offerline] = ['servers.yml', 'offerline.yml'].map((file) => composeOf(textOf(file))) as [
  Compose,
  Compose,
];
const services = files.flatMap((file) => Object.entries(composeOf(textOf(file)).services));
const works = [offerline.services['console']!, offerline.services['worker']!];

describe('the files for three machines', () => {
  test('let no container write, gain rights, or take the machine', () => {
    expect(services.map(([name]) => name).sort()).toEqual(['console', 'migrate', 'postgres', 'redis', 'worker']);
    for (const [name, service] of services) {
      expect({ name, ...service }).toMatchObject({
        name,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        logging: { options: { 'max-size': expect.any(String), 'max-file': expect.any(String) } },
        mem_limit: expect.any(String),
        cpus: expect.anything(),
        pids_limit: expect.any(Number),
      });
    }
  });

  test('have the images of the other compose file and of the Dockerfile, by exact version and digest', () => {
    const single = composeOf(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'));
    expect(servers.services['redis']!.image).toBe(single.services['redis']!.image);
    expect(servers.services['postgres']!.image).toMatch(/^postgres:\d+\.\d+-bookworm@sha256:[0-9a-f]{64}$/u);
    const image = `\${OFFERLINE_IMAGE:-offerline:${VERSION}}`;
    expect(Object.values(offerline.services).map((service) => service.image)).toEqual([image, image, image]);
    expect(textOf('example.env')).toContain(`OFFERLINE_IMAGE=offerline:${VERSION}\n`);
    expect(readFileSync(join(ROOT, 'docs/docker.md'), 'utf8')).toContain(
      servers.services['postgres']!.image.replace(/@.*/u, ''),
    );
  });

  test('name variables that the program reads, and that example.env explains', () => {
    const known = variablesOfProgram();
    const variables = Object.values(offerline.services).flatMap(({ environment }) => Object.keys(environment));
    expect(variables.filter((name) => !known.has(name))).toEqual([]);
    const asked = files.flatMap((file) => [...textOf(file).matchAll(/\$\{([A-Z_]+):\?/gu)].map(([, name]) => name!));
    const explained = [...textOf('example.env').matchAll(/^([A-Z_]+)=/gmu)].map(([, name]) => name!);
    expect(explained).toEqual(expect.arrayContaining(asked));
    expect(explained.filter((name) => !files.some((file) => textOf(file).includes(`\${${name}:`)))).toEqual([]);
  });

  test('hand over credentials as files, each to those that need it, and hold none', () => {
    for (const file of files) {
      const { services: all, secrets } = composeOf(textOf(file));
      expect(new Set(Object.values(all).flatMap((service) => service.secrets))).toEqual(new Set(Object.keys(secrets)));
      for (const { environment = {}, secrets: own } of Object.values(all)) {
        const read = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
        expect(read.filter(([, path]) => !own.includes(path.replace('/run/secrets/', '')))).toEqual([]);
        const open = Object.keys(environment).filter((name) => /(?:PASSWORD|TOKEN|SECRET|_URL)$/u.test(name));
        expect(open).toEqual([]);
      }
    }
    for (const file of globSync('*', { cwd: FOLDER })) expect(secretsIn(textOf(file))).toEqual([]);
    expect(works.map((service) => service.secrets.includes('owner_url'))).toEqual([false, false]);
  });

  test('write the heartbeat where the image looks for it, and leave time to hand work back', () => {
    const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
    for (const { command, stop_grace_period } of works) {
      const file = command[command.indexOf('--heartbeat') + 1]!;
      expect(dockerfile).toContain(`find ${file} -mmin`);
      expect(stop_grace_period).toMatch(/^\d+s$/u);
      expect(Number.parseInt(stop_grace_period, 10) * 1000).toBeGreaterThanOrEqual(2 * handBackTime());
    }
    expect(works.map(({ command }) => command[0])).toEqual(['up', 'worker']);
  });

  test('open ports only at addresses that are named, and are all checked in CI', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports).toHaveLength(3);
    expect(ports.filter((port) => !/^\$\{[A-Z_]+:(?:\?[^}]+|-127\.0\.0\.1)\}:\d+:\d+$/u.test(port))).toEqual([]);
    const [, checked = ''] = /^for file in (.*); do$/mu.exec(readFileSync(join(ROOT, '.ci/run'), 'utf8')) ?? [];
    expect(
      checked
        .split(' ')
        .map((name) => `${name}.yml`)
        .sort(),
    ).toEqual([...files].sort());
  });

  test('start Postgres with TLS, with the rules of pg_hba.conf, and with roles.sql while it is empty', () => {
    const { command, secrets, volumes } = servers.services['postgres']!;
    const settings = new Map(
      command.filter((word) => word.includes('=')).map((word) => word.split('=') as [string, string]),
    );
    expect(settings.get('ssl')).toBe('on');
    for (const name of ['ssl_cert_file', 'ssl_key_file']) {
      expect(secrets.map((secret) => `/run/secrets/${secret}`)).toContain(settings.get(name));
    }
    expect(volumes).toContain(`./pg_hba.conf:${settings.get('hba_file')}:ro`);
    expect(volumes).toContain('./roles.sql:/docker-entrypoint-initdb.d/roles.sql:ro');
  });

  test('make the roles that docs/machines.md describes, and give Redis the rights that it lists', () => {
    const machines = readFileSync(join(ROOT, 'docs/machines.md'), 'utf8');
    const sql = [...machines.matchAll(/^```sql\n([^]*?)^```$/gmu)].flatMap(([, block]) => block!.split(';'));
    const flat = (text: string) => text.replaceAll(/\s+/gu, ' ').trim();
    const statements = sql.map(flat).filter((statement) => statement !== '');
    expect(statements.length).toBeGreaterThan(5);
    const made = flat(textOf('roles.sql').replaceAll(/ password :'\w+'/gu, ''));
    expect(statements.filter((statement) => !made.includes(`${statement};`))).toEqual([]);
    const [, rights = ''] = /^ACL SETUSER offerline on >PASSWORD (.+)$/mu.exec(machines) ?? [];
    expect(rights).not.toBe('');
    expect(PAGE).toContain(rights);
  });
});

describe.skipIf(lacks('postgres', 'initdb', 'psql', 'openssl', 'redis-cli'))('the servers of the first machine', () => {
  binaryTest('take workers over TLS with the secrets that docs/deployment.md makes, and nobody else', async () => {
    const secrets = await secretsOfPage();
    const secret = (name: string) => readFileSync(join(secrets, name), 'utf8');
    const [cert, key] = [join(secrets, 'server_certificate'), join(secrets, 'server_key')];

    const queue = await startRedisProgram((port) =>
      servers.services['redis']!.command.slice(1).map((word) =>
        word === '6379' ? String(port) : word.replace('/run/secrets', secrets),
      ),
    );
    const postgres = await startPostgres({ tls: { cert, key } });
    const script = join(secrets, 'roles.sql');
    writeFileSync(script, textOf('roles.sql').replaceAll('/run/secrets', secrets));
    const superuser = ['--host', '127.0.0.1', '--port', String(postgres.port), '--username', 'offerline'];
    await run(findProgram('psql')!, [...superuser, '--no-psqlrc', '-v', 'ON_ERROR_STOP=1', '-f', script, 'postgres']);
    writeFileSync(join(postgres.data, 'pg_hba.conf'), textOf('pg_hba.conf'));
    await postgres.run('select pg_reload_conf()');
    await until(() =>
      postgres.run('select 1').then(
        () => undefined,
        () => true,
      ),
    );

    const here = (url: string) =>
      url
        .replace('10.0.0.11:5432', `127.0.0.1:${postgres.port}`)
        .replace('10.0.0.11:6379', `127.0.0.1:${queue.port}`)
        .replaceAll('/run/secrets', secrets);
    for (const name of ['owner_url', 'database_url', 'redis_url'])
      writeFileSync(join(secrets, name), here(secret(name)));

    const refused = /no pg_hba\.conf entry|password authentication failed/u;
    const plain = secret('database_url').replace(/\?.*/u, '?sslmode=disable');
    const guessed = secret('database_url')
      .replace(secret('app_password'), 'guessed')
      .replace(/\?.*/u, '?sslmode=no-verify');
    for (const url of [plain, guessed]) await expect(runSql(url, 'select 1')).rejects.toThrow(refused);
    const check = servers.services['redis']!.healthcheck.test.at(-1)!.replace(
      'redis-cli',
      `redis-cli -p ${queue.port}`,
    );
    await run('sh', ['-c', check]);
    const asked = await run('sh', ['-c', check.replace(/ \|.*/u, '')]);
    expect(asked.stdout).toContain('NOAUTH');

    const service = await sandboxForTest();
    const config = { service: { baseUrl: service.url } };
    const owner = install(config, { DATABASE_URL_FILE: join(secrets, 'owner_url') });
    expect(await owner.offerline('migrate')).toMatchObject({ status: 0 });
    const worker = install(config, {
      DATABASE_URL_FILE: join(secrets, 'database_url'),
      REDIS_URL_FILE: join(secrets, 'redis_url'),
    });
    worker.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\nATE;2\n');
    expect(await worker.ingest('north')).toMatchObject({ status: 0, outcome: 'live', rows: { live: 2 } });
  });
});

/** Runs the commands with which docs/deployment.md makes the secrets; answers with their folder. */
async function secretsOfPage(): Promise<string> {
  const [, block = ''] = /```sh\n(umask 077\n[^]*?)```/u.exec(PAGE) ?? [];
  expect(block).not.toBe('');
  const folder = tempFolder();
  mkdirSync(join(folder, 'installation/secrets'), { recursive: true });
  await run('sh', ['-euc', block.replaceAll('IP:10.0.0.11', 'IP:127.0.0.1')], { cwd: folder });
  const secrets = join(folder, 'installation/secrets');
  const needed = [servers, offerline].flatMap((compose) => Object.keys(compose.secrets));
  expect(needed.filter((name) => name !== 'main_password' && !existsSync(join(secrets, name)))).toEqual([]);
  return secrets;
}
