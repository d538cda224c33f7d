/** Bytes before the data of an entry. Of these, the last tells whether the password may be right. */
export const HEADER_BYTES = 12;

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ ((value & 1) * 0xedb88320);
  return value;
});

/**
 * The traditional cipher of zip archives (APPNOTE 6.1), set up with a password: decrypts one piece after the other. It proves nothing: one in
 * 256 wrong passwords passes for the right one, and whoever can change the archive can change what is inside.
 */
export function zipCrypto(password: Buffer): (bytes: Buffer) => Buffer {
  let [key0, key1, key2] = [0x12345678, 0x23456789, 0x34567890];
  const update = (byte: number) => {
    key0 = CRC[(key0 ^ byte) & 0xff]! ^ (key0 >>> 8);
    key1 = (Math.imul(key1 + (key0 & 0xff), 134_775_813) + 1) | 0;
    key2 = CRC[(key2 ^ (key1 >>> 24)) & 0xff]! ^ (key2 >>> 8);
  };
  for (const byte of password) update(byte);
  return (bytes) => {
    const plain = Buffer.allocUnsafe(bytes.length);
    for (let at = 0; at < bytes.length; at += 1) {
      const mixed = (key2 | 2) & 0xffff;
      const byte = bytes[at]! ^ ((Math.imul(mixed, mixed ^ 1) >>> 8) & 0xff);
      plain[at] = byte;
      update(byte);
    }
    return plain;
  };
}
