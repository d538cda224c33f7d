/** What gpg says on its status channel, as far as it matters here. Keys are named by their ids or fingerprints. */
export type GpgSaid = {
  imported: string[];
  hasPrivate: boolean;
  encryptedFor: string[];
  /** Known keys that were looked at. */
  considered: string[];
  /** Encrypted by a passphrase, perhaps among others. */
  isSymmetric: boolean;
  /** A private key gave the key of the message. */
  isUnlocked: boolean;
  isDecrypted: boolean;
  /** Texts that were found; more than one is no message. */
  texts: number;
  /** There is something that is no part of a message. */
  isForeign: boolean;
  /** A passphrase was wrong or missing. */
  isLocked: boolean;
  /** By whom valid signatures are: the fingerprints of primary keys. */
  valid: string[];
  /** Signatures that are not valid, or whose key is not known, has expired or was revoked. */
  doubtful: { key: string; why: string }[];
};

/** Whether an imported key is a private one. */
const PRIVATE = 16;
/** libgpg-error: a wrong passphrase, none, and one that nobody could be asked for. */
const PASSPHRASE_ERRORS = [11, 31, 99, 177];
const ERROR_CODE = 0xffff;

const DOUBTS = new Map([
  ['BADSIG', 'is not that of this file'],
  ['ERRSIG', 'cannot be checked, because its key is not known'],
  ['EXPSIG', 'has expired'],
  ['EXPKEYSIG', 'is of a key that has expired'],
  ['REVKEYSIG', 'is of a key that was revoked'],
]);

/** Reads what gpg said. Names in it are those of the sender and are left out. Pure. */
export function gpgSaid(text: string): GpgSaid {
  const said: GpgSaid = {
    imported: [],
    hasPrivate: false,
    encryptedFor: [],
    considered: [],
    isSymmetric: false,
    isUnlocked: false,
    isDecrypted: false,
    texts: 0,
    isForeign: false,
    isLocked: false,
    valid: [],
    doubtful: [],
  };
  for (const line of text.split('\n')) {
    const [mark, keyword = '', first = '', ...rest] = line.split(' ');
    if (mark !== '[GNUPG:]') continue;
    if (keyword === 'IMPORT_OK') {
      said.hasPrivate ||= (Number(first) & PRIVATE) !== 0;
      said.imported.push(keyOf(rest[0]));
    } else if (keyword === 'ENC_TO') said.encryptedFor.push(keyOf(first));
    else if (keyword === 'KEY_CONSIDERED') said.considered.push(keyOf(first));
    else if (keyword === 'NEED_PASSPHRASE_SYM') said.isSymmetric = true;
    else if (keyword === 'DECRYPTION_KEY') said.isUnlocked = true;
    else if (keyword === 'DECRYPTION_OKAY') said.isDecrypted = true;
    else if (keyword === 'PLAINTEXT') said.texts += 1;
    else if (keyword === 'NODATA' || keyword === 'UNEXPECTED') said.isForeign = true;
    else if (keyword === 'BAD_PASSPHRASE' || keyword === 'MISSING_PASSPHRASE') said.isLocked = true;
    else if (keyword === 'ERROR')
      said.isLocked ||= PASSPHRASE_ERRORS.includes(Number.parseInt(rest[0] ?? '') & ERROR_CODE);
    else if (keyword === 'VALIDSIG') said.valid.push(keyOf(rest.at(-1) ?? first));
    else if (DOUBTS.has(keyword)) said.doubtful.push({ key: keyOf(first), why: DOUBTS.get(keyword)! });
  }
  return said;
}

/** Keys are hexadecimal; what is not is not shown. */
function keyOf(text = ''): string {
  return /^[0-9A-F]{8,64}$/u.test(text) ? text : '?';
}
