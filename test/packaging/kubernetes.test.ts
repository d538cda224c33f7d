import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { VERSION } from '../../src/version.ts';
import { ROUTES } from '../../src/web/routes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { handBackTime, secretsIn, variablesOfProgram } from './program-facts.ts';
import { schemaProblems } from './schema-problems.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'packaging/kubernetes');

type Probe = {
  exec?: { command: string[] };
  httpGet?: { path: string; port: string };
  periodSeconds: number;
  failureThreshold?: number;
};
type Mount = { name: string; mountPath: string; readOnly?: boolean };
type Container = {
  image: string;
  args: string[];
  env: { name: string; value: string }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts: Mount[];
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
  resources: Record<'requests' | 'limits', Record<string, string>>;
};
type Labels = Record<string, string>;
type Pod = {
  terminationGracePeriodSeconds: number;
  containers: [Container];
  volumes: ({ name: string } & Record<string, { secretName?: string; defaultMode?: number; sizeLimit?: string }>)[];
};
type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data: Record<string, string>;
  spec: {
    replicas: number;
    maxUnavailable?: number;
    selector: { matchLabels: Labels } & Labels;
    ports: { targetPort: string }[];
    template: { metadata: { labels: Labels }; spec: Pod };
  } & Pod;
};

/** As kubectl reads them: in YAML 1.1, `0440` is octal. */
const manifests = globSync('*.yaml', { cwd: FOLDER }).flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8'), { version: '1.1', schema: 'yaml-1.1' }).map(
    (document) => {
      if (document.errors.length > 0) throw document.errors[0]!;
      return document.toJS() as Manifest;
    },
  ),
);
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const deployments = ofKind('Deployment');
const running = [...deployments, ...ofKind('Job'), ...ofKind('Pod')];
const podOf = ({ kind, spec }: Manifest) => (kind === 'Pod' ? spec : spec.template.spec);
const containerOf = (manifest: Manifest) => podOf(manifest).containers[0];
const named = (name: string) => deployments.find(({ metadata }) => metadata.name === `offerline-${name}`)!;
const probesOf = ({ startupProbe, readinessProbe, livenessProbe }: Container) => [
  startupProbe,
  readinessProbe,
  livenessProbe,
];

describe('the published schemas', () => {
  test.each(manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const))(
    'know all of %s %s',
    (_kind, _name, manifest) => expect(schemaProblems(manifest)).toEqual([]),
  );

  test('refuse what is missing, of the wrong type, misspelled or of a kind that nobody looked at', () => {
    const changed = (change: (of: Manifest) => void) => {
      const copy = structuredClone(named('worker'));
      change(copy);
      return schemaProblems(copy);
    };
    const misspelled = changed((of) => Object.assign(containerOf(of), { readynessProbe: {} }));
    expect(misspelled).toEqual(['/spec/template/spec/containers/0/readynessProbe: unknown']);
    const label = { 'a.label': 1 };
    expect(changed((of) => Object.assign(of.spec.template.metadata.labels, label))).toEqual([
      '/spec/template/metadata/labels/a.label: type',
    ]);
    expect(changed((of) => Reflect.deleteProperty(of.spec, 'selector'))).toContain('/spec: required');
    expect(schemaProblems({ apiVersion: 'apps/v1', kind: 'Deploiment' })).toEqual([
      'there is no schema of apps/v1 Deploiment',
    ]);
  });
});

test('there is a Deployment for the console and one for workers, each of several pods with a disruption budget', () => {
  expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual(['offerline-console', 'offerline-worker']);
  expect(containerOf(named('console')).args[0]).toBe('up');
  expect(containerOf(named('worker')).args[0]).toBe('worker');
  for (const { metadata, spec } of deployments) {
    const budget = ofKind('PodDisruptionBudget').find((one) => one.metadata.name === metadata.name);
    expect(budget?.spec).toMatchObject({ maxUnavailable: 1, selector: spec.selector });
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
    expect(spec.replicas).toBeGreaterThan(1);
  }
});

test('pods may write into their volumes and nowhere else, run as the user of the image, and have limits', () => {
  const uid = 1000;
  for (const manifest of running) {
    expect(podOf(manifest)).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: uid,
        fsGroup: uid,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    expect(containerOf(manifest)).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    });
    const { requests, limits } = containerOf(manifest).resources;
    for (const kinds of [requests, limits]) {
      expect(Object.keys(kinds).sort()).toEqual(['cpu', 'ephemeral-storage', 'memory']);
    }
    const volumes = new Map(podOf(manifest).volumes.map(({ name, ...volume }) => [name, volume]));
    for (const { name, readOnly = false } of containerOf(manifest).volumeMounts) {
      const volume = volumes.get(name);
      expect({ name, writable: !readOnly }).toEqual({ name, writable: volume?.['emptyDir'] !== undefined });
    }
  }
});

test('secrets are files that the group of the pod reads, and no manifest holds one', () => {
  for (const manifest of running) {
    const { env, volumeMounts } = containerOf(manifest);
    const volume = podOf(manifest).volumes.find(({ secret }) => secret !== undefined);
    expect(volume?.['secret']?.defaultMode).toBe(0o440);
    const at = volumeMounts.find(({ name }) => name === volume?.name)!.mountPath;
    const files = env.filter(({ name }) => name.endsWith('_FILE'));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter(({ value }) => !value.startsWith(`${at}/`))).toEqual([]);
    expect(env.filter(({ name }) => /(?:_URL|PASSWORD|SECRET|TOKEN|KEY)$/u.test(name))).toEqual([]);
  }
  expect(ofKind('Secret')).toEqual([]);
  for (const file of globSync('*', { cwd: FOLDER })) {
    expect(secretsIn(readFileSync(join(FOLDER, file), 'utf8'))).toEqual([]);
  }
});

