import { access, constants, readFile, stat } from 'node:fs/promises';
import { messageOf, OfferlineError } from '../../errors.ts';
import type { FaultInput } from '../../sandbox/faults/schema.ts';
import type { SandboxSettingsInput } from '../../sandbox/settings.ts';

/** Reads the settings of a sandbox; `authHeader` are further headers that carry a credential. */
export async function readSettings(from: { settings?: string; authHeader?: string[] }): Promise<SandboxSettingsInput> {
  const { settings: file, authHeader = [] } = from;
  const { settingsSchema } = await import('../../sandbox/settings.ts');
  const written = file === undefined ? {} : await readYaml(file, 'settings');
  const parsed = settingsSchema.safeParse(written ?? {});
  if (parsed.success) {
    return { ...parsed.data, credentialHeaders: [...parsed.data.credentialHeaders, ...authHeader] };
  }
  throw invalid(`The sandbox settings in ${file}`, parsed.error.issues);
}

/** Reads a file of faults; all problems in it are reported at once. */
export async function readFaults(file: string): Promise<FaultInput[]> {
  const written = (await readYaml(file, 'faults')) as { faults: FaultInput[] };
  const { faultsSchema } = await import('../../sandbox/faults/schema.ts');
  const parsed = faultsSchema.safeParse(written);
  if (parsed.success) return written.faults;
  throw invalid(`The faults in ${file}`, parsed.error.issues);
}

/** Refuses a file that is not there or cannot be read. */
export async function demandFile(option: string, file: string): Promise<void> {
  try {
    await access(file, constants.R_OK);
    if ((await stat(file)).isFile()) return;
  } catch (error) {
    throw new OfferlineError('usage', `${option}: cannot read ${file}: ${messageOf(error)}`, { cause: error });
  }
  throw new OfferlineError('usage', `${option}: ${file} is not a file.`);
}

type Problem = { path: PropertyKey[]; message: string };

function invalid(what: string, problems: Problem[]): OfferlineError {
  const lines = problems.map(({ path, message }) => `  ${path.join('.') || '(top)'}: ${message}`);
  return new OfferlineError('config', `${what} are not valid:\n${lines.join('\n')}`);
}

async function readYaml(file: string, what: string): Promise<unknown> {
  const { parse } = await import('yaml');
  try {
    return parse(await readFile(file, 'utf8')) as unknown;
  } catch (error) {
    throw new OfferlineError('config', `Cannot read the sandbox ${what} ${file}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
