import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readPieces } from '../../io/read-pieces.ts';

/**
 * What a result ends with: the comment of the archive that a workbook is. Nobody sees it, a copy keeps it, and a program that saves the
 * workbook anew drops it, for then it is somebody else's file.
 */
const MARK = 'offerline: result of ';
const OWNER = 16;
/** The bytes of a mark. */
export const MARK_BYTES = MARK.length + OWNER;

/** The mark of the results that a feed of an installation puts. */
export function markOf(installation: string, feed: string): string {
  return MARK + createHash('sha256').update(`${installation}\n${feed}`).digest('hex').slice(0, OWNER);
}

/** The end of an archive without a comment: a fixed record, whose last two bytes are the length of the comment. */
const END = 22;
const SIGNATURE = 0x06_05_4b_50;

/** A workbook with a mark. Throws where it is none, or has a comment already. */
export function marked(workbook: Buffer, mark: string): Buffer {
  const end = workbook.length - END;
  if (end < 0 || workbook.readUInt32LE(end) !== SIGNATURE || workbook.readUInt16LE(workbook.length - 2) !== 0)
    throw new Error('A workbook that is to be marked does not end as an archive does.');
  const whole = Buffer.alloc(workbook.length + mark.length);
  workbook.copy(whole);
  whole.write(mark, workbook.length, 'latin1');
  whole.writeUInt16LE(mark.length, workbook.length - 2);
  return whole;
}

/** Whether a file is a result, whoever put it where it was. */
export function isResult(path: string): boolean {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info?.isFile() !== true || info.size <= MARK_BYTES) return false;
  return readPieces(path, [info.size - MARK_BYTES], MARK_BYTES)[0]!
    .toString('latin1')
    .startsWith(MARK);
}

/** Whether what a file ends with is this mark. */
export async function endsWithMark(bytes: AsyncIterable<Uint8Array>, mark: string): Promise<boolean> {
  let end = '';
  for await (const chunk of bytes) {
    const last = Buffer.from(chunk.subarray(-mark.length)).toString('latin1');
    end = (end + last).slice(-mark.length);
  }
  return end === mark;
}
