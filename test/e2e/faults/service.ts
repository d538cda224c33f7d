import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { killAtEnd } from '../../support/at-end.ts';
import { PROGRAM } from '../../support/started-program.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Names so long that a few hundred rows are more than a connection's buffers take. */
const SETTINGS = { limits: { nameLength: 10_000 } };

/** The service as a process of its own, quick, with its control endpoint. */
export async function sandboxProcess(): Promise<{ url: string }> {
  const folder = tempFolder();
  const settings = join(folder, 'settings.json');
  writeFileSync(settings, JSON.stringify(SETTINGS));
  const where = ['--port', '0', '--data', join(folder, 'data'), '--settings', settings, '--pace', '10ms/40ms'];
  const child = spawn(PROGRAM, ['sandbox', ...where, '--control', '--json', '--end-with-parent'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  killAtEnd(child);
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as { url: string };
  throw new Error(`the sandbox ended with status ${child.exitCode}`);
}
