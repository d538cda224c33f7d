import { readFile } from 'node:fs/promises';
import { request } from 'undici';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { hideFromNowOn } from '../../wording/redact.ts';
import type { Remote, Role } from './remote.ts';

/** Keys that sign requests, and until when (epoch ms); null: they do not end. */
export type Keys = { accessKeyId: string; secretAccessKey: string; sessionToken: string | null; until: number | null };

/**
 * The keys of an archive. Those of an instance end, so they are asked for again (`keysFor`). Throws `config` where there are none, with what to
 * set.
 */
export async function readKeys({ auth }: Pick<Remote, 'auth'>): Promise<Keys> {
  const keys = await keysOf(auth);
  for (const text of [keys.secretAccessKey, keys.sessionToken]) if (text !== null) hideFromNowOn(text);
  return keys;
}

async function keysOf(auth: Remote['auth']): Promise<Keys> {
  switch (auth.type) {
    case 'keys':
      return { ...auth, until: null };
    case 'profile':
      return ofProfile(auth);
    case 'instance':
      return ofInstance(auth);
  }
}

function found(accessKeyId?: string, secretAccessKey?: string, sessionToken?: string): Keys | undefined {
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, sessionToken: sessionToken || null, until: null };
}

async function ofProfile({ file, profile }: { file: string; profile: string }): Promise<Keys> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const why = systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${messageOf(error)})`;
    return none(`${file} ${why}; correct archive.auth.file`, error);
  });
  const section = sectionOf(text, profile);
  const keys = found(
    section?.get('aws_access_key_id'),
    section?.get('aws_secret_access_key'),
    section?.get('aws_session_token'),
  );
  return (
    keys ?? none(`${file} has no profile "${profile}" with keys; correct archive.auth.profile, or write the profile`)
  );
}

/** A section of an INI file, as `aws configure` writes it. */
function sectionOf(text: string, profile: string): Map<string, string> | undefined {
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/u)) {
    const title = /^\s*\[\s*(?:profile\s+)?([^\]]*?)\s*\]/u.exec(line)?.[1];
    const [, key, value] = /^\s*([A-Za-z_]+)\s*=\s*(.*?)\s*$/u.exec(line) ?? [];
    if (title !== undefined) sections.set(title, (section = new Map<string, string>()));
    else if (key !== undefined && value !== undefined) section?.set(key.toLowerCase(), value);
  }
  return sections.get(profile);
}

/** A slow answer is none. */
const PATIENCE = 3000;
const LONGEST_REPLY = 64 * 1024;

/** The keys of the role of a container (ECS, EKS Pod Identity) or of the instance (IMDSv2). */
async function ofInstance({ container, token, tokenFile, metadata }: Role): Promise<Keys> {
  try {
    if (container !== null) {
      const authorization = tokenFile === null ? token : (await readFile(tokenFile, 'utf8')).trim();
      return await keysAt(new URL(container), authorization === null ? {} : { authorization });
    }
    const session = await ask(new URL('/latest/api/token', metadata), 'PUT', {
      'x-aws-ec2-metadata-token-ttl-seconds': '21600',
    });
    const headers = { 'x-aws-ec2-metadata-token': session };
    const roles = new URL('/latest/meta-data/iam/security-credentials/', metadata);
    const [role = ''] = (await ask(roles, 'GET', headers)).split(/\s+/u);
    return await keysAt(new URL(role, roles), headers);
  } catch (error) {
    if (error instanceof OfferlineError) throw error;
    return none(
      `this machine answers with no keys of a role (${messageOf(error)}); give it one, or write other archive.auth`,
      error,
    );
  }
}

async function keysAt(url: URL, headers: Record<string, string>): Promise<Keys> {
  const said = JSON.parse(await ask(url, 'GET', headers)) as Record<string, unknown>;
  const text = (name: string) => (typeof said[name] === 'string' ? said[name] : undefined);
  const keys = found(text('AccessKeyId'), text('SecretAccessKey'), text('Token'));
  if (keys === undefined) throw new Error('the reply has no keys');
  const until = Date.parse(text('Expiration') ?? '');
  return { ...keys, until: Number.isNaN(until) ? null : until };
}

async function ask(url: URL, method: 'GET' | 'PUT', headers: Record<string, string>): Promise<string> {
  const reply = await request(url, { method, headers, signal: AbortSignal.timeout(PATIENCE) });
  let text = '';
  for await (const piece of reply.body) {
    text += String(piece);
    if (text.length > LONGEST_REPLY) throw new Error('the reply is too long');
  }
  if (reply.statusCode !== 200) throw new Error(`it answered ${reply.statusCode}`);
  return text;
}

function none(what: string, cause?: unknown): never {
  throw new OfferlineError('config', `The archive has no keys to sign with: ${what}.`, { cause });
}
