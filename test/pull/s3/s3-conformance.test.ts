import { beforeAll } from 'vitest';
import { REAL_S3 } from '../../support/servers/real-s3.ts';
import type { RealS3 } from '../../support/servers/s3-source.ts';
import { serverConformance } from '../server/server-conformance.ts';
import type { Supplier } from '../server/supplier.ts';
import { supplierOf } from './objects.ts';

const servers = new Map<string, RealS3>();
const stopped = new Set<RealS3>();
let buckets = 0;

beforeAll(async () => {
  for (const { name, missing, start } of REAL_S3) if (!missing) servers.set(name, await start());
}, 120_000);

/** A bucket of its own of one server, which is started again after a test that ended it. */
async function startBucket(server: RealS3) {
  const restart = async () => {
    await server.restart();
    stopped.delete(server);
  };
  if (stopped.has(server)) await restart();
  const source = { ...server.source, bucket: `offers-${(buckets += 1)}` };
  const { makeBucket, publish, published } = supplierOf(source);
  await makeBucket();
  const supplier: Supplier = {
    publish,
    append: async (name, bytes) => publish(name, Buffer.concat([(await published())[name]!, Buffer.from(bytes)])),
    replace: publish,
    published,
  };
  return {
    source,
    nowhere: { ...source, bucket: 'nowhere' },
    supplier,
    stop: () => {
      stopped.add(server);
      return server.stop();
    },
    restart,
  };
}

for (const { name, missing } of REAL_S3) {
  serverConformance(`s3 (${name})`, missing, () => startBucket(servers.get(name)!), { many: 250, isWhole: true });
}
