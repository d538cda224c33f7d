import { lstat, readdir, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** What a server knows of an entry of the folder that it serves. */
export type Shown = { name: string; kind: 'file' | 'folder' | 'link'; size: number; at: Date };

/** A real folder as a server shows it: under a path of its own, and nothing beside it. */
export type Tree = {
  /** Where a path leads on this machine; undefined outside of the folder. */
  real: (path: string) => string | undefined;
  /** What has this path, a link for itself; undefined where there is nothing. */
  entry: (path: string) => Promise<Shown | undefined>;
  /** A plain file, or the one that a link leads to; undefined where there is none. */
  file: (path: string) => Promise<(Shown & { path: string }) | undefined>;
  /** The entries of a folder; undefined where there is none. */
  entries: (path: string) => Promise<Shown[] | undefined>;
};

/** Shows a folder of this machine under `root`. */
export function treeOf(folder: string, root: string): Tree {
  const real: Tree['real'] = (path) => {
    const whole = posix.resolve('/', path);
    return whole === root || whole.startsWith(`${root}/`) ? join(folder, whole.slice(root.length)) : undefined;
  };
  const shown = async (path: string, name: string): Promise<Shown> => {
    const stats = await lstat(path);
    const kind = stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : 'file';
    return { name, kind, size: stats.size, at: stats.mtime };
  };
  return {
    real,
    entry: async (asked) => {
      const path = real(asked);
      return path === undefined ? undefined : shown(path, posix.basename(asked)).catch(() => undefined);
    },
    file: async (asked) => {
      const path = real(asked);
      const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
      if (path === undefined || found?.isFile() !== true) return undefined;
      return { path, name: posix.basename(asked), kind: 'file', size: found.size, at: found.mtime };
    },
    entries: async (asked) => {
      const path = real(asked);
      const names = path === undefined ? undefined : await readdir(path).catch(() => undefined);
      return names && Promise.all(names.map((name) => shown(join(path!, name), name)));
    },
  };
}
