import { createServer, type Socket } from 'node:net';
import { onLoopback } from './on-loopback.ts';

/** What a server does on a command instead of answering it. */
export type ImapScript = Partial<Record<string, (socket: Socket, tag: string, line: string) => void>>;

const UNTAGGED: Record<string, string[]> = {
  CAPABILITY: ['CAPABILITY IMAP4rev1'],
  NAMESPACE: ['NAMESPACE (("" "/")) NIL NIL'],
  LIST: ['LIST () "/" INBOX'],
  EXAMINE: ['FLAGS ()', '10 EXISTS', '0 RECENT', 'OK [UIDVALIDITY 1] Yes', 'OK [UIDNEXT 11] Yes'],
};

/** An IMAP server without encryption that lets everybody in, and answers as a test says; its port. */
export async function startScriptedImap(script: ImapScript): Promise<number> {
  const server = createServer((socket) => {
    socket.write('* OK Hello\r\n');
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) answer(socket, line);
    });
  });
  const answer = (socket: Socket, line: string) => {
    const [tag = '', first = '', second = ''] = line.split(' ');
    const command = (first === 'UID' ? second : first).toUpperCase();
    const own = script[command];
    if (own !== undefined) return own(socket, tag, line);
    for (const untagged of UNTAGGED[command] ?? []) socket.write(`* ${untagged}\r\n`);
    socket.write(`${tag} OK Done\r\n`);
  };
  const { port } = await onLoopback(server);
  return port;
}
