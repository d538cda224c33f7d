import { createInterface } from 'node:readline';
import { OfferlineError } from '../../../src/errors.ts';
import { acquireLease } from '../../../src/ledger/lease.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { createOffers } from '../../../src/service/offers/offers.ts';
import { fenced } from '../../../src/upload/send/fence.ts';

/** Sends half of an upload under a short lease and the rest when it is told to; says how it ended. */
const [file = '', url = ''] = process.argv.slice(2);
const say = (text: string) => void process.stdout.write(`${text}\n`);
const heard = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

const ledger = await openLedger({ file });
const lease = await (async () => {
  for (;;) {
    const taken = await acquireLease(ledger, 'login-main', 'child', 1500);
    if ('lease' in taken) return taken.lease;
  }
})();
say('leased');

const half = 'BOSCH\t1\tPads\t\n'.repeat(10_000);
const head = 'brand\toem\tname\ttags\n';
async function* content() {
  yield Buffer.from(head + half);
  yield Buffer.from(half);
  say('half of the body is sent');
  await heard.next();
  yield Buffer.from(half);
}

const access = { baseUrl: () => Promise.resolve(url), auth: { type: 'none' as const }, timeout: 30_000 };
const offers = createOffers(access, { body: 'multipart', field: 'offersFile', parametersIn: 'query' });
const offer = { name: 'stopped.txt', bytes: head.length + 3 * half.length, content: content(), delimiter: null };
try {
  const fence = (body: AsyncIterable<Buffer>) => fenced(body, lease, () => {});
  const record = await offers.process({ ...offer, charsetName: null }, { signal: new AbortController().signal, fence });
  say(`accepted as ${record.id}`);
} catch (error) {
  say(error instanceof OfferlineError ? error.code : String(error));
}
await ledger.close();
process.exitCode = 0;
process.stdin.destroy();
