import { createHash } from 'node:crypto';
import type { Library } from './libraries.ts';
import { lockedPackages, nameOf } from '../supply/lock.ts';
import { VERSION } from '../../src/version.ts';

/** A part of the program, as CycloneDX 1.6 describes it. */
export type Component = {
  type: 'library' | 'application' | 'platform' | 'data' | 'container';
  'bom-ref': string;
  group?: string;
  name: string;
  version: string;
  scope?: 'required' | 'optional';
  hashes?: { alg: 'SHA-512' | 'SHA-256'; content: string }[];
  licenses?: ({ license: { id: string } } | { expression: string })[];
  purl: string;
};

/** A bill of materials in CycloneDX 1.6: every library that is inside, with the hash that the lock file vouches for. */
export type Sbom = {
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  serialNumber: string;
  version: 1;
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/** The bill of materials of the package: the libraries that are inside, and the Node that is installed beside it. */
export function sbomOf(root: string, libraries: readonly Library[]): Sbom {
  const locked = lockedPackages(root);
  const parts = libraries.map((library) => ({ library, component: componentOf(library, locked) }));
  const nodes = [...locked].flatMap(([path, { version, dev }]) =>
    dev === true || !/^node-(?:linux|win)-/u.test(nameOf(path)) ? [] : [nodeOf(path, version ?? '', locked)],
  );
  const data: Component = {
    type: 'data',
    ...named('zxcvbn', '4.4.2'),
    scope: 'required',
    licenses: [{ license: { id: 'MIT' } }],
  };
  const own: Component = {
    type: 'application',
    ...named('offerline', VERSION),
    licenses: [{ license: { id: 'MIT' } }],
  };
  const components = [...parts.map(({ component }) => component), data, ...nodes];
  const needs = parts.map(({ library, component }) => ({
    ref: component['bom-ref'],
    dependsOn: library.needs.flatMap((name) => refOf(name, library.path, parts)),
  }));
  const used = new Set(needs.flatMap(({ dependsOn }) => dependsOn));
  const first = components.map((one) => one['bom-ref']).filter((ref) => !used.has(ref));
  return signed({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: '',
    version: 1,
    metadata: { component: own },
    components,
    dependencies: [{ ref: own['bom-ref'], dependsOn: first }, ...needs],
  });
}

/** The same bill with other parts beside the libraries: what a Debian package or an image carries in place of the installed Node. */
export function withRuntime(sbom: Sbom, runtime: readonly Component[]): Sbom {
  const refs = new Set(sbom.components.filter(({ type }) => type === 'platform').map((one) => one['bom-ref']));
  const kept = sbom.components.filter((one) => !refs.has(one['bom-ref']));
  const [own, ...rest] = sbom.dependencies;
  const dependsOn = own!.dependsOn.filter((ref) => !refs.has(ref)).concat(runtime.map((one) => one['bom-ref']));
  return signed({
    ...sbom,
    components: [...kept, ...runtime],
    dependencies: [{ ref: own!.ref, dependsOn }, ...rest],
  });
}

/** The Node that a package of the registry carries. */
export function nodeOf(path: string, version: string, locked: ReturnType<typeof lockedPackages>): Component {
  const hashes = hashesOf(locked.get(path)?.integrity);
  return {
    type: 'platform',
    ...named(nameOf(path), version),
    scope: 'optional',
    ...hashes,
    licenses: [{ license: { id: 'MIT' } }],
  };
}

function componentOf({ name, version, licence, path }: Library, locked: ReturnType<typeof lockedPackages>): Component {
  const hashes = hashesOf(locked.get(path)?.integrity);
  const licenses = licence === undefined ? {} : { licenses: [licenceEntry(licence)] };
  return { type: 'library', ...named(name, version), scope: 'required', ...hashes, ...licenses };
}

function licenceEntry(licence: string) {
  return / (?:AND|OR) /u.test(licence) ? { expression: licence } : { license: { id: licence } };
}

function named(whole: string, version: string): Pick<Component, 'bom-ref' | 'group' | 'name' | 'version' | 'purl'> {
  const purl = `pkg:npm/${whole.replace('@', '%40')}@${version}`;
  const [, group, name = whole] = /^(@[^/]+)\/(.+)$/u.exec(whole) ?? [];
  return { 'bom-ref': purl, ...(group === undefined ? {} : { group }), name, version, purl };
}

function hashesOf(integrity: string | undefined): Pick<Component, 'hashes'> {
  const [, base64] = /^sha512-(.+)$/u.exec(integrity ?? '') ?? [];
  if (base64 === undefined) return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }] };
}

type Part = { library: Library; component: Component };

/** Looks for a library where Node would: in the folder of who needs it, then in those above. */
function refOf(name: string, path: string, parts: readonly Part[]): string[] {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const folder = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    const found = parts.find(({ library }) => library.path === folder);
    if (found !== undefined) return [found.component['bom-ref']];
    if (at === '') return [];
  }
}

/** A serial number that is the same for the same parts: a package can be built again to the byte. */
function signed(sbom: Sbom): Sbom {
  const hash = createHash('sha256')
    .update(JSON.stringify({ ...sbom, serialNumber: '' }))
    .digest('hex');
  const uuid = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `5${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return { ...sbom, serialNumber: `urn:uuid:${uuid.join('-')}` };
}
