// Completes package-lock.json after an `npm install` on a registry that lacks the packages of some platforms: npm then leaves
// them out, and `npm ci` refuses the lock file. Adds them without integrity, as optional: `node bin/pinned.mjs scripts/complete-lock.ts`.
import { readFile, writeFile } from 'node:fs/promises';

type Package = {
  version?: string;
  cpu?: string[];
  dev?: boolean;
  libc?: string[];
  license?: string;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
  os?: string[];
};
type Lock = { packages: Record<string, Package> };

const PLATFORM =
  /(android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|x64|ia32|ppc64|riscv64|s390x)(?:-([a-z]+))?$/;

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(await readFile(file, 'utf8')) as Lock;
const added = Object.entries(lock.packages).flatMap(([path, owner]) =>
  Object.entries(owner.optionalDependencies ?? {})
    .filter(([name]) => path !== '' && !isLocked(path, name))
    .map(([name, version]) => [`${folderOf(path)}${name}`, entryFor(name, version, owner)] as const),
);
const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(added) });
lock.packages = Object.fromEntries(packages.sort(([a], [b]) => a.localeCompare(b, 'en')));
await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`);
for (const [path] of added) console.log(path);

function entryFor(name: string, version: string, owner: Package): Package {
  const [, os, cpu, abi = ''] = PLATFORM.exec(name) ?? [];
  if (os === undefined || cpu === undefined || !/^\d/.test(version))
    throw new Error(`${name} ${version} names no platform; add it by hand.`);
  const libc = abi.startsWith('musl') ? 'musl' : 'glibc';
  return {
    version,
    cpu: [cpu],
    ...(owner.dev === true ? { dev: true } : {}),
    ...(os === 'linux' && abi !== '' ? { libc: [libc] } : {}),
    ...(owner.license === undefined ? {} : { license: owner.license }),
    optional: true,
    os: [os],
  };
}

/** Looks where Node would: in the node_modules folder of the package itself, then in those above it. */
function isLocked(path: string, name: string): boolean {
  if (Object.hasOwn(lock.packages, `${path}/node_modules/${name}`)) return true;
  const outside = folderOf(path);
  if (outside === 'node_modules/') return Object.hasOwn(lock.packages, `${outside}${name}`);
  return isLocked(outside.slice(0, -'/node_modules/'.length), name);
}

/** The node_modules folder that a package is in. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