test('only the migration has the role that owns the tables', () => {
  const secretsOf = (manifest: Manifest) => podOf(manifest).volumes.flatMap(({ secret }) => secret?.secretName ?? []);
  expect(ofKind('Job').map(secretsOf)).toEqual([['offerline-owner']]);
  expect(deployments.map(secretsOf)).toEqual([['offerline'], ['offerline']]);
  expect(ofKind('Pod').map(secretsOf)).toEqual([['offerline']]);
});

test('variables, images and folders are those of the program and the Dockerfile', () => {
  const known = variablesOfProgram();
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const home = /OFFERLINE_HOME=(\S+)/u.exec(dockerfile)![1]!;
  const config = /OFFERLINE_CONFIG=(\S+)\/offerline\.yaml/u.exec(dockerfile)![1]!;
  for (const manifest of running) {
    const { image, env, volumeMounts } = containerOf(manifest);
    expect(env.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
    expect(image).toBe(`offerline:${VERSION}`);
    const paths = volumeMounts.map(({ mountPath }) => mountPath);
    expect(paths).toContain(config);
    // The folder of a volume belongs to root: the home, which is closed to others, is one in it.
    const own = env.find(({ name }) => name === 'OFFERLINE_HOME')!.value;
    expect(paths.filter((path) => own.startsWith(`${path}/`))).toHaveLength(1);
  }
  for (const deployment of deployments) {
    const written = containerOf(deployment).volumeMounts.filter(({ readOnly }) => readOnly !== true);
    expect(written.map(({ mountPath }) => mountPath)).toEqual([home, '/tmp']);
  }
});

test('a pod has more time to end than handing back its work takes', () => {
  for (const manifest of deployments) {
    const { lifecycle } = containerOf(manifest);
    const before = (lifecycle?.preStop.sleep.seconds ?? 0) * 1000;
    const grace = podOf(manifest).terminationGracePeriodSeconds * 1000;
    // A large file is read to the end of its chunk beside it.
    expect(grace).toBeGreaterThanOrEqual(2 * (before + handBackTime()));
  }
});

describe('probes', () => {
  test('over HTTP ask what the console answers to everybody, at the port where it listens', () => {
    const container = containerOf(named('console'));
    const asked = probesOf(container).flatMap(({ httpGet }) => httpGet ?? []);
    expect(asked.map(({ path }) => path)).toEqual(['/livez', '/readyz']);
    const open = ROUTES.filter(({ method, may }) => method === 'GET' && may === 'everybody').map(({ path }) => path);
    expect(open).toEqual(expect.arrayContaining(asked.map(({ path }) => path)));
    const [port] = container.ports!;
    const { web } = parse(configuration()) as { web: { listen: string } };
    expect(web.listen).toBe(`0.0.0.0:${port!.containerPort}`);
    const [service] = ofKind('Service');
    expect(new Set([...asked.map((one) => one.port), service!.spec.ports[0]!.targetPort])).toEqual(
      new Set([port!.name]),
    );
    expect(service!.spec.selector).toEqual(named('console').spec.selector.matchLabels);
  });

  // A worker that waits for its ledger takes no work, and is not ended for it.
  test.each([
    ['console', [true]],
    ['worker', [false, false, true]],
  ])('of the file that the %s writes tell a fresh one from an old one', (name, afterFiveMinutes) => {
    const container = containerOf(named(name));
    const heartbeat = container.args[container.args.indexOf('--heartbeat') + 1]!;
    const file = join(tempFolder(), basename(heartbeat));
    const answers = ({ exec }: Probe) => {
      const [program = '', ...args] = exec!.command.map((word) => word.replaceAll(heartbeat, file));
      expect(args.join(' ')).toContain(file);
      try {
        execFileSync(program, args, { stdio: 'ignore' });
        return true;
      } catch {
        return false;
      }
    };
    const probes = probesOf(container).filter(({ exec }) => exec !== undefined);
    expect(probes.map(answers)).not.toContain(true);
    writeFileSync(file, '');
    expect(probes.map(answers)).not.toContain(false);
    const aged = (minutes: number) => utimesSync(file, new Date(), new Date(Date.now() - minutes * 60_000));
    aged(5);
    expect(probes.map(answers)).toEqual(afterFiveMinutes);
    aged(15);
    expect(probes.map(answers)).not.toContain(true);
  });
});

test('the configuration is one that the program takes, with the files of the Secret that docs/deployment.md makes', async () => {
  const folder = tempFolder();
  const page = readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8');
  const [, keys = ''] = /create secret generic offerline \\\n((?: +--from-file=.*\n)+)/u.exec(page) ?? [];
  const files = [...keys.matchAll(/--from-file=(\w+)/gu)].map(([, name]) => name!);
  const used = containerOf(named('worker')).env.filter(({ name }) => name.endsWith('_FILE'));
  expect(files).toEqual(expect.arrayContaining(used.map(({ value }) => basename(value))));
  for (const name of files) writeFileSync(join(folder, name), `a-long-enough-${name}`);
  const file = join(folder, 'offerline.yaml');
  writeFileSync(file, configuration().replaceAll('/run/secrets/offerline', folder));
  await expect(loadConfig({ file, env: {} })).resolves.toMatchObject({ sandbox: false, warnings: [] });
});

function configuration(): string {
  return ofKind('ConfigMap')[0]!.data['offerline.yaml']!;
}
