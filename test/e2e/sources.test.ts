import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ServerSource } from '../../src/config/schema/source-schema.ts';
import { attached, mailWith } from '../pull/mail/write-mail.ts';
import { supplierOf } from '../pull/s3/objects.ts';
import { install } from '../support/installation.ts';
import { lacks } from '../support/programs.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { startApache } from '../support/servers/apache.ts';
import { startDovecot } from '../support/servers/dovecot.ts';
import { startSshd } from '../support/servers/sshd.ts';
import { startSwift } from '../support/servers/swift.ts';
import { startVsftpd } from '../support/servers/vsftpd.ts';
import { chosenOf } from '../support/suite/thirds.ts';

const FILE = 'brand;oem\nBOSCH;0 986 424 797\nATE;13.0460-7184.2\n';
const CERTIFICATE = fileURLToPath(new URL('../support/tls/certificate.pem', import.meta.url));

/** A place of a supplier with one file, and the number of files that it holds later, apart from moved ones. */
type Place = { source: ServerSource; left: () => Promise<number> };
/** `open` starts what all tests share, and answers how each of them gets a place of its own. */
type Kind = { programs: string[]; open: () => Promise<() => Promise<Place>> };

const KINDS: Record<string, Kind> = {
  ftp: { programs: ['vsftpd'], open: async () => () => inFolder(startVsftpd()) },
  sftp: { programs: ['sshd', 'ssh-keygen'], open: async () => () => inFolder(startSshd()) },
  webdav: { programs: ['apache2'], open: async () => () => inFolder(startApache({ tls: true })) },
  s3: {
    programs: ['swift-proxy-server', 'swift-object-server', 'swift-ring-builder', 'python3'],
    open: async () => {
      const swift = await startSwift({ prefix: 'out/' });
      let buckets = 0;
      return async () => {
        const source = { ...swift.source, bucket: `offers-${(buckets += 1)}` };
        const { makeBucket, publish, keys } = supplierOf(source);
        await makeBucket();
        await publish('prices.csv', FILE);
        return { source, left: async () => (await keys()).filter((key) => key === 'out/prices.csv').length };
      };
    },
  },
  mail: {
    programs: ['dovecot'],
    open: async () => async () => {
      const { source, deliver, folder } = await startDovecot();
      deliver(mailWith([attached('prices.csv', FILE)]));
      const mails = () => ['new', 'cur'].flatMap((box) => readdirSync(join(folder, box)));
      return { source, left: async () => mails().length };
    },
  },
};

async function inFolder(starting: Promise<{ source: ServerSource; folder: string }>): Promise<Place> {
  const { source, folder } = await starting;
  writeFileSync(join(folder, 'prices.csv'), FILE);
  return { source, left: async () => readdirSync(folder).filter((name) => name === 'prices.csv').length };
}

/** A source as people write it. */
function written(source: ServerSource): Record<string, unknown> {
  const shown = JSON.parse(JSON.stringify(source, (_key, value: unknown) => revealed(value))) as Record<
    string,
    unknown
  >;
  return { ...shown, settle: '0s', timeout: '10s', deadline: '1m' };
}

/** Credentials hide themselves before anybody can replace them, so that what holds them is looked at. */
function revealed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, textOf(inner)]));
}

function textOf(value: unknown): unknown {
  const isSecret = typeof value === 'object' && value !== null && 'reveal' in value;
  return isSecret ? (value.reveal as () => string)() : value;
}

const chosen = chosenOf(Object.entries(KINDS));
const starts = new Map<string, () => Promise<Place>>();
beforeAll(async () => {
  for (const [name, { programs, open }] of chosen) if (!lacks(...programs)) starts.set(name, await open());
});

describe.each(chosen)('%s', (name, { programs }) => {
  const start = () => starts.get(name)!();

  test.skipIf(lacks(...programs)).each(['delete', 'move'] as const)(
    'is looked at, taken from once, and left as after: %s says',
    async (after) => {
      const [{ url }, { source, left }] = await Promise.all([sandboxForTest(), start()]);
      const shop = install({}, { NODE_EXTRA_CA_CERTS: CERTIFICATE });
      const north = { source: { ...written(source), after } };
      shop.configure({ service: { baseUrl: url }, feeds: { north } });
      expect((await shop.offerline('config', 'check')).status).toBe(0);
      const listed = JSON.parse((await shop.offerline('pull', 'north', '--list', '--json')).stdout) as object;
      expect(listed).toMatchObject({ files: [{ name: 'prices.csv', decision: 'take' }] });
      expect((await shop.offerline('doctor')).stdout).toContain('newest match prices.csv');
      expect(await left()).toBe(1);
      const answer = await shop.ingest('north');
      expect(answer).toMatchObject({ status: 0, outcome: 'live', rows: { live: 2 }, delivery: { name: 'prices.csv' } });
      expect((await shop.offerline('show', answer.run)).stdout).toContain(
        `prices.csv was ${after === 'delete' ? 'deleted' : 'moved'} at the supplier's`,
      );
      expect(await left()).toBe(0);
      expect(await shop.ingest('north')).toMatchObject({ outcome: 'nothing' });
    },
  );

  test.skipIf(lacks(...programs))('a wrong password is said without being shown, wherever people look', async () => {
    const [{ url }, { source }] = await Promise.all([sandboxForTest(), start()]);
    const shop = install({}, { NODE_EXTRA_CA_CERTS: CERTIFICATE });
    const user = 'user' in source.auth ? source.auth.user : '';
    const auth = { type: 'basic', user, password: 'wrong-password' };
    shop.configure({ service: { baseUrl: url }, feeds: { north: { source: { ...written(source), auth } } } });
    const answer = await shop.ingest('north');
    expect(answer).toMatchObject({ outcome: 'failed', status: 4 });
    const seen = [
      JSON.stringify(answer),
      ...Object.values(await shop.offerline('doctor')),
      ...Object.values(await shop.offerline('feeds')),
      ...Object.values(await shop.offerline('show', answer.run)),
    ].join('\n');
    expect(seen).toContain('source.auth');
    expect(seen).toContain('refused its credentials since');
    expect(seen).not.toContain('wrong-password');
  });
});
