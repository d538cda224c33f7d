import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { CFB, utils, write } from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { openTables } from '../../../src/tables/open-tables.ts';
import { packageIn, readWorkbook } from '../../../src/tables/xls/read-workbook.ts';
import { readAll } from '../read-file.ts';

/* What Excel encrypts without being asked has the password VelvetSweatshop. Encrypted here as [MS-OFFCRYPTO] has it. */

const LIMITS = { fileSize: 1e9, cellLength: 1_000, rowLength: 10_000 };
const ROWS = Array.from({ length: 300 }, (_, at) => ['BOSCH', `0986424${100 + at}`, `Колодки ${at}`]);
const KNOWN = 'VelvetSweatshop';

const hash = (algorithm: string, ...parts: Uint8Array[]) => {
  const made = createHash(algorithm);
  for (const part of parts) made.update(part);
  return made.digest();
};

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** The textbook's RC4 over all bytes. */
function rc4(key: Buffer, bytes: Buffer): Buffer {
  const s = Array.from({ length: 256 }, (_, at) => at);
  let j = 0;
  for (let i = 0; i < 256; i++) {
    j = (j + s[i]! + key[i % key.length]!) % 256;
    [s[i], s[j]] = [s[j]!, s[i]!];
  }
  let i = (j = 0);
  return Buffer.from(
    [...bytes].map((byte) => {
      i = (i + 1) % 256;
      j = (j + s[i]!) % 256;
      [s[i], s[j]] = [s[j]!, s[i]!];
      return byte ^ s[(s[i]! + s[j]!) % 256]!;
    }),
  );
}

type Way = {
  filePass: (verifier: Buffer, verifierHash: Buffer) => Buffer;
  keyOf: (block: number) => Buffer;
  algorithm: string;
};

/** RC4 of Excel 97 to 2000. */
function basic(password: string, salt: Buffer): Way {
  const short = hash('md5', Buffer.from(password, 'utf16le')).subarray(0, 5);
  const base = hash('md5', Buffer.concat(Array.from({ length: 16 }, () => Buffer.concat([short, salt])))).subarray(
    0,
    5,
  );
  return {
    keyOf: (block) => hash('md5', base, number(block)),
    filePass: (verifier, verifierHash) =>
      Buffer.concat([Buffer.from([1, 0, 1, 0, 1, 0]), salt, verifier, verifierHash]),
    algorithm: 'md5',
  };
}

/** RC4 of Excel 2002 and later, by the cryptographic provider of Windows. */
function provided(password: string, salt: Buffer, bits: number): Way {
  const base = hash('sha1', salt, Buffer.from(password, 'utf16le'));
  const name = Buffer.from('Microsoft Enhanced Cryptographic Provider v1.0\0', 'utf16le');
  const header = Buffer.concat([...[4, 0, 0x6801, 0x8004, bits, 1, 0, 0].map(number), name]);
  return {
    keyOf: (block) => {
      const key = hash('sha1', base, number(block)).subarray(0, bits / 8);
      return bits === 40 ? Buffer.concat([key, Buffer.alloc(11)]) : key;
    },
    filePass: (verifier, verifierHash) =>
      Buffer.concat([
        Buffer.from([1, 0, 2, 0, 2, 0]),
        number(4),
        number(header.length),
        header,
        number(16),
        salt,
        verifier,
        number(20),
        verifierHash,
      ]),
    algorithm: 'sha1',
  };
}

const [BOF, BOUND_SHEET] = [0x0809, 0x85];

