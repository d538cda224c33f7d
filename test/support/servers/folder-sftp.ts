import { type FileHandle, mkdir, open, rename, unlink } from 'node:fs/promises';
import ssh2, { type FileEntry, type SFTPWrapper } from 'ssh2';
import type { SftpSource } from '../../../src/config/schema/sources/servers.ts';
import { atEnd } from '../at-end.ts';
import { tempFolder } from '../temp-folder.ts';
import { type Shown, type Tree, treeOf } from './folder-tree.ts';
import { startScriptedSftp } from './scripted-sftp.ts';

type Attributes = Partial<Record<'mode' | 'size' | 'atime' | 'mtime', number>>;

/** How a server of some make answers. */
export type SftpStyle = {
  /** The folder that it serves, as it calls it. */
  path: string;
  /** What it tells of a file when it is asked for it. */
  tells: (shown: Shown) => Attributes;
  /** What a listing says of it beside that. */
  lists?: (shown: Shown) => { attrs?: Attributes; longname?: string };
};

export type FolderSftp = { source: SftpSource; folder: string; nowhere: SftpSource; stop: () => Promise<void> };

/** Starts an SFTP server of a given style that serves a folder of its own. */
export async function startFolderSftp(style: SftpStyle): Promise<FolderSftp> {
  const folder = tempFolder();
  const tree = treeOf(folder, style.path);
  const files: FileHandle[] = [];
  atEnd(() => Promise.all(files.map((file) => file.close().catch(() => undefined))));
  const serve = (sftp: SFTPWrapper) => serveTree(sftp, tree, style, files);
  const { source, stop } = await startScriptedSftp({ methods: ['password'], path: style.path, serve });
  return { source, folder, nowhere: { ...source, path: '/nowhere' }, stop };
}

/** A listener that answers later. */
function later<A extends unknown[]>(answer: (...asked: A) => Promise<void>): (...asked: A) => void {
  return (...asked) => void answer(...asked);
}

const { OK, EOF, FAILURE, NO_SUCH_FILE } = ssh2.utils.sftp.STATUS_CODE;

function serveTree(sftp: SFTPWrapper, tree: Tree, { tells, lists }: SftpStyle, files: FileHandle[]): void {
  const listings: FileEntry[][] = [];
  const handleOf = (kind: 'file' | 'listing', number: number) => Buffer.from(`${kind} ${number - 1}`);
  const numberOf = (handle: Buffer) => Number(handle.toString().split(' ')[1]);
  const tell = async (id: number, shown: Shown | undefined) => {
    if (shown === undefined) sftp.status(id, NO_SUCH_FILE);
    // What a server leaves out, its types ask for.
    else sftp.attrs(id, tells(shown) as Required<Attributes> & { uid: number; gid: number });
  };
  const done = (id: number, work: Promise<unknown>) =>
    void work.then(
      () => sftp.status(id, OK),
      () => sftp.status(id, FAILURE),
    );
  sftp.on(
    'OPENDIR',
    later(async (id, path) => {
      const entries = await tree.entries(path);
      if (entries === undefined) return sftp.status(id, NO_SUCH_FILE);
      const listing = entries.map((shown) => {
        const { attrs = tells(shown), longname = '' } = lists?.(shown) ?? {};
        return { filename: shown.name, longname, attrs };
      });
      sftp.handle(id, handleOf('listing', listings.push(listing as FileEntry[])));
    }),
  );
  sftp.on('READDIR', (id, handle) => {
    const some = listings[numberOf(handle)]!.splice(0, 100);
    if (some.length === 0) sftp.status(id, EOF);
    else sftp.name(id, some);
  });
  sftp.on(
    'STAT',
    later(async (id, path) => tell(id, await tree.file(path))),
  );
  sftp.on(
    'LSTAT',
    later(async (id, path) => tell(id, await tree.entry(path))),
  );
  sftp.on(
    'OPEN',
    later(async (id, path) => {
      const file = await tree.file(path);
      if (file === undefined) return sftp.status(id, NO_SUCH_FILE);
      sftp.handle(id, handleOf('file', files.push(await open(file.path))));
    }),
  );
  sftp.on(
    'READ',
    later(async (id, handle, offset, length) => {
      const piece = Buffer.alloc(length);
      const { bytesRead } = await files[numberOf(handle)]!.read(piece, 0, length, offset);
      if (bytesRead === 0) sftp.status(id, EOF);
      else sftp.data(id, piece.subarray(0, bytesRead));
    }),
  );
  sftp.on('CLOSE', (id, handle) => {
    const isFile = handle.toString().startsWith('file');
    done(id, isFile ? files[numberOf(handle)]!.close() : Promise.resolve());
  });
  sftp.on('REMOVE', (id, path) => done(id, unlink(tree.real(path) ?? '')));
  sftp.on('MKDIR', (id, path) => done(id, mkdir(tree.real(path) ?? '')));
  sftp.on(
    'RENAME',
    later(async (id, from, to) => {
      // As the protocol has it, nothing is replaced.
      if ((await tree.entry(to)) === undefined) done(id, rename(tree.real(from) ?? '', tree.real(to) ?? ''));
      else sftp.status(id, FAILURE);
    }),
  );
}
