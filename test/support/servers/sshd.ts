import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { secret } from '../../../src/config/secrets/secret.ts';
import type { SftpSource } from '../../../src/config/schema/sources/servers.ts';
import { freePort } from '../free-port.ts';
import { findProgram } from '../programs.ts';
import { tempFolder } from '../temp-folder.ts';
import { type Daemon, startDaemon } from './daemon.ts';

export type Sshd = Daemon & { source: SftpSource; folder: string };

type Options = {
  /** Of the keys of server and client; by default ed25519. */
  keys?: 'ed25519' | 'rsa';
  withSftp?: boolean;
  /** Further lines of its configuration. */
  more?: string[];
};

/** Starts OpenSSH's server with a host key of its own, for the user of this test, who has a key with a passphrase. */
export async function startSshd(
  changes: Partial<SftpSource> = {},
  { keys = 'ed25519', withSftp = true, more = [] }: Options = {},
): Promise<Sshd> {
  const [home, folder, port] = [tempFolder(), tempFolder(), await freePort()];
  const keygen = (name: string, passphrase: string) =>
    execFileSync('ssh-keygen', ['-q', '-a', '1', '-t', keys, '-N', passphrase, '-f', join(home, name)]);
  keygen('host', '');
  keygen('client', 'open sesame');
  copyFileSync(join(home, 'client.pub'), join(home, 'authorized'));
  const fingerprint = execFileSync('ssh-keygen', ['-l', '-f', join(home, 'host.pub')], { encoding: 'utf8' });
  // Where root starts it, it wants a folder of its own.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
  const settings = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${join(home, 'host')}`,
    `AuthorizedKeysFile ${join(home, 'authorized')}`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin yes',
    'PasswordAuthentication yes',
    ...(withSftp ? ['Subsystem sftp internal-sftp'] : []),
    ...more,
  ];
  writeFileSync(join(home, 'config'), settings.join('\n'));
  const daemon = await startDaemon(findProgram('sshd') ?? 'sshd', ['-D', '-e', '-f', join(home, 'config')], port);
  const source: SftpSource = {
    type: 'sftp',
    host: '127.0.0.1',
    port,
    auth: {
      type: 'key',
      user: userInfo().username,
      key: secret(readFileSync(join(home, 'client'), 'utf8')),
      passphrase: secret('open sesame'),
    },
    hostKey: /SHA256:\S+/u.exec(fingerprint)![0],
    oldAlgorithms: false,
    path: folder,
    pattern: '*',
    settle: 5000,
    after: 'keep',
    moveTo: 'taken',
    timeout: 10_000,
    deadline: 60_000,
    ...changes,
  };
  return { ...daemon, source, folder };
}
