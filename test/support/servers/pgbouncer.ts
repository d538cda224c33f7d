import { chmodSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { findProgram } from '../programs.ts';
import { tempFolder } from '../temp-folder.ts';
import { type Daemon, startDaemon } from './daemon.ts';

/** A PgBouncer in transaction mode before a Postgres: each transaction may get another connection of the server. */
type PgBouncer = Daemon & {
  /** The address of the pooler in place of the server's. */
  url: string;
};

/** Starts one with a few connections to the server, and with further lines of its configuration. */
export async function startPgBouncer(server: string, more: string[] = []): Promise<PgBouncer> {
  const at = new URL(server);
  const folder = tempFolder();
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=${at.hostname} port=${at.port} user=${at.username}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 4',
      ...more,
      '',
    ].join('\n'),
  );
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const as = userInfo().uid === 0 ? ['-u', 'nobody'] : [];
  const daemon = await startDaemon(findProgram('pgbouncer')!, [...as, settings], port);
  at.port = String(port);
  return { ...daemon, url: at.href };
}
