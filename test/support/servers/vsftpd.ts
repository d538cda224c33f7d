import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { secret } from '../../../src/config/secrets/secret.ts';
import type { FtpSource } from '../../../src/config/schema/sources/servers.ts';
import { freePort } from '../free-port.ts';
import { findProgram } from '../programs.ts';
import { tempFolder } from '../temp-folder.ts';
import { TEST_TLS } from '../tls.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { startTap, type Tap } from './tap.ts';

export type Vsftpd = Daemon & { source: FtpSource; folder: string };

type Options = {
  /** Further lines of its configuration. */
  more?: string[];
};

/** Starts vsftpd as the user of this test; it takes one password, and requires the TLS session of the control connection. */
export async function startVsftpd(changes: Partial<FtpSource> = {}, { more = [] }: Options = {}): Promise<Vsftpd> {
  return start('127.0.0.1', await freePort(), changes, more);
}

/** Starts it behind a line that carries its control and its data connections. */
export async function startTappedVsftpd(
  changes: Partial<FtpSource> = {},
  { more = [] }: Options = {},
): Promise<Vsftpd & { tap: Tap }> {
  const [port, data] = [await freePort(), await freePort()];
  // Both use the same ports, because the server names that of the data.
  const host = '127.0.0.2';
  const ports = [`pasv_min_port=${data}`, `pasv_max_port=${data}`];
  const vsftpd = await start(host, port, changes, [...more, ...ports]);
  const tap = await startTap([port, data].map((listen) => ({ listen, to: { host, port: listen } })));
  return { ...vsftpd, tap };
}

async function start(host: string, port: number, changes: Partial<FtpSource>, more: string[]): Promise<Vsftpd> {
  const [home, folder] = [tempFolder(), tempFolder()];
  const security = changes.security ?? 'explicit';
  const pem = (name: string) => fileURLToPath(new URL(`../tls/${name}.pem`, import.meta.url));
  const password = 'correct-horse';
  writeFileSync(join(home, 'passwords'), `${password}\n`);
  const settings = [
    'listen=YES',
    'background=NO',
    'run_as_launching_user=YES',
    `listen_address=${host}`,
    `listen_port=${port}`,
    'seccomp_sandbox=NO',
    'local_enable=NO',
    'anonymous_enable=YES',
    'anon_world_readable_only=NO',
    `anon_root=${folder}`,
    'secure_email_list_enable=YES',
    `email_password_file=${join(home, 'passwords')}`,
    'xferlog_enable=NO',
    'write_enable=YES',
    'anon_upload_enable=YES',
    'anon_mkdir_write_enable=YES',
    'anon_other_write_enable=YES',
    'anon_umask=022',
    ...more,
    ...(security === 'none'
      ? []
      : [
          'ssl_enable=YES',
          'allow_anon_ssl=YES',
          'force_anon_logins_ssl=YES',
          'force_anon_data_ssl=YES',
          'require_ssl_reuse=YES',
          `implicit_ssl=${security === 'implicit' ? 'YES' : 'NO'}`,
          `rsa_cert_file=${pem('certificate')}`,
          `rsa_private_key_file=${pem('key')}`,
        ]),
  ];
  writeFileSync(join(home, 'config'), `${settings.join('\n')}\n`);
  const daemon = await startDaemon(findProgram('vsftpd') ?? 'vsftpd', [join(home, 'config')], port, host);
  const source: FtpSource = {
    type: 'ftp',
    host: '127.0.0.1',
    port,
    security,
    auth: { type: 'basic', user: 'anonymous', password: secret(password) },
    charset: 'utf-8',
    // It runs as no root, and so without a root folder of its own.
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

/**
 * Lets this process trust the certificate that vsftpd shows here, until what it returns is called, as hooks do after their tests: others are played in
 * this process, and some of them look at who is not trusted.
 */
export function trustTestTls(): () => void {
  const usual = getCACertificates();
  setDefaultCACertificates([...usual, TEST_TLS.cert.toString()]);
  return () => setDefaultCACertificates(usual);
}
