import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { test } from 'vitest';
import { searchPath } from '../../src/config/search-path.ts';
import { findBinary } from '../../src/jobs/redis/binary.ts';
import { findRedis } from '../../src/jobs/redis/open.ts';
import { atEnd } from './at-end.ts';
import { freePort } from './free-port.ts';
import { memoryLog } from './memory-log.ts';

const { binary } = await findBinary(searchPath());
const inCi = (process.env['CI'] ?? '') !== '';
const atUrl = process.env['REDIS_URL'];
const hasDocker = process.env['DOCKER_HOST'] !== undefined || existsSync('/var/run/docker.sock');

/** A test of a Redis program of this machine. Skipped where there is none, but never in CI: there it fails. */
export const binaryTest = test.skipIf(binary === null && !inCi);

/** A test that needs any real Redis: REDIS_URL, a program of this machine, or a container. Skipped without, but never in CI. */
export const redisTest = test.skipIf(binary === null && atUrl === undefined && !hasDocker && !inCi);

/** A real Redis, empty and the test's own: a free database of REDIS_URL, a program of this machine, or a container. */
export async function realRedis(): Promise<{ url: string; wipe: () => Promise<void> }> {
  const url =
    atUrl !== undefined ? await freeDatabase(atUrl) : binary !== null ? (await startRedis()).url : await inContainer();
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

/** A Redis of a test's own, on a loopback port; commits every write to disk. */
export type TestRedis = {
  url: string;
  port: number;
  stop: () => Promise<void>;
  /** Ends it as a power cut would. */
  kill9: () => Promise<void>;
  /** Starts it again on the same port with the same data. */
  restart: () => Promise<void>;
};

/**
 * Starts a Redis with further settings, such as `['--requirepass', 'secret']`; it ends with the test. A machine without
 * one fails the test.
 */
export async function startRedis(settings: string[] = []): Promise<TestRedis> {
  if (binary === null) throw new Error('These tests need redis-server or valkey-server: install one of them.');
  const folder = mkdtempSync(join(tmpdir(), 'offerline-redis-'));
  const port = await freePort();
  const common = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];
  const start = () => run(binary.file, [...common, ...durable, ...settings], port);
  let child = await start();
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  const stop = async () => {
    await end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
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

/** Ends the private Redis of a home whose processes were killed, so that it does not outlive the test. */
export async function endPrivateRedis(home: string): Promise<void> {
  const redis = await findRedis({ redisUrl: undefined, home, log: memoryLog().log });
  await redis?.close();
}

async function run(file: string, settings: string[], port: number) {
  const child = spawn(file, settings, { stdio: 'ignore' });
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
