import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { OfferlineError, systemCode } from '../errors.ts';

/** The sandbox that stands in for the service while `service.baseUrl` is not set. */
export type BuiltinSandbox = {
  /** Its address; starts it when it does not answer. Processes of one home share one sandbox. */
  url: () => Promise<string>;
  /** Ends it when this process started it; another process that still needs it starts its own. */
  close: () => Promise<void>;
};

const MAIN = fileURLToPath(new URL('../cli/main.ts', import.meta.url));
const START_TIMEOUT = 15_000;

/** What the sandbox has to know of the configuration, as its settings file says it. */
export type SandboxFit = {
  fileField: string;
  tagSeparator: string;
  credentialHeaders: string[];
  catalog: { commandPath: string; commandValues: 'plain' | 'percent' };
};

/** The built-in sandbox of a home folder. */
export function builtinSandbox(home: string, fit: SandboxFit): BuiltinSandbox {
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
    const unlock = await lock(join(folder, 'starting'));
    try {
      const running = await current();
      if (running !== undefined) return running;
      const started = await spawnSandbox(folder, fit);
      child = started.child;
      await writeFile(`${addressFile}.new`, started.url);
      await rename(`${addressFile}.new`, addressFile);
      return started.url;
    } finally {
      await unlock();
    }
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

/** The child ends when its standard input closes, so it never outlives this process, however that ends. */
async function spawnSandbox(folder: string, fit: SandboxFit): Promise<{ child: ChildProcess; url: string }> {
  const settings = join(folder, 'settings.json');
  await writeFile(settings, JSON.stringify(fit));
  const child = spawn(
    process.execPath,
    [MAIN, 'sandbox', '--port', '0', '--data', folder, '--json', '--end-with-parent', '--settings', settings],
    // Its own process group: a Ctrl-C at the terminal must not end it before the worker has handed back its work.
    { stdio: ['pipe', 'pipe', 'ignore'], detached: true, env: { ...process.env, LOG_LEVEL: 'silent' } },
  );
  child.unref();
  const lines = createInterface({ input: child.stdout });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(failed('it did not start in time')), START_TIMEOUT);
  lines.once('line', (line) => resolve((JSON.parse(line) as { url: string }).url));
  child.once('exit', (code) => reject(failed(`it ended with status ${code}`)));
  child.once('error', (error) => reject(failed(error.message)));
  try {
    const url = await promise;
    lines.close();
    for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref?: () => void }).unref?.();
    return { child, url };
  } finally {
    clearTimeout(timer);
  }
}

function failed(why: string): OfferlineError {
  return new OfferlineError('internal', `The built-in sandbox cannot be started: ${why}. Try \`offerline sandbox\`.`);
}

/** A lock file that two starting processes fight over; one left by a killed process is taken over after a while. */
async function lock(path: string): Promise<() => Promise<void>> {
  const giveUp = Date.now() + START_TIMEOUT;
  for (;;) {
    try {
      const file = await open(path, 'wx');
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
    if (Date.now() > giveUp) await rm(path, { force: true });
    await sleep(50);
  }
}
