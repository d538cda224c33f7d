import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { OfferlineError } from '../../../errors.ts';
import { boundProgram, findProgram, programMissing, surroundings } from './run-program.ts';

/** What Debian calls the packages of both programs. */
export const GNUPG = 'GnuPG (on Debian: apt install gnupg)';

const OPTIONS = ['--no-options', '--quiet', '--disable-scdaemon', '--extra-socket', 'none', '--browser-socket', 'none'];

/**
 * Starts the process that holds the private keys of gpg's home `home`, until it is disposed of. It ends with a program that repeats its standard
 * input to its end, so that nothing is left when this process is killed.
 */
export async function startAgent(name: string, home: string): Promise<AsyncDisposable> {
  const agent = await findProgram(['gpg-agent']);
  if (agent === null) throw programMissing(name, 'encrypted with PGP', GNUPG);
  const bounded = await boundProgram(name, agent, ['--homedir', home, ...OPTIONS, '--daemon', '--', 'cat']);
  const child = spawn(...bounded, { ...surroundings(home), stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  child.stdin.on('error', () => undefined).write('\n');
  // The line comes back once the agent listens.
  const early = ended.then(() => {
    throw new OfferlineError('internal', 'gpg-agent ended before gpg could ask it for a key.');
  });
  await Promise.race([once(child.stdout, 'data'), early]);
  early.catch(() => undefined);
  return {
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
