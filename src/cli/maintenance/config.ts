import type { Command } from 'commander';
import type { Problem } from '../../config/read/problem.ts';
import { OfferlineError, STATUS } from '../../errors.ts';
import type { Io } from '../io.ts';

type CheckAnswer = { valid: boolean; file: string; problems: Problem[]; warnings: Problem[] };

/** Adds `config check` and `config schema`. */
export function define(program: Command, io: Io): void {
  const config = program
    .command('config')
    .description('Check the configuration file, or print its JSON Schema.')
    .addHelpText('after', '\nExample:\n  offerline config check --config config/offerline.yaml\n');
  config
    .command('check')
    .description('Report all problems in the configuration at once, with file, line and path; exit 0 or 2.')
    .option('--json', 'one JSON value: {valid, file, problems, warnings}')
    .addHelpText('after', '\nExample:\n  offerline config check --json\n')
    .action(async (options: { json?: boolean }) => {
      const answer = await check(program.opts());
      if (options.json === true) io.json(answer);
      else await print(answer, io);
      io.exit(answer.valid ? 0 : STATUS.config.exit);
    });
  config
    .command('schema')
    .description('Print the JSON Schema of the configuration, for editors.')
    .addHelpText('after', '\nExample:\n  offerline config schema > offerline.schema.json\n')
    .action(async () => {
      const { configJsonSchema } = await import('../../config/schema/json-schema.ts');
      io.out(JSON.stringify(configJsonSchema(), null, 2));
    });
}

async function check(options: { config?: string; home?: string }): Promise<CheckAnswer> {
  const { loadConfig } = await import('../../config/load.ts');
  try {
    const loaded = await loadConfig({ file: options.config, home: options.home, env: process.env });
    return { valid: true, file: loaded.file, problems: [], warnings: loaded.warnings };
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.code !== 'config') throw error;
    return { valid: false, ...(error.details as Pick<CheckAnswer, 'file' | 'problems' | 'warnings'>) };
  }
}

async function print({ valid, file, problems, warnings }: CheckAnswer, io: Io): Promise<void> {
  const { showProblems } = await import('../../config/read/problem.ts');
  if (problems.length > 0) io.out(showProblems(problems));
  if (warnings.length > 0) {
    io.out(showProblems(warnings.map((warning) => ({ ...warning, message: `warning: ${warning.message}` }))));
  }
  const counts = `${count(problems.length, 'problem')}, ${count(warnings.length, 'warning')}`;
  io.note(valid ? `${file} is valid: ${counts}.` : `${file} is not valid: ${counts}.`);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
