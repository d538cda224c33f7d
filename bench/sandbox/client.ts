// One client of the benchmark: `node bench/sandbox/client.ts URL SHARE CLIENTS`, the queries as JSON on standard input. It
// begins at its own share of them, makes all of its calls one after the other, and prints the milliseconds of each kind.
import { Agent, request } from 'node:http';
import { json, text } from 'node:stream/consumers';
import type { Query } from './queries.ts';

const [url = '', share = '0', clients = '1'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const all = (await json(process.stdin)) as Query[];
const own = all.filter((_, at) => at % Number(clients) === Number(share));
const taken: Record<string, number[]> = {};
for (const query of shuffled(own)) {
  const started = performance.now();
  const { status, answer } = await call(query);
  (taken[query.kind] ??= []).push(performance.now() - started);
  if (status !== 200) throw new Error(`${query.path}: ${status} ${answer}`);
}
console.log(JSON.stringify(taken));
agent.destroy();

async function call({ path, body }: Query): Promise<{ status: number | undefined; answer: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; answer: string }>();
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request(`${url}${path}`, { agent, method }, (response) => {
    text(response).then((answer) => resolve({ status: response.statusCode, answer }), reject);
  });
  sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}

/** Every kind among all others: neighbours in the list would find each other's pages warm. */
function shuffled<T>(list: T[]): T[] {
  return list
    .map((entry, at) => ({ entry, place: (at * 7919) % 10_007 }))
    .sort((a, b) => a.place - b.place)
    .map(({ entry }) => entry);
}
