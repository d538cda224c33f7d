import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { S3Source } from '../../../src/config/schema/sources/s3.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import { freePort } from '../free-port.ts';
import { findProgram } from '../programs.ts';
import { tempFolder } from '../temp-folder.ts';
import { type Daemon, startDaemon } from './daemon.ts';

export type Swift = { source: S3Source; stop: () => Promise<void>; restart: () => Promise<void> };

const BUCKET = 'offers';
const LAYERS = ['account', 'container', 'object'];

/** Starts OpenStack Swift with its S3 door: one node with one device, which judges every signature. */
export async function startSwift(changes: Partial<S3Source> = {}): Promise<Swift> {
  const home = tempFolder();
  const { username } = userInfo();
  mkdirSync(join(home, 'devices', 'd1'), { recursive: true });
  writeFileSync(
    join(home, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_suffix = test\nswift_hash_path_prefix = test\n',
  );
  const common = (port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = ${username}
swift_dir = ${home}
devices = ${join(home, 'devices')}
mount_check = false
workers = 0
log_level = ERROR
`;
  const daemons: Daemon[] = [];
  const start = async (name: string, port: number, settings: string) => {
    const file = join(home, `${name}.conf`);
    writeFileSync(file, common(port) + settings);
    const program = findProgram(`swift-${name}-server`) ?? `swift-${name}-server`;
    daemons.unshift(await startDaemon(program, [file], port));
  };
  const starting = LAYERS.map(async (name) => {
    const port = await freePort();
    const builder = join(home, `${name}.builder`);
    const ring = (...args: string[]) =>
      execFileSync(findProgram('swift-ring-builder') ?? 'swift-ring-builder', [builder, ...args], { stdio: 'pipe' });
    ring('create', '4', '1', '0');
    ring('add', `r1z1-127.0.0.1:${port}/d1`, '1');
    ring('rebalance');
    await start(
      name,
      port,
      `[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`,
    );
  });
  await Promise.all(starting);
  const port = await freePort();
  await start(
    'proxy',
    port,
    `[pipeline:main]
pipeline = catch_errors cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
# Nobody answers there: nothing is cached.
memcache_servers = 127.0.0.1:9
connect_timeout = 0.1
[filter:s3api]
use = egg:swift#s3api
location = eu-test
[filter:tempauth]
use = egg:swift#tempauth
user_shop_buyer = correct-horse .admin
`,
  );
  const source: S3Source = {
    type: 's3',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-test',
    bucket: BUCKET,
    style: 'path',
    auth: { type: 'basic', user: 'shop:buyer', password: secret('correct-horse') },
    pattern: '*',
    settle: 5000,
    after: 'keep',
    moveTo: 'taken',
    timeout: 10_000,
    deadline: 60_000,
    ...changes,
  };
  return {
    source,
    stop: async () => void (await Promise.all(daemons.map(({ stop }) => stop()))),
    restart: async () => void (await Promise.all(daemons.map(({ restart }) => restart()))),
  };
}
