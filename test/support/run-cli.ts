import { execFile } from 'node:child_process';
import { MAIN } from './started-program.ts';
import { canPlay, playCommand } from './play-command.ts';

type Ended = { status: number; stdout: string; stderr: string };

/** Carries a command out in a folder to its end: in this process, or where one is played there already in one of its own. */
export function runCli(args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const whole = { PATH: process.env['PATH'], ...env };
  // Anything else may be for the process itself, such as a TMPDIR that is not there.
  const isForCommand = Object.keys(env).every((name) => /^(?:OFFERLINE_|LOG_LEVEL$|NO_COLOR$)/u.test(name));
  if (isForCommand && canPlay()) return playCommand(args, cwd, whole);
  return runProgram(MAIN, args, cwd, whole);
}

/** The same for a copy of the program elsewhere, by its main file. */
export function runProgram(main: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [main, ...args],
      { cwd, env: { PATH: process.env['PATH'], ...env }, maxBuffer: 64 * 1024 * 1024 },
      (_, stdout, stderr) => resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
