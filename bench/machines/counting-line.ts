import { connect, createServer, type Socket } from 'node:net';
import { onLoopback } from '../../test/support/servers/on-loopback.ts';

/** A line to a server that counts what goes over it, both ways. */
export type CountingLine = { url: string; bytes: () => number; statements: () => number };

/** Starts one on a free port of loopback. `statements` counts what a Postgres is asked to execute. */
export async function countingLine(target: string): Promise<CountingLine> {
  const { port, hostname } = new URL(target);
  let bytes = 0;
  let statements = 0;
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: Number(port), host: hostname, noDelay: true });
    const isPostgres = target.startsWith('postgres');
    const count = isPostgres ? messages((type) => (statements += type === 'Q' || type === 'E' ? 1 : 0)) : () => {};
    carry(client, upstream, (chunk) => {
      bytes += chunk.length;
      count(chunk);
    });
    carry(upstream, client, (chunk) => (bytes += chunk.length));
  });
  const { port: own } = await onLoopback(server);
  const at = new URL(target);
  at.port = String(own);
  return { url: at.href, bytes: () => bytes, statements: () => statements };
}

function carry(from: Socket, to: Socket, count: (chunk: Buffer) => void): void {
  from.on('error', () => to.destroy()).on('close', () => to.destroy());
  from.on('data', count);
  from.pipe(to);
}

const TYPE_AND_LENGTH = 5;

/** Reads the types of the messages that a client of Postgres sends, after the first one, which has none. */
function messages(onType: (type: string) => void): (chunk: Buffer) => void {
  let skip = -1;
  let head = Buffer.alloc(0);
  return (chunk) => {
    let rest = chunk;
    while (rest.length > 0) {
      if (skip > 0) {
        const passed = Math.min(skip, rest.length);
        skip -= passed;
        rest = rest.subarray(passed);
        continue;
      }
      const isFirst = skip === -1;
      const size = isFirst ? TYPE_AND_LENGTH - 1 : TYPE_AND_LENGTH;
      const missing = size - head.length;
      head = Buffer.concat([head, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      if (head.length < size) return;
      if (!isFirst) onType(String.fromCharCode(head[0]!));
      skip = head.readUInt32BE(isFirst ? 0 : 1) - 4;
      head = Buffer.alloc(0);
    }
  };
}
