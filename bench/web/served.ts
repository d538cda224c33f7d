import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openContext } from '../../src/app/open-context.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createLog } from '../../src/log.ts';
import { addUser } from '../../src/access/users.ts';

/** A console in a process of its own, and a client of it that has signed in. */
export type Served = {
  url: string;
  get: (path: string, signal?: AbortSignal) => Promise<Response>;
  /** What the process takes: bytes of resident memory, and milliseconds of processor time since its start. */
  usage: () => Promise<{ rss: number; cpu: number }>;
  end: () => void;
};

const SERVE = fileURLToPath(new URL('./serve.ts', import.meta.url));
const USER = { name: 'bench', password: 'a password of the benchmark' };

/** Serves the console of a filled home, whose ledger gets an administrator unless another console of it was served before. */
export async function serveConsole(file: string, home: string, { isFirst = true } = {}): Promise<Served> {
  if (isFirst) await addAdministrator(file, home);
  const child = spawn(process.execPath, [SERVE, file, home], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ready = Promise.withResolvers<string>();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const found = /"url":"(http[^"]+)\/","msg":"console ready"/u.exec(text)?.[1];
    if (found !== undefined) ready.resolve(found);
  });
  child.once('exit', () => ready.reject(new Error('the console ended before it was ready')));
  const url = await ready.promise;
  const cookie = await signIn(url);
  const lines = createInterface({ input: child.stdout });
  return {
    url,
    get: (path, signal) =>
      fetch(`${url}${path}`, { headers: { cookie }, redirect: 'manual', ...(signal === undefined ? {} : { signal }) }),
    usage: async () => {
      child.stdin.write('\n');
      const [line] = (await once(lines, 'line')) as [string];
      return JSON.parse(line) as { rss: number; cpu: number };
    },
    end: () => void child.stdin.end(),
  };
}

async function addAdministrator(file: string, home: string): Promise<void> {
  const log = await createLog({ level: 'error', pretty: false });
  const { ctx, close } = await openContext(await loadConfig({ file, home, env: {} }), log);
  const by = { who: 'bench', via: 'cli', origin: null } as const;
  await addUser({ ...USER, role: 'admin', email: null, language: null }, by, ctx);
  await close();
}

async function signIn(url: string): Promise<string> {
  const init = {
    method: 'POST',
    body: new URLSearchParams(USER),
    headers: { origin: url },
    redirect: 'manual',
  } as const;
  const reply = await fetch(`${url}/sign-in`, init);
  const cookies = reply.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  if (reply.status !== 303 || cookies.length === 0) throw new Error(`signing in was answered with ${reply.status}`);
  return cookies.join('; ');
}
