import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WebdavSource } from '../../../src/config/schema/sources/web.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import { freePort } from '../free-port.ts';
import { findProgram } from '../programs.ts';
import { tempFolder } from '../temp-folder.ts';
import { type Daemon, startDaemon } from './daemon.ts';

export type Apache = Daemon & {
  source: WebdavSource;
  /** The folder, by WebDAV at `source.url`. */
  folder: string;
  /** The page that links to the files of the folder. */
  index: string;
};

type Options = {
  tls?: boolean;
  /** Further lines of the configuration. */
  more?: string[];
};

const MODULES = [
  'mpm_event',
  'alias',
  'authn_core',
  'authn_file',
  'authz_core',
  'authz_user',
  'auth_basic',
  'autoindex',
  'dav',
  'dav_fs',
  'headers',
  'ssl',
];
const USER = 'supplier';
const PASSWORD = 'correct-horse';

/**
 * Starts Apache with one folder: by WebDAV for a user with a password, and as a page of links for everybody. Root starts it for
 * another user, because it refuses to answer as root.
 */
export async function startApache({ tls = false, more = [] }: Options = {}): Promise<Apache> {
  const [home, folder, port] = [tempFolder(), tempFolder(), await freePort()];
  const asRoot = userInfo().uid === 0;
  if (asRoot) for (const path of [home, folder]) execFileSync('chown', ['www-data:', path]);
  const digest = createHash('sha1').update(PASSWORD).digest('base64');
  writeFileSync(join(home, 'users'), `${USER}:{SHA}${digest}\n`);
  const pem = (name: string) => fileURLToPath(new URL(`../tls/${name}.pem`, import.meta.url));
  const settings = [
    `ServerRoot ${home}`,
    `Listen 127.0.0.1:${port}`,
    // The certificate is not for this one.
    ...(tls ? [`Listen 127.0.0.2:${port}`] : []),
    'ServerName localhost',
    `PidFile ${join(home, 'pid')}`,
    `ErrorLog ${join(home, 'errors')}`,
    `Mutex file:${home}`,
    'StartServers 1',
    'ServerLimit 1',
    'ThreadsPerChild 8',
    'MaxRequestWorkers 8',
    'MinSpareThreads 1',
    'MaxSpareThreads 8',
    ...MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    ...(asRoot ? ['User www-data', 'Group www-data'] : []),
    ...(tls ? ['SSLEngine on', `SSLCertificateFile ${pem('certificate')}`, `SSLCertificateKeyFile ${pem('key')}`] : []),
    `DavLockDB ${join(home, 'locks')}`,
    `DocumentRoot ${home}`,
    `Alias /out ${folder}`,
    `Alias /list ${folder}`,
    `<Directory ${folder}>`,
    'Options Indexes',
    'IndexOptions FancyIndexing NameWidth=* Charset=UTF-8',
    '</Directory>',
    '<Location /out>',
    'Dav On',
    'AuthType Basic',
    'AuthName offers',
    `AuthUserFile ${join(home, 'users')}`,
    'Require valid-user',
    '</Location>',
    ...more,
  ];
  writeFileSync(join(home, 'config'), `${settings.join('\n')}\n`);
  const program = findProgram('apache2') ?? 'apache2';
  const daemon = await startDaemon(program, ['-X', '-f', join(home, 'config')], port);
  const origin = `http${tls ? 's' : ''}://127.0.0.1:${port}`;
  const source: WebdavSource = {
    type: 'webdav',
    url: `${origin}/out/`,
    auth: { type: 'basic', user: USER, password: secret(PASSWORD) },
    headers: {},
    maxRedirects: 5,
    allowHosts: [],
    pattern: '*',
    settle: 5000,
    after: 'keep',
    moveTo: 'taken',
    timeout: 10_000,
    deadline: 60_000,
  };
  return { ...daemon, source, folder, index: `${origin}/list/` };
}
