import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { atEnd, ifFailed, killAtEnd } from './at-end.ts';
import { heldServers } from './held-servers.ts';
import { canPlay, playCommand } from './play-command.ts';
import { PROGRAM } from './started-program.ts';
import { endPrivateRedis } from './private-redis.ts';
import { tempFolder } from './temp-folder.ts';

/** How a program ended. */
export type Ended = { status: number | null; stdout: string; stderr: string };

/** A program that is still running. */
export type Running = { child: ChildProcess; ended: Promise<Ended>; stdout: () => string; stderr: () => string };

/** Short intervals, so that nothing in a test waits longer than it must. */
const QUICK = {
  poll: { initial: '20ms', max: '200ms', settle: '1s', patience: '1s', deadline: '10m', index: '1s' },
  worker: { lease: '3s', lock: '2s', stalled: '1s', sweep: '500ms' },
};

/** What so many programs said is shown when a test fails; of those that still run, so many characters. */
const LAST_SAID = 3;
const MOST_SAID = 20_000;

/** An installation of a test: a folder with configuration, inboxes and state, and the real program to run on it. */
export type Installation = {
  folder: string;
  home: string;
  /** Writes the configuration; `service` and `worker` are laid over the quick settings. */
  configure: (config: Config) => void;
  /** Puts a file where a feed finds it; answers with its path. */
  deliver: (feed: string, name: string, content: string | Buffer) => string;
  /** Carries a command out to its end: in this process where that is the same, else by the program. */
  offerline: (...args: string[]) => Promise<Ended>;
  /** Starts the program. */
  start: (...args: string[]) => Running;
  /** `ingest FEED --wait --json`, with its exit status. */
  ingest: (feed: string, ...args: string[]) => Promise<RunAnswer & { status: number | null; stderr: string }>;
  /** Ends what runs on between the commands that are played; it ends with the test otherwise. */
  release: () => Promise<void>;
};

export type Config = {
  service?: Record<string, unknown>;
  worker?: Record<string, unknown>;
  logins?: Record<string, unknown>;
  feeds?: Record<string, unknown>;
} & Record<string, unknown>;

/** A fresh installation; what it starts is killed when the test has finished. `before`: words before the program, such as `unshare --time`. */
export function install(config: Config = {}, env: NodeJS.ProcessEnv = {}, before: string[] = []): Installation {
  const folder = tempFolder();
  const home = join(folder, 'home');
  const file = join(folder, 'offerline.yaml');
  const said: string[] = [];
  const running = new Map<ChildProcess, () => string>();
  ifFailed(() => {
    const still = [...running.values()].map((say) => say());
    process.stderr.write([...said.slice(-LAST_SAID), ...still].join('\n'));
  });
  const surroundings = (): NodeJS.ProcessEnv => {
    const { REDIS_URL: _redis, DATABASE_URL: _database, ...inherited } = process.env;
    return { ...inherited, OFFERLINE_CONFIG: file, OFFERLINE_HOME: home, NO_COLOR: '1', ...env };
  };
  const start = (...args: string[]): Running => {
    const [program, ...words] = [...before, PROGRAM, ...args] as [string, ...string[]];
    const child = spawn(program, words, { cwd: folder, env: surroundings(), stdio: ['ignore', 'pipe', 'pipe'] });
    killAtEnd(child);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    running.set(child, () => `offerline ${args.join(' ')} still runs:\n${stdout}${stderr.slice(-MOST_SAID)}`);
    const ended = once(child, 'close').then(() => {
      running.delete(child);
      return keep(args, { status: child.exitCode, stdout, stderr });
    });
    return { child, ended, stdout: () => stdout, stderr: () => stderr };
  };
  const keep = (args: string[], end: Ended): Ended => {
    said.push(`offerline ${args.join(' ')} ended with ${end.status}:\n${end.stdout}${end.stderr}`);
    return end;
  };
  // What a test puts into the environment may be for the process, such as a PATH without programs; attacks are on the program itself.
  const isAttack = expect.getState().testPath?.includes('/test/attacks/') === true;
  const plays = Object.keys(env).length === 0 && !isAttack;
  const servers = heldServers();
  const carryOut = async (...args: string[]): Promise<Ended> => {
    if (!plays || !canPlay()) return start(...args).ended;
    await servers.hold(args, surroundings());
    return canPlay() ? keep(args, await playCommand(args, folder, surroundings())) : start(...args).ended;
  };
  const installation: Installation = {
    folder,
    home,
    configure: (written) => writeFileSync(file, JSON.stringify(complete(written))),
    deliver: (feed, name, content) => {
      mkdirSync(join(folder, 'inbox', feed), { recursive: true });
      const path = join(folder, 'inbox', feed, name);
      writeFileSync(path, content);
      return path;
    },
    offerline: carryOut,
    start,
    ingest: async (feed, ...args) => {
      const { status, stdout, stderr } = await carryOut('ingest', feed, '--wait', '--json', ...args);
      if (stdout === '') throw new Error(`no answer, status ${status}: ${stderr}`);
      return { ...(JSON.parse(stdout) as RunAnswer), status, stderr };
    },
    release: () => servers.end(),
  };
  installation.configure(config);
  atEnd(() => servers.end());
  atEnd(() => endPrivateRedis(home));
  return installation;
}

function complete(config: Config): Config {
  const { service = {}, worker = {}, logins = { main: { coalesce: '0s' } }, feeds = { north: {} }, ...rest } = config;
  const poll = { ...QUICK.poll, ...(service['poll'] as Record<string, unknown> | undefined) };
  return {
    // Several installations at once cannot all have the usual port.
    web: { listen: 'none' },
    ...rest,
    service: { ...service, poll },
    worker: { ...QUICK.worker, ...worker },
    logins,
    feeds: Object.fromEntries(
      Object.entries(feeds).map(([name, feed]) => [
        name,
        { login: 'main', source: { type: 'directory', path: `./inbox/${name}`, settle: '0s' }, ...(feed as object) },
      ]),
    ),
  };
}
