import { readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { licenceOf, type Licensed } from '../supply/licence.ts';

/** A library that is inside the package: where it is in the checkout, and what its manifest says. */
export type Library = {
  folder: string;
  path: string;
  name: string;
  version: string;
  licence: string | undefined;
  author: string | undefined;
  needs: string[];
};

type Manifest = Licensed & {
  name: string;
  version: string;
  author?: string | { name: string };
  dependencies?: Record<string, string>;
};

const FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/u;

/** The libraries that modules come from, by name. */
export function librariesOf(root: string, modules: readonly string[]): Library[] {
  const folders = new Set(modules.flatMap((module) => FOLDER.exec(module)?.[0] ?? []));
  return [...folders].map((folder) => libraryIn(root, folder)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The library in a folder of the checkout. */
function libraryIn(root: string, folder: string): Library {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, author, dependencies = {} } = manifest;
  const by = typeof author === 'object' ? author.name : author;
  const needs = Object.keys(dependencies);
  // Its folder may be behind a link, and modules are named by where they are.
  const path = join('node_modules', relative(realpathSync(join(root, 'node_modules')), folder));
  return { folder, path, name, version, licence: licenceOf(manifest), author: by, needs };
}
