import { readFile } from 'node:fs/promises';
import { request } from 'undici';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { ReplyMeter, wholeReply } from '../../io/peers/read-reply.ts';
import { keysOf, keysOfProfile, type S3Keys } from '../../io/s3/keys.ts';
import { hideFromNowOn } from '../../wording/redact.ts';
import { adviceFor, type Remote, type Role } from './remote.ts';

/** Keys that sign requests, and until when (epoch ms); null: they do not end. */
export type Keys = S3Keys & { until: number | null };

/** Of what keys are asked for. */
type Signed = Pick<Remote, 'auth' | 'holds'>;
type Named = Pick<Remote, 'holds'>;

/**
 * The keys of an archive. Those of an instance end, so they are asked for again. Throws `config` where there are none, with what to
 * set.
 */
export async function readKeys({ auth, ...remote }: Signed): Promise<Keys> {
  const keys = await keysFor(auth, remote);
  for (const text of [keys.secretAccessKey, keys.sessionToken]) if (text !== null) hideFromNowOn(text);
  return keys;
}

async function keysFor(auth: Remote['auth'], remote: Named): Promise<Keys> {
  switch (auth.type) {
    case 'keys':
      return { ...auth, until: null };
    case 'profile':
      return ofProfile(auth, remote);
    case 'instance':
      return ofInstance(auth, remote);
  }
}

async function ofProfile({ file, profile }: { file: string; profile: string }, remote: Named): Promise<Keys> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const why = systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${messageOf(error)})`;
    return none(remote, `${file} ${why}; correct archive.auth.file`, error);
  });
  const keys = keysOfProfile(text, profile);
  if (keys !== undefined) return { ...keys, until: null };
  return none(
    remote,
    `${file} has no profile "${profile}" with keys; correct archive.auth.profile, or write the profile`,
  );
}

/** A slow answer is none. */
const PATIENCE = 3000;
const LONGEST_REPLY = 64 * 1024;

/** The keys of the role of a container (ECS, EKS Pod Identity) or of the instance (IMDSv2). */
async function ofInstance({ container, token, tokenFile, metadata }: Role, remote: Named): Promise<Keys> {
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
      remote,
      `this machine answers with no keys of a role (${messageOf(error)}); give it one, or write other archive.auth`,
      error,
    );
  }
}

async function keysAt(url: URL, headers: Record<string, string>): Promise<Keys> {
  const said = JSON.parse(await ask(url, 'GET', headers)) as Record<string, unknown>;
  const text = (name: string) => (typeof said[name] === 'string' ? said[name] : undefined);
  const keys = keysOf(text('AccessKeyId'), text('SecretAccessKey'), text('Token'));
  if (keys === undefined) throw new Error('the reply has no keys');
  const until = Date.parse(text('Expiration') ?? '');
  return { ...keys, until: Number.isNaN(until) ? null : until };
}

async function ask(url: URL, method: 'GET' | 'PUT', headers: Record<string, string>): Promise<string> {
  const reply = await request(url, { method, headers, signal: AbortSignal.timeout(PATIENCE) });
  const meter = new ReplyMeter(
    { bytes: LONGEST_REPLY },
    { stop: () => reply.body.destroy(), refuse: () => new Error('the reply is too long') },
  );
  const text = (await wholeReply(reply.body as AsyncIterable<Uint8Array>, meter)).toString('utf8');
  if (reply.statusCode !== 200) throw new Error(`it answered ${reply.statusCode}`);
  return text;
}

function none(remote: Named, what: string, cause?: unknown): never {
  if (remote.holds === undefined)
    throw new OfferlineError('config', `The archive has no keys to sign with: ${what}.`, { cause });
  const message = `The place of the backups has no keys to sign with: ${adviceFor(remote, what)}.`;
  throw new OfferlineError('config', message, { cause });
}
