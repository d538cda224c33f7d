import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { S3Source } from '../../../src/config/schema/sources/s3.ts';
import { freePort } from '../free-port.ts';
import { findProgram } from '../programs.ts';
import { tempFolder } from '../temp-folder.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { pythonOf } from './python-of.ts';
import { type RealS3, s3SourceAt } from './s3-source.ts';

const LAYERS = ['account', 'container', 'object'];

/** What `swift-ring-builder` does in nine calls, of which each takes a second to start. */
const RINGS = `
import json, sys
from swift.common.ring import RingBuilder
home, layers = sys.argv[1], json.loads(sys.argv[2])
for layer in layers:
    ring = RingBuilder(4, 1, 0)
    ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': layer['port'], 'device': 'd1', 'weight': 1.0})
    ring.rebalance()
    ring.get_ring().save(home + '/' + layer['name'] + '.ring.gz')
`;

/** Says on which port each layer has its one device, by the Python that Swift runs in. */
function buildRings(home: string, layers: { name: string; port: number }[]): void {
  execFileSync(pythonOf('swift-ring-builder'), ['-c', RINGS, home, JSON.stringify(layers)], { stdio: 'pipe' });
}

/** Starts OpenStack Swift with its S3 door: one node with one device, which judges every signature. */
export async function startSwift(changes: Partial<S3Source> = {}): Promise<RealS3> {
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
  const layers = await Promise.all(LAYERS.map(async (name) => ({ name, port: await freePort() })));
  buildRings(home, layers);
  const starting = layers.map(({ name, port }) =>
    start(name, port, `[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`),
  );
  await Promise.all(starting);
  const port = await freePort();
  await start(
    'proxy',
    port,
    `[pipeline:main]
pipeline = catch_errors cache s3api tempauth slo proxy-server
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
[filter:slo]
use = egg:swift#slo
[filter:s3api]
use = egg:swift#s3api
location = eu-test
# A page of a listing: objects take long to be put there.
max_bucket_listing = 100
[filter:tempauth]
use = egg:swift#tempauth
user_shop_buyer = correct-horse .admin
`,
  );
  const source = { ...s3SourceAt(port, { user: 'shop:buyer', password: 'correct-horse' }), ...changes };
  return {
    source,
    stop: async () => void (await Promise.all(daemons.map(({ stop }) => stop()))),
    restart: async () => void (await Promise.all(daemons.map(({ restart }) => restart()))),
  };
}
