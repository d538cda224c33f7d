import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../src/sandbox/server.ts';
import { createSsd } from '../../src/sandbox/ssd.ts';
import { openStore } from '../../src/sandbox/store.ts';
import { send, type Call } from './calls.ts';
import type { Known } from './refusals.ts';

/** 2026-01-01T00:00:00Z: examples are the same on every day. */
const START = 1_767_225_600_000;

/** The first upload of the sandboxes that examples are taken from. */
export const FIRST_OFFER_ID = 7_000_000_001n;

const MEMBER = { type: 'basic', user: 'shop', password: 'secret' } as const;
const GUEST = { type: 'basic', user: 'guest', password: 'secret' } as const;

/** Two sandboxes whose clocks stand still: an open one, and one that knows its logins and takes only small files. */
export async function openStage() {
  const folder = await mkdtemp(join(tmpdir(), 'offerline-openapi-'));
  const clock = { time: START };
  const open = join(folder, 'open');
  const store = await openStore(open);
  const ssd = createSsd(store.key);
  store.close();
  const now = () => clock.time;
  const sandbox = await startSandbox({ dataDir: open, now, settings: { firstOfferId: String(FIRST_OFFER_ID) } });
  const logins = [{ auth: MEMBER }, { auth: GUEST, rights: [] }];
  const strict = await startSandbox({
    dataDir: join(folder, 'strict'),
    now,
    settings: { logins, limits: { uploadBytes: 50 } },
  });
  /** Lets what was begun come to its end. */
  const settle = async () => {
    await sandbox.settled();
    clock.time += 1000;
  };
  return {
    url: sandbox.url,
    strictUrl: strict.url,
    settle,
    ssd,
    close: async () => {
      await sandbox.close();
      await strict.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Brings the open sandbox, which has played the examples, into the states that calls are refused in. */
export async function prepareRefusals({ url, settle, ssd }: Awaited<ReturnType<typeof openStage>>): Promise<Known> {
  const upload = async (fileName: string, body: string): Promise<string> => {
    const { id } = await json(url, {
      ...call('post', '/us2/public/offer/process', { fileName }),
      body,
    });
    return String(id);
  };
  const good = await upload('good.txt', 'brand\toem\nNORDMARK\tN95 556 163 B\n');
  await settle();
  const broken = await upload('broken.zip', 'PK\u0003\u0004 and no more');
  await settle();
  await upload('unfinished.txt', 'brand\toem\n');
  const identified = await json(url, call('get', '/us2/public/vehicle/identify', { identString: 'YX9ZZZF1DDN109626' }));
  const [vehicle] = identified['data'] as { id: number }[];
  return {
    offers: { good, broken },
    unindexed: String(vehicle!.id),
    ssdOfNoVehicle: ssd.write({ catalog: 'NRD2611', vehicle: 999_999 }),
    member: basic(MEMBER),
    guest: basic(GUEST),
  };
}

function basic({ user, password }: typeof MEMBER | typeof GUEST): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

function call(method: string, path: string, query: Record<string, string>): Call {
  return { method, path, query: Object.entries(query), headers: {} };
}

async function json(url: string, asked: Call): Promise<Record<string, unknown>> {
  const reply = await send(url, asked);
  if (!reply.ok) throw new Error(`${asked.path}: ${await reply.text()}`);
  return (await reply.json()) as Record<string, unknown>;
}
