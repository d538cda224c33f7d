import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { test } from 'vitest';
import { searchPath } from '../../src/config/search-path.ts';
import { findBinary } from '../../src/jobs/redis/binary.ts';
import { atEnd } from './at-end.ts';
import { freePort } from './free-port.ts';
import { hasDocker, inCi } from './programs.ts';
import { tempFolder } from './temp-folder.ts';

const { binary } = await findBinary(searchPath());
const atUrl = process.env['REDIS_URL'];
const STAND_IN = join(import.meta.dirname, 'redis-stand-in-child.ts');

/** A test of a Redis program of this machine. Skipped where there is none, but never in CI: there it fails. */
export const binaryTest = test.skipIf(binary === null && !inCi);

/**
 * A Redis, empty and the test's own: a free database of REDIS_URL, a program of this machine, a container, or the stand-in.
 */
export async function anyRedis(): Promise<{ url: string; wipe: () => Promise<void> }> {
  const url =
    atUrl !== undefined
      ? await freeDatabase(atUrl)
      : binary === null && hasDocker
        ? await inContainer()
        : (await startRedis()).url;
  const client = new Redis(url);
  atEnd(async () => {
    await client.flushdb();
    client.disconnect();
  });
  return { url, wipe: async () => void (await client.flushdb()) };
}

async function freeDatabase(url: string): Promise<string> {
  for (let db = 15; db > 0; db--) {
    const at = new URL(url);
    at.pathname = `/${db}`;
    const client = new Redis(at.href);
    const keys = await client.dbsize();
    client.disconnect();
    if (keys === 0) return at.href;
  }
  throw new Error('REDIS_URL has no empty database between 1 and 15 for the tests.');
}

async function inContainer(): Promise<string> {
  const { GenericContainer } = await import('testcontainers');
  const container = await new GenericContainer('redis:7-bookworm').withExposedPorts(6379).start();
  atEnd(async () => void (await container.stop()));
  return `redis://${container.getHost()}:${container.getMappedPort(6379)}`;
}

/** A Redis of a test's own, on a loopback port. The program commits every write to disk; the stand-in has no disk. */
export type TestRedis = {
  url: string;
  port: number;
  stop: () => Promise<void>;
  /** Ends it as a power cut would. */
  kill9: () => Promise<void>;
  /** Starts it again on the same port: the program with the same data, the stand-in empty. */
  restart: () => Promise<void>;
};

/**
 * Starts a Redis, with a password if one is given; it ends with the test. A machine without the program gets the stand-in
 * in a process of its own, but never in CI: there it fails the test.
 */
export async function startRedis(options: { password?: string } = {}): Promise<TestRedis> {
  const { password } = options;
  if (binary === null && !inCi) {
    const port = await freePort();
    const args = [STAND_IN, String(port), ...(password === undefined ? [] : [password])];
    // The channel tells it when this process ends, however it does.
    return keepRedis(port, () => run(process.execPath, args, port, ['ignore', 'ignore', 'ignore', 'ipc']));
  }
  return startRedisProgram(password === undefined ? [] : ['--requirepass', password]);
}

/**
 * Starts the program with further settings, such as `['--maxmemory-policy', 'allkeys-lru']`, which may depend on its port; it ends with the
 * test.
 */
export async function startRedisProgram(settings: string[] | ((port: number) => string[]) = []): Promise<TestRedis> {
  if (binary === null) throw new Error('These tests need redis-server or valkey-server: install one of them.');
  const folder = tempFolder();
  const port = await freePort();
  const common = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];
  const further = typeof settings === 'function' ? settings(port) : settings;
  return keepRedis(port, () => run(binary.file, [...common, ...durable, ...further], port));
}

/** The program, where there is one. */
export const redisProgram = binary?.file;

async function keepRedis(port: number, start: () => Promise<ChildProcess>): Promise<TestRedis> {
  let child = await start();
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  const stop = () => end('SIGKILL');
  atEnd(stop);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill9: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGTERM');
      child = await start();
    },
    stop,
  };
}

async function run(file: string, settings: string[], port: number, stdio: StdioOptions = 'ignore') {
  const child = spawn(file, settings, { stdio });
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${file} ended with status ${child.exitCode}`);
    await sleep(10);
  }
  return child;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
