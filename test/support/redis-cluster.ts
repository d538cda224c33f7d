import { Redis } from 'ioredis';
import { atEnd } from './at-end.ts';
import { freePort } from './free-port.ts';
import { startRedisProgram, type TestRedis } from './redis.ts';
import { TEST_TLS } from './tls.ts';
import { until } from './until.ts';

/** A Redis Cluster of three primaries with a third of the slots each, and a replica each if asked for. */
export type TestCluster = {
  /** `redis+cluster://` and the primaries. */
  url: string;
  primaries: TestRedis[];
  replicas: TestRedis[];
  /** The primary that has the slot of a key, and its replica. */
  ownerOf: (key: string) => Promise<{ primary: TestRedis; replica: TestRedis | undefined }>;
};

const SLOTS = 16_384;
/** Milliseconds after which a node that does not answer is taken for dead. */
const NODE_TIMEOUT = 1000;

/** Starts a cluster; it ends with the test. */
export async function startCluster(
  options: { replicas?: boolean; settings?: (port: number) => string[]; tls?: boolean } = {},
): Promise<TestCluster> {
  const buses = new Map<TestRedis, number>();
  const start = async () => {
    // The usual one is the port and 10,000, which may be no port.
    const bus = await freePort();
    const node = await startRedisProgram((port) => [
      '--cluster-enabled',
      'yes',
      '--cluster-config-file',
      'nodes.conf',
      '--cluster-port',
      String(bus),
      '--cluster-node-timeout',
      String(NODE_TIMEOUT),
      '--cluster-replica-validity-factor',
      '0',
      ...(options.settings?.(port) ?? []),
    ]);
    buses.set(node, bus);
    return node;
  };
  const primaries = await Promise.all([start(), start(), start()]);
  const replicas = options.replicas === true ? await Promise.all([start(), start(), start()]) : [];
  const nodes = [...primaries, ...replicas];
  const tls = options.tls === true ? { tls: { ...TEST_TLS, ca: TEST_TLS.cert } } : {};
  const clients = nodes.map(({ port }) => new Redis(port, '127.0.0.1', tls));
  for (const client of clients) client.on('error', () => undefined);
  atEnd(() => clients.forEach((client) => client.disconnect()));
  for (const node of nodes.slice(1))
    await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', node.port, buses.get(node) ?? 0);
  for (const [at, client] of clients.slice(0, 3).entries()) {
    const [first, last] = [Math.ceil((at * SLOTS) / 3), Math.ceil(((at + 1) * SLOTS) / 3) - 1];
    await client.call('CLUSTER', 'ADDSLOTSRANGE', first, last);
  }
  for (const client of clients) {
    await until(async () => ((await known(client)) === nodes.length ? true : undefined));
  }
  for (const [at, client] of clients.slice(3).entries()) {
    const id = String(await clients[at]?.call('CLUSTER', 'MYID'));
    await until(() => client.call('CLUSTER', 'REPLICATE', id).catch(() => undefined));
    await until(async () => (/master_link_status:up/.test(await client.info()) ? true : undefined));
  }
  for (const client of clients) {
    await until(async () => (/cluster_state:ok/.test(String(await client.call('CLUSTER', 'INFO'))) ? true : undefined));
  }
  return {
    url: `redis+cluster://${primaries.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    primaries,
    replicas,
    ownerOf: async (key) => {
      const at = Math.floor((Number(await clients[0]?.call('CLUSTER', 'KEYSLOT', key)) * 3) / SLOTS);
      const primary = primaries[at];
      if (primary === undefined) throw new Error(`no node has the slot of ${key}`);
      return { primary, replica: replicas[at] };
    },
  };
}

async function known(client: Redis): Promise<number> {
  const lines = String(await client.call('CLUSTER', 'NODES'))
    .trim()
    .split('\n');
  return lines.filter((line) => !/handshake|noaddr|fail/.test(line)).length;
}
