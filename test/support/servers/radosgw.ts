import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { S3Source } from '../../../src/config/schema/sources/s3.ts';
import { freePort } from '../free-port.ts';
import { findProgram } from '../programs.ts';
import { tempFolder } from '../temp-folder.ts';
import { startDaemon } from './daemon.ts';
import { pythonOf } from './python-of.ts';
import { type RealS3, s3SourceAt } from './s3-source.ts';

const KEYS = { user: 'buyer', password: 'correct-horse' };

/** What `ceph osd new` does, which does not wait until the monitor has told which cluster it is, and is refused now and then. */
const ANNOUNCE = `
import json, rados, sys, time
config, device = sys.argv[1:]
cluster = rados.Rados(conffile=config)
cluster.connect(timeout=60)
while not cluster.get_fsid().strip('0-'): time.sleep(0.01)
status, _, said = cluster.mon_command(json.dumps({'prefix': 'osd new', 'uuid': device}), b'')
sys.exit(said if status else 0)
`;

/** Waits for a program, which would wait for ever for a device that is not there. */
async function ended(program: string, args: string[]): Promise<void> {
  await promisify(execFile)(program, args, { timeout: 60_000, killSignal: 'SIGKILL' });
}

/** Tells the monitor of its one device, by the Python that Ceph runs in. */
async function announce(config: string, device: string): Promise<void> {
  await ended(pythonOf('ceph'), ['-c', ANNOUNCE, config, device]);
}

/** Starts Ceph with its S3 door: a monitor, one device in memory, and radosgw, which judges every signature. */
export async function startRadosgw(changes: Partial<S3Source> = {}): Promise<RealS3> {
  const home = tempFolder();
  const ports = { monitor: await freePort(), device: await freePort(), door: await freePort() };
  const [cluster, device] = [randomUUID(), randomUUID()];
  const config = join(home, 'ceph.conf');
  writeFileSync(config, configuration(home, cluster, ports));
  const monitors = join(home, 'monmap');
  for (const folder of ['mon', 'osd']) mkdirSync(join(home, folder));
  const call = (name: string, ...args: string[]) => ended(findProgram(name) ?? name, args);
  const start = (name: string, args: string[], port: number) =>
    startDaemon(findProgram(name) ?? name, ['-c', config, '-f', ...args], port);

  await call('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', `v1:127.0.0.1:${ports.monitor}`, monitors);
  await call('ceph-mon', '-c', config, '--mkfs', '-i', 'a');
  await start('ceph-mon', ['-i', 'a'], ports.monitor);
  await announce(config, device);
  await call('ceph-osd', '-c', config, '--mkfs', '-i', '0', '--osd-uuid', device);
  // It believes the file of monitors: asked for the configuration, the monitor would not tell at once which cluster it is.
  await start('ceph-osd', ['-i', '0', '--no-mon-config'], ports.device);
  const { user, password } = KEYS;
  const names = ['--uid', 'shop', '--display-name', 'shop', '--access-key', user, '--secret-key', password];
  await call('radosgw-admin', '-c', config, 'user', 'create', ...names);
  const door = await start('radosgw', ['-n', 'client.rgw'], ports.door);
  const source = { ...s3SourceAt(ports.door, KEYS), ...changes };
  // The objects are in the memory of the device, which stays.
  return { source, stop: door.stop, restart: door.restart };
}

function configuration(
  home: string,
  cluster: string,
  ports: { monitor: number; device: number; door: number },
): string {
  return `[global]
fsid = ${cluster}
monmap = ${home}/monmap
run dir = ${home}
admin socket =
log file =
mon cluster log to file = false
auth cluster required = none
auth service required = none
auth client required = none
ms bind ipv6 = false
ms bind msgr2 = false
public network = 127.0.0.0/8
cluster network = 127.0.0.0/8
[mon]
mon data = ${home}/mon
mon data avail warn = 0
mon data avail crit = 0
mon allow pool size one = true
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
osd crush chooseleaf type = 0
# What is decided is decided at once: nobody else decides.
paxos propose interval = 0.05
paxos min wait = 0.01
[osd]
osd data = ${home}/osd
osd objectstore = memstore
memstore device bytes = 1073741824
public addr = 127.0.0.1:${ports.device}
cluster addr = 127.0.0.1
[client]
rgw frontends = beast endpoint=127.0.0.1:${ports.door}
# Nobody else is told of changes to buckets: one that was killed would be waited for.
rgw cache enabled = false
# A page of a listing, as Swift's.
rgw max listing results = 100
`;
}
