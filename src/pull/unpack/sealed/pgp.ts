import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PgpKeys } from '../../../config/schema/feed-settings.ts';
import type { Limits } from '../../../config/schema/schema.ts';
import { diskError, refusal } from '../../../io/refusal.ts';
import { temporaryFolder } from '../../../io/temporary-folder.ts';
import { meter, type Spent } from '../meter.ts';
import { GNUPG, startAgent } from './gpg-agent.ts';
import { gpgSaid, type GpgSaid } from './gpg-said.ts';
import { findProgram, programMissing, runProgram, type ProgramTask } from './run-program.ts';

/** A message, and what opens and proves it. */
type Message = { path: string; name: string; limits: Limits; keys: PgpKeys; spent: Spent | undefined };

/** Runs gpg on a home of its own. */
type Gpg = (
  args: string[],
  rest?: Partial<Pick<ProgramTask, 'texts' | 'take'>>,
) => Promise<GpgSaid & { status: number | null }>;

const NO_KEYS: PgpKeys = { key: null, passphrase: null, signedBy: null };

/** Nothing is looked up in a network, started beside it, or taken from the home of the user. */
const OPTIONS =
  '--no-options --batch --no-tty --quiet --no-autostart --no-permission-warning --no-random-seed-file --pinentry-mode loopback --passphrase-fd 4 --status-fd 3';

/**
 * Decrypts a PGP message to `target` with the gpg of this machine, and where a public key is set, demands a valid signature of it. Returns the
 * name of what is inside. Throws `file-rejected`, `disk-full`.
 */
