import { open } from 'node:fs/promises';

/** The end of an archive, and an entry of its directory, as far as they are read (APPNOTE 4.3.12 and 4.3.16). */
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
/** Longer directories are left alone: the archive is refused then. */
const MOST_DIRECTORY_BYTES = 1 << 24;
const ENTRY_BYTES = 46;
const END = 'PK\x05\x06';
const ENTRY = 'PK\x01\x02';

/**
 * Lets an archive count from its own beginning that counts from that of a file in which `before` bytes stood before it, as
 * self-extracting ones do. One that counts from its own already, or is none, stays as it is.
 */
export async function rebaseZip(path: string, before: number): Promise<void> {
  await using file = await open(path, 'r+');
  const { size } = await file.stat();
  const tailStart = Math.max(0, size - END_BYTES - LONGEST_COMMENT);
  const tail = Buffer.alloc(size - tailStart);
  await file.read(tail, 0, tail.length, tailStart);
  const at = tail.lastIndexOf(END, -END_BYTES, 'latin1');
  if (at === -1) return;
  const [bytes, counted] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  const directoryStart = tailStart + at - bytes;
  if (bytes > MOST_DIRECTORY_BYTES || directoryStart < 0 || counted !== directoryStart + before) return;
  const directory = Buffer.alloc(bytes);
  await file.read(directory, 0, bytes, directoryStart);
  for (let entry = 0; entry + ENTRY_BYTES <= bytes; entry += entryBytes(directory, entry)) {
    if (directory.toString('latin1', entry, entry + ENTRY.length) !== ENTRY) return;
    const offset = directory.readUInt32LE(entry + 42);
    if (offset < before) return;
    directory.writeUInt32LE(offset - before, entry + 42);
  }
  await file.write(directory, 0, bytes, directoryStart);
  tail.writeUInt32LE(directoryStart, at + 16);
  await file.write(tail, at + 16, 4, tailStart + at + 16);
}

function entryBytes(directory: Buffer, entry: number): number {
  const lengths = [28, 30, 32].map((at) => directory.readUInt16LE(entry + at));
  return lengths.reduce((sum, length) => sum + length, ENTRY_BYTES);
}
