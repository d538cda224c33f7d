import type { Command } from 'commander';
import { printable } from '../../wording/printable.ts';
import type { Io } from '../io.ts';
import { loadFor } from '../session.ts';

/** Adds `doctor`: what can be reached and what cannot. */
export function define(program: Command, io: Io): void {
  program
    .command('doctor')
    .description('Check Redis, ledger, archive, service, credentials, the places of feeds, and mail.')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', '\nExits with 1 if something needs attention.\n\nExample:\n  offerline doctor\n')
    .action(async (options: { json?: true }, command: Command) => {
      const loaded = await loadFor(command, io);
      const { examine } = await import('../../jobs/doctor/doctor.ts');
      const { createLog } = await import('../../log.ts');
      const log = await createLog({ level: loaded.logLevel, ...io.log });
      const findings = await examine(loaded, log);
      const healthy = findings.every((finding) => finding.ok);
      if (options.json === true)
        io.json({ healthy, sandbox: loaded.sandbox, home: loaded.home, config: loaded.file, checks: findings });
      else {
        const [{ counted }, { fitText }] = await Promise.all([import('../../wording/words.ts'), import('../fit.ts')]);
        // Each open incident is a finding of its own.
        const open = findings.filter(({ check }) => check === 'incident').length;
        for (const { check, ok, detail } of findings) {
          const label = `${ok ? (check === 'incident' ? 'open' : 'ok  ') : 'FAIL'}  ${check.padEnd(12)}  `;
          io.out(fitText(label + printable(detail), { indent: label.length }));
        }
        const well =
          open === 0
            ? 'All is well.'
            : `Everything can be reached; ${counted(open, 'incident')} ${open === 1 ? 'is' : 'are'} open.`;
        io.out(`\n${healthy ? well : 'Something needs attention.'}`);
      }
      io.exit(healthy ? 0 : 1);
    });
}
