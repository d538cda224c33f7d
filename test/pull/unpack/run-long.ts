import { configSchema } from '../../../src/config/schema/schema.ts';
import { runProgram } from '../../../src/pull/unpack/sealed/run-program.ts';

/** Runs a program that would go on for an hour; in a process of its own, where its arguments are that program's and a number. */
export async function runLong({ file, seconds }: { file: string; seconds: string }): Promise<void> {
  const { limits } = configSchema.parse({ logins: {}, feeds: {} });
  const { promise } = Promise.withResolvers<void>();
  await runProgram({ file, args: [seconds], name: 'long', limits, folder: '/', take: () => promise });
}

const [, script = '', file, seconds] = process.argv;
if (script === import.meta.filename && file !== undefined && seconds !== undefined) await runLong({ file, seconds });
