import type { Readable } from 'node:stream';
import { writeOutput } from '../files/output-file.ts';
import type { Service } from '../../service/service.ts';
import type { Io } from '../io.ts';
import { toStdout } from '../stdout.ts';
import type { Plan } from './plan-call.ts';
import { showReply } from './show-reply.ts';

/** What a call is made with. */
export type Calling = { service: Service; sandbox: boolean; signal: AbortSignal };

type Wanted = { allPages?: true; out?: string; json?: true };

/** Every operation as a function of any parameters. */
type Call = ((parameters: unknown, options: { signal: AbortSignal }) => Promise<unknown>) & {
  each: (parameters: unknown, options: { signal: AbortSignal }) => AsyncIterable<unknown>;
};

/** Makes a call and gives its answer: a file as it is, a value as JSON or for people. */
export async function answer(plan: Plan, wanted: Wanted, calling: Calling, io: Io): Promise<void> {
  const { operation, parameters } = plan;
  const { signal, service, sandbox } = calling;
  const call = (service[operation.group] as unknown as Record<string, Call>)[operation.name]!;
  if (operation.reply === 'file') return keep((await call(parameters, { signal })) as Readable, wanted, sandbox, io);
  const options = { signal };
  const reply =
    wanted.allPages === true ? { data: await allOf(call.each(parameters, options)) } : await call(parameters, options);
  const stamped = sandbox && isObject(reply) ? { ...reply, sandbox } : reply;
  const text = wanted.json === true ? JSON.stringify(stamped) : showReply(operation, reply);
  if (wanted.out !== undefined) {
    await writeOutput('--out', wanted.out, [`${text}\n`]);
    io.note(`Written to ${wanted.out}.`);
  } else if (wanted.json === true) io.json(stamped);
  else io.out(text);
}

/** A downloaded file is not changed: it goes to a file or to stdout as it came. */
async function keep(content: Readable, { out, json }: Wanted, sandbox: boolean, io: Io): Promise<void> {
  if (out === undefined) return toStdout(content, io.stdout);
  let bytes = 0;
  await writeOutput(
    '--out',
    out,
    (async function* () {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        yield chunk;
      }
    })(),
  );
  if (json === true) io.json({ file: out, bytes, ...(sandbox ? { sandbox } : {}) });
  else io.note(`${bytes} bytes written to ${out}.`);
}

async function allOf(elements: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const element of elements) all.push(element);
  return all;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
