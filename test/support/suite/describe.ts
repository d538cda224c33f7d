import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import { portsOf, type Process } from './processes.ts';

const LONGEST_COMMAND = 160;

/** A process that was left, for people. */
export function describeProcess({ pid, command }: Process, test: string | undefined): string {
  const ports = portsOf(pid);
  const listens = ports.length === 0 ? '' : `, which listens on port ${ports.join(' and ')}`;
  return `- process ${pid} (${command.slice(0, LONGEST_COMMAND)})${listens}${by(test)}`;
}

/** A file or folder that was left, for people. */
export function describeEntry(path: string, test: string | undefined): string {
  return `- ${path}${by(test)}`;
}

/** A server of this process that was left open, for people. */
export function describeServer(server: Server, test: string): string {
  const address = server.address();
  const place = typeof address === 'object' && address !== null ? `port ${address.port}` : String(address);
  return `- a server on ${place}${by(test)}`;
}

/** Closes a server, and the connections that it has. */
export function closeServer(server: Server): void {
  server.close();
  if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections();
}

function by(test: string | undefined): string {
  return test === undefined ? '' : `, of: ${test}`;
}
