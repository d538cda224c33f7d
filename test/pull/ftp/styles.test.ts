import { describe } from 'vitest';
import { startFolderFtp, startTappedFolderFtp } from '../../support/servers/folder-ftp.ts';
import type { FtpStyle } from '../../support/servers/ftp-session.ts';
import { FTP_STYLES } from '../../support/servers/ftp-styles.ts';
import type { CannotShow } from '../cannot-show.ts';
import { serverConformance } from '../server/server-conformance.ts';
import { supplierIn } from '../server/supplier.ts';
import { sourceConformance } from '../source-conformance.ts';

/** Of most makes nothing is missing, for the server is asked for what its listing does not show. */
const CANNOT_SHOW: Partial<Record<keyof typeof FTP_STYLES, CannotShow>> = {
  'Unix without SIZE and MDTM': ['exact times', 'broken names'],
  OpenVMS: ['links', 'foreign names', 'broken names'],
  'z/OS': ['exact times', 'sizes', 'foreign names', 'broken names'],
  'MLSD without type': ['links'],
  'MLSD without size and SIZE': ['sizes'],
};

const READ_ONLY: Partial<Record<keyof typeof FTP_STYLES, { readOnly: true }>> = { publicfile: { readOnly: true } };

describe.each(Object.entries(FTP_STYLES) as [keyof typeof FTP_STYLES, FtpStyle][])('%s', (name, style) => {
  const cannotShow = CANNOT_SHOW[name] ?? [];
  sourceConformance(
    'ftp',
    async () => {
      const { source, folder, stop } = await startFolderFtp(style);
      const twin = { ...source, path: `${source.path}/.` };
      return { source, twin, place: `ftp://127.0.0.1:${source.port}`, ...supplierIn(folder), close: stop };
    },
    { cannotShow },
  );

  serverConformance('ftp', false, () => startFolderFtp(style), {
    startTapped: () => startTappedFolderFtp(style),
    isDouble: true,
    cannotShow,
    ...READ_ONLY[name],
  });
});