/** An old workbook whose records are encrypted. */
function encryptedXls({ keyOf, filePass, algorithm }: Way): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(ROWS), 'Прайс');
  const ole = CFB.read(write(book, { type: 'buffer', bookType: 'biff8', bookSST: true }) as Buffer, { type: 'buffer' });
  const plain = Buffer.from((CFB.find(ole, '/Workbook') as { content: Uint8Array }).content);
  const known = randomBytes(16);
  const told = rc4(keyOf(0), Buffer.concat([known, hash(algorithm, known)]));
  const pass = filePass(told.subarray(0, 16), told.subarray(16));
  const record = Buffer.concat([Buffer.from([0x2f, 0, pass.length & 255, pass.length >> 8]), pass]);
  const first = 4 + plain.readUInt16LE(2);
  const stream = Buffer.concat([plain.subarray(0, first), record, plain.subarray(first)]);
  const keys = Array.from({ length: Math.ceil(stream.length / 1024) }, (_, block) =>
    rc4(keyOf(block), Buffer.alloc(1024)),
  );
  for (let at = first + record.length; at + 4 <= stream.length;) {
    const [type, end] = [stream.readUInt16LE(at), at + 4 + stream.readUInt16LE(at + 2)];
    if (type === BOUND_SHEET) stream.writeUInt32LE(stream.readUInt32LE(at + 4) + record.length, at + 4);
    const from = at + (type === BOUND_SHEET ? 8 : 4);
    if (type !== BOF) for (let place = from; place < end; place++) stream[place]! ^= keys[place >> 10]![place & 1023]!;
    at = end;
  }
  const target = CFB.utils.cfb_new();
  CFB.utils.cfb_add(target, '/Workbook', stream);
  return CFB.write(target, { type: 'buffer' }) as Buffer;
}

const read = (bytes: Buffer) => readWorkbook({ bytes, name: 'list.xls', codePage: null, limits: LIMITS });

describe('an old workbook', () => {
  test.each<[string, (password: string) => Way]>([
    ['RC4', (password) => basic(password, randomBytes(16))],
    ['RC4 of 40 bits by a provider', (password) => provided(password, randomBytes(16), 40)],
    ['RC4 of 128 bits by a provider', (password) => provided(password, randomBytes(16), 128)],
  ])('with %s is read where it has the password that all know, and refused where it has its own', async (_, way) => {
    const [sheet] = await read(encryptedXls(way(KNOWN)));
    expect(sheet!.name).toBe('Прайс');
    expect([...sheet!.rows()].flat().map(({ cells }) => cells)).toEqual(ROWS);
    await expect(read(encryptedXls(way('secret')))).rejects.toThrow(
      'list.xls is encrypted. Save the workbook without a password',
    );
  });

  test('whose encryption is damaged is refused', async () => {
    const bytes = encryptedXls({ ...basic(KNOWN, randomBytes(16)), filePass: () => Buffer.from([1, 0, 1, 0]) });
    await expect(read(bytes)).rejects.toThrow('is encrypted');
  });
});

const AES = (bits: number, mode: string, key: Buffer, iv: Buffer | null, bytes: Buffer) => {
  const cipher = createCipheriv(`aes-${bits}-${mode}`, key, iv).setAutoPadding(false);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
};
const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)]);
const sized = (bytes: Buffer, length: number) => Buffer.concat([bytes, Buffer.alloc(64, 0x36)]).subarray(0, length);

function container(info: Buffer, content: Buffer): Buffer {
  const target = CFB.utils.cfb_new();
  CFB.utils.cfb_add(target, '/EncryptionInfo', info);
  CFB.utils.cfb_add(target, '/EncryptedPackage', content);
  return CFB.write(target, { type: 'buffer' }) as Buffer;
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return length;
}

/** As Office 2010 and later encrypt. */
function agile(password: string, content: Buffer, algorithm: string, bits: number, rounds = 1000): Buffer {
  const [salt, dataSalt, secret, input] = [16, 16, bits / 8, 16].map((bytes) => randomBytes(bytes)) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  let key = hash(algorithm, salt, Buffer.from(password, 'utf16le'));
  for (let round = 0; round < rounds; round++) key = hash(algorithm, number(round), key);
  const close = (purpose: string, bytes: Buffer) =>
    AES(bits, 'cbc', sized(hash(algorithm, key, Buffer.from(purpose, 'hex')), bits / 8), salt, padded(bytes)).toString(
      'base64',
    );
  const facts = `blockSize="16" keyBits="${bits}" hashSize="${hash(algorithm).length}" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="${algorithm.toUpperCase()}"`;
  const xml =
    `<encryption xmlns:p="p"><keyData saltSize="16" ${facts} saltValue="${dataSalt.toString('base64')}"/><keyEncryptors><keyEncryptor>` +
    `<p:encryptedKey spinCount="${rounds}" saltSize="16" ${facts} saltValue="${salt.toString('base64')}" encryptedVerifierHashInput="${close('fea7d2763b4b9e79', input)}" ` +
    `encryptedVerifierHashValue="${close('d7aa0f6d3061344e', hash(algorithm, input))}" encryptedKeyValue="${close('146e0be7abacd0d6', secret)}"/></keyEncryptor></keyEncryptors></encryption>`;
  const segments = [];
  for (let at = 0; at < content.length; at += 4096) {
    const iv = sized(hash(algorithm, dataSalt, number(at / 4096)), 16);
    segments.push(AES(bits, 'cbc', secret, iv, padded(content.subarray(at, at + 4096))));
  }
  return container(
    Buffer.concat([Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]), Buffer.from(xml)]),
    Buffer.concat([lengthOf(content), ...segments]),
  );
}

