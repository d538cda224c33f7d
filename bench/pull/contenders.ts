import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerSource, SourceConfig } from '../../src/config/schema/source-schema.ts';

/** A program that brings the file of a source to a target, and what it needs in its environment. */
export type Contender = { name: string; command: string[]; env?: NodeJS.ProcessEnv };

const PULLS = fileURLToPath(new URL('./pulls.ts', import.meta.url));
const CERTIFICATE = fileURLToPath(new URL('../../test/support/tls/certificate.pem', import.meta.url));

const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/** Ourselves, as bin/offerline starts the program, for so many pulls. */
export function offerline(source: SourceConfig, folder: string, target: string, pulls: number): Contender {
  const file = join(folder, 'source.json');
  writeFileSync(
    file,
    JSON.stringify(source, (_key, value: unknown) => revealed(value)),
  );
  const command = [process.execPath, PULLS, file, target, `${pulls}`];
  return { name: 'offerline', command, env: { NODE_EXTRA_CA_CERTS: CERTIFICATE, NODE_COMPILE_CACHE: COMPILED } };
}

/** Credentials hide themselves as JSON: they are written for the child that is to use them. */
function revealed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('reveal' in value) return { secret: (value.reveal as () => string)() };
  return Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          typeof inner === 'object' && inner !== null && 'reveal' in inner
            ? { secret: (inner.reveal as () => string)() }
            : inner,
        ]),
      );
}

/** The usual tools of a protocol, for the file `prices.csv` of a source. */
export function toolsFor(source: ServerSource, folder: string, target: string): Contender[] {
  const curl = (url: string, ...more: string[]): Contender => ({
    name: 'curl',
    command: ['curl', '-sS', '-k', '--fail', '-o', target, ...more, url],
  });
  switch (source.type) {
    case 'ftp': {
      const { host, port, security, path, auth } = source;
      const [user, password] = auth.type === 'basic' ? [auth.user, auth.password.reveal()] : ['anonymous', 'x'];
      const commands = [
        'set ssl:verify-certificate no',
        'set ftp:ssl-protect-data yes',
        `set ftp:ssl-force ${security === 'none' ? 'no' : 'yes'}`,
        `open -p ${port} -u ${user},${password} ftp://${host}`,
        `get ${path}/prices.csv -o ${target}`,
      ];
      const secure = security === 'none' ? [] : ['--ssl-reqd'];
      return [
        curl(`ftp://${host}:${port}/${path}/prices.csv`, '-u', `${user}:${password}`, ...secure),
        { name: 'lftp', command: ['lftp', '-c', commands.join('; ')] },
      ];
    }
    case 'sftp': {
      const { host, port, path, auth } = source;
      if (auth.type !== 'key') return [];
      const [key, ask] = [join(folder, 'key'), join(folder, 'ask')];
      writeFileSync(key, auth.key.reveal().replace(/\n*$/u, '\n'), { mode: 0o600 });
      writeFileSync(ask, `#!/bin/sh\necho '${auth.passphrase?.reveal() ?? ''}'\n`);
      chmodSync(ask, 0o700);
      const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'];
      const command = [
        'sftp',
        '-q',
        '-P',
        `${port}`,
        '-i',
        key,
        ...options.flatMap((option) => ['-o', option]),
        `${auth.user}@${host}:${path}/prices.csv`,
        target,
      ];
      return [{ name: 'sftp', command, env: { SSH_ASKPASS: ask, SSH_ASKPASS_REQUIRE: 'force' } }];
    }
    case 'webdav': {
      const { auth, url } = source;
      const user = auth.type === 'basic' ? ['-u', `${auth.user}:${auth.password.reveal()}`] : [];
      return [curl(`${url}prices.csv`, ...user)];
    }
    case 's3': {
      const { auth, endpoint = '', bucket, region } = source;
      if (auth.type !== 'basic') return [];
      const { host } = new URL(endpoint);
      const keys = ['--access_key', auth.user, '--secret_key', auth.password.reveal(), '--region', region];
      const place = ['--no-ssl', '--host', host, '--host-bucket', host];
      const command = [
        's3cmd',
        '--config',
        '/dev/null',
        '--quiet',
        '--force',
        ...keys,
        ...place,
        'get',
        `s3://${bucket}/prices.csv`,
        target,
      ];
      return [{ name: 's3cmd', command }];
    }
    case 'mail': {
      const { host, port, auth, folder: box } = source;
      if (auth.type !== 'basic') return [];
      return [curl(`imaps://${host}:${port}/${box};UID=1`, '-u', `${auth.user}:${auth.password.reveal()}`)];
    }
    case 'graph':
    case 'drive':
      // Nobody fetches from them by hand.
      return [];
    case 'http':
      return [curl(`${source.url}prices.csv`)];
  }
}

/** Runs a contender to its end: seconds of the whole process, and what it printed. */
export async function run({ name, command, env }: Contender): Promise<{ seconds: number; answer: string }> {
  const [program = '', ...args] = command;
  const started = performance.now();
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  let answer = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (answer += text));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`${name} ended with status ${status}: ${answer}`);
  return { seconds: (performance.now() - started) / 1000, answer };
}
