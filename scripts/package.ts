/**
 * Builds what is installed: `node bin/pinned.mjs scripts/package.ts [FOLDER]` (dist/package). One folder holds the program and the client as
 * bundles, with their licences and a bill of materials, and what people read. `npm run pack` makes a tarball of it.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundleClient } from './package/client.ts';
import { librariesOf } from './package/libraries.ts';
import { licencesOf } from './package/licences.ts';
import { manifestOf } from './package/manifest.ts';
import { bundleProgram, MAIN } from './package/program.ts';
import { sbomOf } from './package/sbom.ts';

const ROOT = join(import.meta.dirname, '..');
const AS_IT_IS = [
  'bin/offerline',
  'bin/pinned.mjs',
  'config',
  'docs',
  'examples',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
];

const folder = resolve(process.argv[2] ?? join(ROOT, 'dist/package'));
rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, 'bin'), { recursive: true });
for (const path of AS_IT_IS) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
for (const made of globSync('**/.offerline', { cwd: folder })) rmSync(join(folder, made), { recursive: true });
const windows = readFileSync(join(ROOT, 'bin/offerline.cmd'), 'utf8').replace('src\\cli\\main.ts', `program\\${MAIN}`);
writeFileSync(join(folder, 'bin/offerline.cmd'), windows);
const modules = await Promise.all([bundleProgram(ROOT, join(folder, 'program')), bundleClient(ROOT, folder)]);
const libraries = librariesOf(ROOT, modules.flat());
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licencesOf(libraries));
writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(ROOT, libraries), null, 2)}\n`);
writeFileSync(join(folder, 'package.json'), manifestOf(ROOT));