/** As Office 2007 encrypts. */
function standard(password: string, content: Buffer, bits: number): Buffer {
  const [salt, input] = [randomBytes(16), randomBytes(16)];
  let key = hash('sha1', salt, Buffer.from(password, 'utf16le'));
  for (let round = 0; round < 50_000; round++) key = hash('sha1', number(round), key);
  const last = sized(hash('sha1', key, number(0)), 20);
  const half = (filling: number) =>
    hash(
      'sha1',
      Buffer.alloc(64, filling).map((byte, at) => byte ^ (last[at] ?? 0)),
    );
  const secret = Buffer.concat([half(0x36), half(0x5c)]).subarray(0, bits / 8);
  const close = (bytes: Buffer) => AES(bits, 'ecb', secret, null, padded(bytes));
  const header = Buffer.concat([0x24, 0, { 128: 0x660e, 256: 0x6610 }[bits]!, 0x8004, bits, 0x18, 0, 0].map(number));
  return container(
    Buffer.concat([
      Buffer.from([4, 0, 2, 0]),
      number(0x24),
      number(header.length),
      header,
      number(16),
      salt,
      close(input),
      number(20),
      close(hash('sha1', input)),
    ]),
    Buffer.concat([lengthOf(content), close(content)]),
  );
}

describe('a newer workbook', () => {
  const content = randomBytes(10_001);
  test.each<[string, (password: string) => Buffer]>([
    ['agile, SHA-512, 256 bits', (password) => agile(password, content, 'sha512', 256)],
    ['agile, SHA-1, 128 bits', (password) => agile(password, content, 'sha1', 128)],
    ['standard, 128 bits', (password) => standard(password, content, 128)],
    ['standard, 256 bits', (password) => standard(password, content, 256)],
  ])('encrypted as %s is decrypted with the password that all know only', (_, encrypt) => {
    expect(packageIn('list.xlsx', encrypt(KNOWN))?.equals(content)).toBe(true);
    expect(() => packageIn('list.xlsx', encrypt('secret'))).toThrow('list.xlsx is encrypted');
  });

  test.each(['xlsx', 'xlsb'] as const)('of the kind %s is read with the password that all know', async (bookType) => {
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet(ROWS), 'Прайс');
    const bytes = agile(KNOWN, write(book, { type: 'buffer', bookType }) as Buffer, 'sha512', 256);
    const read = await readAll((input) => openTables('xlsx', input), bytes);
    expect(read.tables.map(({ name }) => name)).toEqual(['Прайс']);
    expect(read.rows.map(({ cells }) => cells)).toEqual(ROWS);
  });

  test('whose description is damaged is refused', () => {
    for (const info of [
      Buffer.alloc(0),
      Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]),
      Buffer.from([4, 0, 2, 0, 1, 2, 3, 4, 5]),
    ]) {
      expect(() => packageIn('list.xlsx', container(info, lengthOf(content)))).toThrow('is encrypted');
    }
  });

  test('whose description asks for work without end, or is as long as a list, is refused before it is done', () => {
    expect(() => packageIn('list.xlsx', agile(KNOWN, content, 'sha1', 128, 200_001))).toThrow('is encrypted');
    const info = Buffer.concat([Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]), Buffer.from('<a/>'.repeat(5000))]);
    expect(() => packageIn('list.xlsx', container(info, lengthOf(content)))).toThrow('is encrypted');
  });

  test('that is not encrypted is none of these', () => {
    expect(packageIn('list.xls', Buffer.from('PK'))).toBeNull();
  });
});
