import { Writable } from 'node:stream';
import { main } from '../../src/cli/command-line.ts';
import { createIo } from '../../src/cli/io.ts';

/** How a command ended. */
type Ended = { status: number; stdout: string; stderr: string };

let playing = false;

/** False while a command is played here: another one at the same time needs a process of its own. */
export function canPlay(): boolean {
  return !playing;
}

/**
 * Carries a command out in this process, as the program does in one of its own. The working folder and the mask of new files are
 * those of the command until it ends, so that one is played at a time.
 */
export async function playCommand(args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  if (playing) throw new Error('A command is played already.');
  playing = true;
  const before = { cwd: process.cwd(), mask: process.umask(0o077) };
  const [stdout, stderr] = [collector(), collector()];
  let status = 0;
  process.chdir(cwd);
  try {
    const io = createIo(args, {
      env,
      stdout: stdout.stream,
      stderr: stderr.stream,
      log: { write: (line) => void stderr.stream.write(line) },
      setStatus: (set) => {
        status = set;
      },
      // A test that ends a command by a signal starts the program.
      onSignal: () => () => undefined,
      endProcess: () => undefined,
    });
    await main(args, io);
    return { status, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.chdir(before.cwd);
    process.umask(before.mask);
    playing = false;
  }
}

function collector(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
