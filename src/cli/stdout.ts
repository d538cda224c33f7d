import { fstatSync, writeSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDiskFull, messageOf } from '../errors.ts';

/**
 * Makes stdout say when it cannot be written: `onLost` is called once with a sentence. A reader that has seen enough (`| head`) loses
 * nothing, and must not end the work or change its exit status.
 */
export function watchStdout(onLost: (sentence: string) => void): void {
  if (isFile()) writeWhole();
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    const why = isDiskFull(error)
      ? 'there is no space left for it. Free some, or write it to another disk'
      : messageOf(error);
    onLost(`The answer could not be written to standard output: ${why}.`);
  });
}

/** Copies to a stdout, which itself says what goes wrong there. Throws what goes wrong with the content. */
export async function toStdout(content: Readable, stdout: Writable): Promise<void> {
  await pipeline(content, stdout, { end: false }).catch((error: unknown) => {
    if (stdout.errored !== error) throw error;
  });
}

function isFile(): boolean {
  try {
    return fstatSync(process.stdout.fd).isFile();
  } catch {
    return false;
  }
}

/** A disk that becomes full takes a part of what is written without an error; Node's own stream for files takes that for all. */
function writeWhole(): void {
  process.stdout._write = (chunk: Buffer, _encoding, done) => {
    try {
      for (let at = 0; at < chunk.length;) at += writeSync(process.stdout.fd, chunk, at);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}
