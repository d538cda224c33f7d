import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '../..');
const built = process.env['SUITE_PROGRAM'];
const folder = built === undefined ? root : resolve(root, built);

/**
 * The program that tests start: that of the package which `npm test` builds first, as it is installed, or that of the checkout, which
 * takes three times as long to start.
 */
export const PROGRAM = join(folder, 'bin/offerline');

/** Its main file, for tests that start Node themselves. */
export const MAIN = join(folder, built === undefined ? 'src/cli/main.ts' : 'program/cli-main.cjs');