export async function openPgp(
  { path, name }: { path: string; name: string },
  target: string,
  { limits, keys, spent }: { limits: Limits; keys: PgpKeys | null; spent?: Spent | undefined },
): Promise<string> {
  const file = await findProgram(['gpg']);
  if (file === null) throw programMissing(name, 'a PGP message', GNUPG);
  const home = await temporaryFolder('read');
  try {
    const gpg: Gpg = async (args, rest) => {
      const words = ['--homedir', home, ...OPTIONS.split(' '), ...args];
      const task = { file, args: words, name, limits, folder: home, take: drained, ...rest };
      const { status, said } = await runProgram(task);
      return { status, ...gpgSaid(said) };
    };
    await openWith(gpg, { path, name, limits, keys: keys ?? NO_KEYS, spent }, { home, target });
    return name.replace(/\.(?:pgp|gpg|asc)$/iu, '');
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function openWith(gpg: Gpg, message: Message, { home, target }: { home: string; target: string }): Promise<void> {
  const { path, name, limits, keys, spent } = message;
  await using _agent = keys.key === null ? null : await startAgent(name, home);
  const own = keys.key === null ? [] : await privateKeys(gpg, message, keys.key);
  const signers = keys.signedBy === null ? null : await publicKeys(gpg, message, keys.signedBy);
  const { size } = await stat(path);
  const { stream } = meter(name, size, limits, 'archive-bomb', spent);
  const take = (output: Readable) =>
    pipeline(output, stream, createWriteStream(target)).catch((error: unknown) => {
      throw diskError(error, target, (cause) => cause);
    });
  const checks = signers === null ? ['--skip-verify'] : ['--trust-model', 'always'];
  const texts: [number, string][] = [[4, keys.passphrase ?? '']];
  const said = await gpg([...checks, '--output', '-', '--decrypt', '--', resolve(path)], { texts, take });
  refuseSealed(message, said, own);
  if (signers !== null) refuseUnproved(message, said, signers);
  if (said.status !== 0 || said.texts !== 1 || said.isForeign) throw brokenMessage(name);
}

/** What is damaged, or not signed by one of the keys: nothing without a valid signature gets past it. */
function refuseUnproved(message: Message, said: GpgSaid, signers: string[]): void {
  if (isBroken(said)) throw brokenMessage(message.name);
  refuseUnsigned(message, said, signers);
}

function brokenMessage(name: string) {
  const why = `${name} is a damaged or truncated PGP message. Ask for the file again.`;
  return refusal('pgp-broken', why, { file: name });
}

async function privateKeys(gpg: Gpg, { name, keys }: Message, key: string): Promise<string[]> {
  const texts: [number, string][] = [
    [0, key],
    [4, keys.passphrase ?? ''],
  ];
  const { imported, hasPrivate } = await gpg(['--import'], { texts });
  if (hasPrivate) return imported;
  const why =
    'feeds.NAME.unpack.pgp.key holds no private key that gpg can read. Write there what `gpg --armor --export-secret-keys` prints.';
  throw refusal('wrong-key', `${name} is a PGP message, but ${why}`, { file: name });
}

async function publicKeys(gpg: Gpg, { name }: Message, file: string): Promise<string[]> {
  const { imported } = await gpg(['--import', '--', file]);
  if (imported.length > 0) return imported;
  const why = `${file} (feeds.NAME.unpack.pgp.signedBy) holds no public key that gpg can read. Ask the supplier for the key.`;
  throw refusal('wrong-key', `${name} has to be signed, but ${why}`, { file: name });
}

/** What the keys do not open. */
function refuseSealed({ name, keys }: Message, said: GpgSaid, own: string[]): void {
  const isSealed = said.encryptedFor.length > 0 || said.isSymmetric;
  if (!isSealed || said.isDecrypted || said.isUnlocked) return;
  const details = { file: name, keys: said.encryptedFor };
  if (keys.key === null && keys.passphrase === null) {
    const message = `${name} is encrypted with PGP. Set feeds.NAME.unpack.pgp.key, or ask for a file that is not encrypted.`;
    throw refusal('pgp-encrypted', message, details);
  }
  if (said.isLocked || said.considered.some((key) => own.includes(key))) {
    const message = `${name} is encrypted with PGP, and the passphrase in feeds.NAME.unpack.pgp.passphrase is wrong or missing. Set the one of the key.`;
    throw refusal('wrong-password', message, details);
  }
  if (said.encryptedFor.length === 0) return;
  const ours = own.length === 0 ? 'none is set' : `feeds.NAME.unpack.pgp.key is ${shown(own)}`;
  const message = `${name} is encrypted for ${shown(said.encryptedFor)}; ${ours}. Send the supplier the public key that belongs to yours.`;
  throw refusal('wrong-key', message, details);
}

/** Whether a message is damaged, or ended before it could say by whom it is signed. */
function isBroken({ isUnlocked, isDecrypted, texts, valid, doubtful }: GpgSaid): boolean {
  return (isUnlocked && !isDecrypted) || (texts === 0 && valid.length + doubtful.length === 0);
}

/** What was not signed by one of the keys, or also by others that cannot be trusted. */
function refuseUnsigned({ name }: Message, { valid, doubtful }: GpgSaid, signers: string[]): void {
  const demanded = `feeds.NAME.unpack.pgp.signedBy demands a signature of ${shown(signers)}`;
  const [doubt] = doubtful;
  const other = valid.find((key) => !signers.includes(key));
  const why =
    doubt !== undefined
      ? `The signature of the key ${shortId(doubt.key)} ${doubt.why}`
      : other !== undefined
        ? `It is signed by ${shown([other])}`
        : 'It is not signed';
  if (doubt === undefined && other === undefined && valid.length > 0) return;
  const message = `${name} was not used. ${why}, and ${demanded}. Ask the supplier who sent it.`;
  throw refusal(valid.length + doubtful.length === 0 ? 'unsigned' : 'wrong-signature', message, { file: name });
}

/** The refusal of a file that is no PGP message at all where a signature is demanded. */
export function notSigned(name: string) {
  const message = `${name} was not used. It is no PGP message, and feeds.NAME.unpack.pgp.signedBy demands a signature. Ask the supplier who sent it.`;
  return refusal('unsigned', message, { file: name });
}

/** Keys in a message, by the ends of their fingerprints; subkeys have ids of their own. */
function shown(keys: string[]): string {
  const ids = [...new Set(keys)].map(shortId);
  return ids.length === 1 ? `the key ${ids[0]!}` : `the keys ${ids.slice(0, 5).join(', ')}`;
}

function shortId(key: string): string {
  return key.slice(-16);
}

async function drained(output: Readable): Promise<void> {
  for await (const _ of output);
}
