import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { OfferlineError } from '../../errors.ts';
import { places } from '../../io/places.ts';
import { isCommon } from './common.ts';

const hash = promisify(argon2);

/** What argon2id costs: memory in KiB, passes, lanes; as OWASP recommends. */
const COST = { m: 19_456, t: 2, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** So many at a time: each takes 19 MiB, and a flood of attempts must take no more than these. */
const AT_A_TIME = places(2);

/** Characters of a password. */
const SHORTEST = 12;
const LONGEST = 1024;

/** Refuses with `usage` a password that is too short or too long, that is the user's name, or that everybody tries. */
export function assertPassword(password: string, user: string): void {
  const { length } = lettersOf(password);
  const refuse = (why: string) => new OfferlineError('usage', `The password ${why}.`);
  if (length < SHORTEST)
    throw refuse(`has ${length} characters; it needs at least ${SHORTEST}, for example four words`);
  if (length > LONGEST) throw refuse(`has ${length} characters; ${LONGEST} is the limit`);
  if (password.toLowerCase().includes(user.toLowerCase()) && length - user.length < SHORTEST / 2)
    throw refuse('is little more than the name of the user; choose another');
  if (new Set(password).size < 5) throw refuse('repeats a few characters; choose another');
  if (isCommon(password, user))
    throw refuse(
      'is one that everybody tries: names, well-known words or rows of keys; choose four words that do not belong together',
    );
}

/** The hash of a password as a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const made = await derive(password, salt, COST, HASH_BYTES);
  return `$argon2id$v=19$m=${COST.m},t=${COST.t},p=${COST.p}$${base64(salt)}$${base64(made)}`;
}

/** What a password is compared with where there is no user, so that it takes as long. */
let nobody: Promise<string> | undefined;

/** Whether a password has this hash; `null` compares with nobody's and is false. `rehash`: it was hashed at another cost than today's. */
export async function verifyPassword(
  password: string,
  phc: string | null,
): Promise<{ isRight: boolean; rehash: boolean }> {
  nobody ??= hashPassword(randomBytes(SALT_BYTES).toString('hex'));
  const { salt, made, cost } = parse(phc ?? (await nobody));
  const letters = lettersOf(password);
  // Nobody has a longer one: what is too long costs no more than the longest.
  const tried = letters.slice(0, LONGEST).join('');
  const isSame = timingSafeEqual(await derive(tried, salt, cost, made.length), made);
  const rehash = cost.m !== COST.m || cost.t !== COST.t || cost.p !== COST.p;
  return { isRight: phc !== null && isSame && letters.length <= LONGEST, rehash };
}

/** The characters of a password, composed: keyboards and systems compose letters differently. */
function lettersOf(password: string): string[] {
  return Array.from(password.normalize('NFC'));
}

async function derive(password: string, nonce: Buffer, { m, t, p }: typeof COST, tagLength: number): Promise<Buffer> {
  const leave = await AT_A_TIME.take(new AbortController().signal);
  try {
    const message = password.normalize('NFC');
    return await hash('argon2id', { message, nonce, memory: m, passes: t, parallelism: p, tagLength });
  } finally {
    leave();
  }
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/u;

function parse(phc: string): { cost: typeof COST; salt: Buffer; made: Buffer } {
  const [, m, t, p, salt = '', made = ''] = PHC.exec(phc) ?? [];
  if (made === '')
    throw new OfferlineError('ledger', 'A password in the ledger is not a hash that this version knows.');
  const bytes = (text: string) => Buffer.from(text, 'base64');
  return { cost: { m: Number(m), t: Number(t), p: Number(p) }, salt: bytes(salt), made: bytes(made) };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
