/**
 * Refuses a lock file with packages that nothing vouches for, of licences that are not agreed, or with install scripts that are
 * needed: `node bin/pinned.mjs scripts/check-supply.ts`, a part of `npm run check`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceOf, type Licensed } from './supply/licence.ts';
import { lockedPackages } from './supply/lock.ts';
import { supplyProblems } from './supply/problems.ts';

const ROOT = join(import.meta.dirname, '..');

const locked = lockedPackages(ROOT);
const problems = supplyProblems(locked, {
  said: (folder) => {
    const manifest = join(ROOT, folder, 'package.json');
    return existsSync(manifest) ? licenceOf(JSON.parse(readFileSync(manifest, 'utf8')) as Licensed) : undefined;
  },
  scriptsAreOff: /^ignore-scripts=true$/mu.test(readFileSync(join(ROOT, '.npmrc'), 'utf8')),
});
for (const problem of problems) console.error(problem);
console.log(`${locked.size} packages looked at, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
