import { execFile } from 'node:child_process';
import { join } from 'node:path';

type Ended = { status: number; stdout: string; stderr: string };

/** Runs the real command line in a folder and waits for its end. */
export function runCli(args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return runProgram(join(import.meta.dirname, '../../src/cli/main.ts'), args, cwd, env);
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
