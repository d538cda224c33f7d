import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { killAtEnd } from '../at-end.ts';
import { freePort } from '../free-port.ts';

const CHILD = fileURLToPath(new URL('./provider-child.ts', import.meta.url));

/** What a provider claims of somebody, whom it calls `sub`. */
export type Account = { sub: string; [claim: string]: unknown };

/** A provider in a process of its own. */
export type ProviderUnderTest = {
  issuer: string;
  /** Lets a browser of this account go where a console sent it; gives the address that it is sent back to. */
  visit: (address: string, account: Account) => Promise<string>;
  /** Says what is true of accounts from now on; others are gone. */
  tell: (...accounts: Account[]) => Promise<void>;
  stop: () => Promise<void>;
  /** Starts it again at the same address: it has other keys then, and has forgotten everybody. */
  restart: () => Promise<void>;
};

/** Starts a provider for a console whose users open `back`. */
export async function startProvider(back: string): Promise<ProviderUnderTest> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  let running = await startOne(port, back);
  const say = async (accounts: Account[]) => {
    const told = Object.fromEntries(accounts.map(({ sub, ...claims }) => [sub, claims]));
    running.child.stdin!.write(`${JSON.stringify({ accounts: told, next: accounts[0]?.sub ?? '' })}\n`);
    await running.line();
  };
  return {
    issuer,
    tell: (...accounts) => say(accounts),
    visit: async (address, account) => {
      await say([account]);
      return follow(address, back);
    },
    stop: () => end(running.child),
    restart: async () => {
      await end(running.child);
      running = await startOne(port, back);
    },
  };
}

/** Goes where a provider leads a browser, with its cookies, until it is led back. */
async function follow(address: string, back: string): Promise<string> {
  const cookies = new Map<string, string>();
  let at = address;
  for (let steps = 0; steps < 10; steps++) {
    if (at.startsWith(back)) return at;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(at, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
    await reply.body?.cancel();
    for (const set of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = reply.headers.get('location');
    if (location === null) throw new Error(`${at} answered ${reply.status} and led nowhere`);
    at = new URL(location, at).href;
  }
  throw new Error(`${address} led nowhere`);
}

type Running = { child: ChildProcess; line: () => Promise<void> };

async function startOne(port: number, back: string): Promise<Running> {
  const child = spawn(process.execPath, [CHILD, String(port), back], { stdio: ['pipe', 'pipe', 'pipe'] });
  killAtEnd(child);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  // What the library says itself is no answer.
  const line = async () => {
    for (;;) {
      const next = await lines.next();
      if (next.done === true) throw new Error(`the provider ended: ${errors}`);
      if (next.value.startsWith('{')) return;
    }
  };
  await line();
  return { child, line };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
