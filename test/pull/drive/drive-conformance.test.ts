import { describe } from 'vitest';
import { type DriveStyle, startDrive } from '../../support/servers/drive.ts';
import { serverConformance } from '../server/server-conformance.ts';
import { sourceConformance } from '../source-conformance.ts';

/* Folders of one account and of all of a company, and services that tell less of their files than the descriptions say. */

const STYLES: [name: string, style: DriveStyle][] = [
  ['a folder of an account', {}],
  ['a folder in a shared drive', { shared: true }],
  ['in pages of seven', { page: 7 }],
  ['without checksums', { lacks: ['md5Checksum'] }],
  ['without revisions and folders', { lacks: ['headRevisionId', 'parents'] }],
];

describe.each(STYLES)('Google Drive, %s', (_, style) => {
  sourceConformance('drive', async () => {
    const { source, publish, published, stop } = await startDrive(style);
    const twin = { ...source, endpoint: `${source.endpoint}/` };
    return { source, twin, place: source.endpoint!, publish, published, close: stop };
  });

  serverConformance(
    'drive',
    false,
    async () => {
      const double = await startDrive(style);
      const { source, stop, restart } = double;
      const supplier = { ...double, replace: double.publish };
      return { source, nowhere: { ...source, folderId: '1nowhere' }, supplier, stop, restart };
    },
    { isDouble: true },
  );
});
