import { beforeAll } from 'vitest';
import { lacks } from '../../support/programs.ts';
import { startSwift, type Swift } from '../../support/servers/swift.ts';
import { serverConformance } from '../server/server-conformance.ts';
import type { Supplier } from '../server/supplier.ts';
import { supplierOf } from './objects.ts';

const missing = lacks('swift-proxy-server', 'swift-object-server', 'swift-ring-builder', 'python3');

let swift: Swift;
let isStopped = false;
let buckets = 0;

beforeAll(async () => {
  if (!missing) swift = await startSwift();
}, 60_000);

/** A bucket of its own of one server, which is started again after a test that ended it. */
async function start() {
  if (isStopped) await swift.restart();
  isStopped = false;
  const source = { ...swift.source, bucket: `offers-${(buckets += 1)}` };
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
      isStopped = true;
      return swift.stop();
    },
    restart: async () => {
      await swift.restart();
      isStopped = false;
    },
  };
}

serverConformance('s3', missing, start, { many: 250, isWhole: true });
