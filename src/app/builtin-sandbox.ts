import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/schema/schema.ts';
import { OfferlineError } from '../errors.ts';
import { withFileLock } from '../ledger/engines/file-lock.ts';

/** The sandbox that stands in for the service while `service.baseUrl` is not set. */
export type BuiltinSandbox = {
  /** Its address; starts it when it does not answer. Processes of one home share one sandbox. */
  url: () => Promise<string>;
  /** Ends it when this process started it; another process that still needs it starts its own. */
  close: () => Promise<void>;
};

const MAIN = fileURLToPath(new URL('../cli/main.ts', import.meta.url));
const START_TIMEOUT = 15_000;
/** A sandbox whose parent was killed ends within seconds, and holds the data folder until then. */
const END_TIMEOUT = 10_000;
/** Longer than a start may take, so that processes that start at the same time wait for the one that does it. */
const LOCK_TIMEOUT = 90_000;

/** What the sandbox has to know of the configuration, as its settings file says it. */
export type SandboxFit = {
  fileField: string;
  tagSeparator: string;
  credentialHeaders: string[];
  catalog: { commandPath: string; commandValues: 'plain' | 'percent' };
};

/** What the built-in sandbox has to know of a configuration. */
export function sandboxFit({ logins, service, offer }: Config): SandboxFit {
  const headers = Object.values(logins).flatMap(({ auth }) => (auth.type === 'header' ? [auth.name] : []));
  const { upload, commandPath, commandValues } = service;
  return {
    fileField: upload.field,
    catalog: { commandPath, commandValues: commandValues === 'percent' ? 'percent' : 'plain' },
    tagSeparator: offer.tagSeparator,
    credentialHeaders: [...new Set(headers)],
  };
}

/** The built-in sandbox of a home folder; `env` is the environment that its process gets. */
export function builtinSandbox(home: string, fit: SandboxFit, env: NodeJS.ProcessEnv): BuiltinSandbox {
  const folder = join(home, 'sandbox');
  const addressFile = join(folder, 'address');
  let child: ChildProcess | undefined;
  let starting: Promise<string> | undefined;

  async function current(): Promise<string | undefined> {
    const url = await readFile(addressFile, 'utf8').catch(() => '');
    return url !== '' && (await answers(url)) ? url : undefined;
  }

  async function start(): Promise<string> {
    await mkdir(folder, { recursive: true });
    return withFileLock(join(folder, 'lock'), LOCK_TIMEOUT, async () => {
      const running = await current();
      if (running !== undefined) return running;
      const started = await startWhenFree(folder, fit, env);
      child = started.child;
      await writeFile(`${addressFile}.new`, started.url);
      await rename(`${addressFile}.new`, addressFile);
      return started.url;
    });
  }

  return {
    url: async () => {
      const running = await current();
      if (running !== undefined) return running;
      starting ??= start().finally(() => {
        starting = undefined;
      });
      return starting;
    },
    close: async () => {
      await starting?.catch(() => undefined);
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      // From here on it is waited for; nothing else may keep this process running.
      child.ref();
      child.stdin?.end();
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}

type Started = { child: ChildProcess; url: string };

/** Starts a sandbox, and waits for one that is still ending in the same folder. */
async function startWhenFree(folder: string, fit: SandboxFit, env: NodeJS.ProcessEnv): Promise<Started> {
  const giveUp = performance.now() + END_TIMEOUT;
  for (;;) {
    try {
      return await spawnSandbox(folder, fit, env);
    } catch (error) {
      const isTaken = error instanceof OfferlineError && error.details['code'] === 'conflict';
      if (!isTaken || performance.now() >= giveUp) throw error;
    }
    await sleep(100);
  }
}

/** The child ends when its standard input closes, so it never outlives this process, however that ends. */
async function spawnSandbox(folder: string, fit: SandboxFit, env: NodeJS.ProcessEnv): Promise<Started> {
  const settings = join(folder, 'settings.json');
  await writeFile(settings, JSON.stringify(fit));
  const child = spawn(
    process.execPath,
    [MAIN, 'sandbox', '--port', '0', '--data', folder, '--json', '--end-with-parent', '--settings', settings],
    // Its own process group: a Ctrl-C at the terminal must not end it before the worker has handed back its work.
    { stdio: ['pipe', 'pipe', 'ignore'], detached: true, env: { ...env, LOG_LEVEL: 'silent' } },
  );
  child.unref();
  const lines = createInterface({ input: child.stdout });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const timer = setTimeout(() => reject(failed('it did not start in time')), START_TIMEOUT);
  lines.once('line', (line) => resolve(JSON.parse(line) as Answer));
  lines.once('close', () => reject(failed('it ended without a message')));
  child.once('error', (error) => reject(failed(error.message)));
  try {
    const answer = await promise;
    if ('error' in answer) throw failed(answer.error.message, answer.error.code);
    lines.close();
    for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref?: () => void }).unref?.();
    return { child, url: answer.url };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** What `offerline sandbox --json` prints. */
type Answer = { url: string } | { error: { code: string; message: string } };

function failed(why: string, code?: string): OfferlineError {
  const reason = why.replace(/\.$/, '');
  const message = `The built-in sandbox could not be started: ${reason}. Run \`offerline sandbox\` to see what is wrong.`;
  return new OfferlineError('internal', message, { details: code === undefined ? {} : { code } });
}
