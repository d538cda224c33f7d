import { isAllowed } from './licence.ts';
import { nameOf, type Locked } from './lock.ts';

/** Packages with scripts that run when they are installed, and why nothing lacks them: `.npmrc` turns them off. */
const DO_WITHOUT = new Map([
  ['cpu-features', 'optional, of ssh2: tells which ciphers are fast'],
  ['msgpackr-extract', 'optional, of BullMQ: a faster reader of texts'],
  ['protobufjs', 'of a tool: warns of versions'],
  ['ssh2', 'builds an optional binding for ciphers, and uses those of Node without it'],
]);

/** A package of one of the registry's kind: what else is named was never looked at by it. */
const REGISTRY = /^https:\/\/[^/]+\/(?:@[^/]+\/)?[^/]+\/-\/[^/]+\.tgz$/u;

/**
 * What is wrong with the packages that are locked: bytes that nothing vouches for, licences that nobody has agreed to, scripts that
 * nobody has looked at. `said`: what the manifest of an installed package says of its licence, for entries that say nothing.
 */
export function supplyProblems(
  locked: ReadonlyMap<string, Locked>,
  { said, scriptsAreOff }: { said: (folder: string) => string | undefined; scriptsAreOff: boolean },
): string[] {
  const problems = [...locked].flatMap(([folder, entry]) => {
    const called = `${nameOf(folder)}@${entry.version ?? '?'} (${folder})`;
    return [sourceProblem(entry), licenceProblem(entry, entry.license ?? said(folder)), scriptProblem(folder, entry)]
      .filter((problem) => problem !== null)
      .map((problem) => `${called} ${problem}`);
  });
  const scripted = new Set(
    [...locked].flatMap(([folder, entry]) => (entry.hasInstallScript === true ? [nameOf(folder)] : [])),
  );
  const stale = [...DO_WITHOUT.keys()].filter((name) => !scripted.has(name));
  return [
    ...problems,
    ...stale.map((name) => `${name} has no install script any more: take it out of scripts/supply/problems.ts`),
    ...(scriptsAreOff ? [] : ['.npmrc lets packages run scripts when they are installed: write ignore-scripts=true']),
  ];
}

function sourceProblem({ integrity, resolved, link }: Locked): string | null {
  if (link === true || (resolved !== undefined && !REGISTRY.test(resolved)))
    return `comes from ${resolved ?? 'a link'}: take it from the registry`;
  if (integrity === undefined)
    return 'has no integrity: delete the entry and run npm install, which asks the registry for it';
  return /^sha512-[A-Za-z0-9+/]{86}==$/u.test(integrity) ? null : `has the integrity ${integrity}, which is no SHA-512`;
}

function licenceProblem({ dev }: Locked, licence: string | undefined): string | null {
  if (licence === undefined) return dev === true ? null : 'does not say under which licence it is: choose another';
  if (isAllowed(licence, { isTool: dev === true })) return null;
  return `is under ${licence}, which is not in the list of scripts/supply/licence.ts: choose another, or have it agreed`;
}

function scriptProblem(folder: string, { hasInstallScript }: Locked): string | null {
  if (hasInstallScript !== true || DO_WITHOUT.has(nameOf(folder))) return null;
  return 'has a script that runs when it is installed, and scripts are off: find out whether it works without, and say so in scripts/supply/problems.ts, or choose another';
}
