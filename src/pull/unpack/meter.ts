import { Transform } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { Limits } from '../../config/schema/schema.ts';
import { refusal, type RefusalCode } from '../../io/refusal.ts';

/** What passed through a meter. */
type Metered = { bytes: number; crc: number };

/** What was unpacked of an archive so far: all of its files together have the limit of one. */
export type Spent = { bytes: number };

/** Below this size no ratio is suspicious: a few repeated lines pack very well. */
const RATIO_FLOOR_BYTES = 64 * 1024;

/**
 * Counts what an archive really unpacks to, whatever its headers claim, and fails the stream as soon as a limit is
 * passed. `packedBytes` is the size of the packed data on disk, `spent` what came out of the archive before.
 */
export function meter(
  name: string,
  packedBytes: number,
  limits: Limits,
  bomb: RefusalCode,
  spent: Spent = { bytes: 0 },
) {
  const metered: Metered = { bytes: 0, crc: 0 };
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      metered.bytes += chunk.length;
      metered.crc = crc32(chunk, metered.crc);
      spent.bytes += chunk.length;
      done(exceeded(name, { ...metered, packedBytes, all: spent.bytes }, limits, bomb), chunk);
    },
  });
  return { stream, metered };
}

type Sizes = { bytes: number; packedBytes: number; all: number };

function exceeded(name: string, { bytes, packedBytes, all }: Sizes, limits: Limits, bomb: RefusalCode) {
  if (all > limits.unpackedSize) {
    const message = `${name} unpacks to more than ${limits.unpackedSize} bytes (limits.unpackedSize). It was not used.`;
    return refusal('archive-too-large', message, { file: name, limit: limits.unpackedSize });
  }
  if (bytes > RATIO_FLOOR_BYTES && bytes > packedBytes * limits.unpackRatio) {
    const message = `${name} unpacks to more than ${limits.unpackRatio} times its packed size (limits.unpackRatio), like an archive bomb. It was not used.`;
    return refusal(bomb, message, { file: name, limit: limits.unpackRatio });
  }
  return null;
}
