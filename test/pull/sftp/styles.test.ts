import { describe } from 'vitest';
import type { Shown } from '../../support/servers/folder-tree.ts';
import { type SftpStyle, startFolderSftp } from '../../support/servers/folder-sftp.ts';
import { unix } from '../../support/servers/ftp-styles.ts';
import type { CannotShow } from '../cannot-show.ts';
import { serverConformance } from '../server/server-conformance.ts';
import { supplierIn } from '../server/supplier.ts';
import { sourceConformance } from '../source-conformance.ts';

const TYPES = { file: 0o100000, folder: 0o040000, link: 0o120000 };
const RIGHTS = 0o644;

const mode = ({ kind }: Shown) => ({ mode: TYPES[kind] | RIGHTS });
const size = ({ size: bytes }: Shown) => ({ size: bytes });
const times = ({ at }: Shown) => {
  const seconds = Math.floor(at.getTime() / 1000);
  return { atime: seconds, mtime: seconds };
};
const line = (shown: Shown) => ({ longname: unix(shown) });

const STYLES: Record<string, SftpStyle & { cannotShow?: CannotShow }> = {
  'Windows, types in lines for people': {
    path: '/C:/out',
    tells: (shown) => ({ mode: RIGHTS, ...size(shown), ...times(shown) }),
    lists: line,
  },
  'types and sizes only when a file is asked for': {
    path: '/out',
    tells: (shown) => ({ ...mode(shown), ...size(shown), ...times(shown) }),
    lists: (shown) => ({ attrs: times(shown) }),
  },
  'no sizes': {
    path: '/out',
    tells: (shown) => ({ ...mode(shown), ...times(shown) }),
    cannotShow: ['sizes'],
  },
  'times in lines for people': {
    path: '/out',
    tells: (shown) => ({ ...mode(shown), ...size(shown) }),
    lists: line,
    cannotShow: ['exact times'],
  },
  'neither sizes nor times': { path: '/out', tells: mode, cannotShow: ['exact times', 'sizes'] },
};

describe.each(Object.entries(STYLES))('%s', (_name, { cannotShow = [], ...style }) => {
  sourceConformance(
    'sftp',
    async () => {
      const { source, folder, stop } = await startFolderSftp(style);
      const twin = { ...source, path: `${source.path}/.` };
      return { source, twin, place: `sftp://127.0.0.1:${source.port}`, ...supplierIn(folder), close: stop };
    },
    { cannotShow },
  );

  serverConformance('sftp', false, () => startFolderSftp(style), { isDouble: true, cannotShow });
});
