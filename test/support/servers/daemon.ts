import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from '../at-end.ts';

/** A server of this machine that runs in the foreground until the test has finished. */
export type Daemon = {
  /** Ends it and waits for the end; what it answers is cut. */
  stop: () => Promise<void>;
  /** Starts it again after it was stopped. */
  restart: () => Promise<void>;
  /** What it has written so far. */
  output: () => string;
};

/** Starts a server and waits until its port answers. */
export async function startDaemon(program: string, args: string[], port: number, host = '127.0.0.1'): Promise<Daemon> {
  let output = '';
  let running = { end: () => Promise.resolve() };
  const restart = async () => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    const exit = once(child, 'exit');
    running = {
      end: async () => {
        if (child.exitCode === null && child.signalCode === null) for (const pid of family(child.pid!)) end(pid);
        await exit;
      },
    };
    while (!(await answers(port, host))) {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${output}`);
      await sleep(20);
    }
  };
  const stop = () => running.end();
  atEnd(stop);
  await restart();
  return { stop, restart, output: () => output };
}

/** A process and those that it started, one for each connection, by what /proc says. */
function family(pid: number): number[] {
  const parents = globSync('/proc/[0-9]*/stat').flatMap((file) => {
    try {
      // The name between the brackets may hold anything.
      const [, parent] = readFileSync(file, 'utf8')
        .replace(/^.*\) /su, '')
        .split(' ');
      return [{ pid: Number(file.split('/')[2]), parent: Number(parent) }];
    } catch {
      return [];
    }
  });
  const within = (top: number): number[] => [
    top,
    ...parents.filter(({ parent }) => parent === top).flatMap((child) => within(child.pid)),
  ];
  return within(pid);
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

async function answers(port: number, host: string): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
