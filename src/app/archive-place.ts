import { join } from 'node:path';
import type { Archive } from '../archive/archive.ts';
import { keptFile, questionsTo } from '../archive/folder.ts';
import { folderIdentity, type IdentityPlace } from '../archive/identity.ts';
import type { KeptFile } from '../archive/kept-file.ts';
import { shownRemote, type Remote } from '../archive/s3/remote.ts';
import type { CopyPlace } from '../config/parse/archive-address.ts';
import type { LoadedConfig } from '../config/load.ts';
import { OfferlineError } from '../errors.ts';
import type { S3ArchiveSettings } from '../config/schema/archive-schema.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** An archive before it is opened. */
export type ArchivePlace = {
  identity: IdentityPlace;
  open: (ledger: Ledger) => Promise<Archive>;
  close: () => Promise<void>;
};

type Place = Pick<LoadedConfig, 'home' | 'archive' | 'env'>;

/** The folder of an archive in a home. */
export function archiveFolder(home: string): string {
  return join(home, 'archive');
}

/** The folder in a home of what was read lately of a bucket. */
export function cacheFolder(home: string): string {
  return join(home, 'archive-cache');
}

/** The bucket that an installation keeps its files in; null: in a folder of its home. */
export function remoteOf({ home, archive, env }: Place): Remote | null {
  return archive.type === 's3' ? remoteAt(archive, cacheFolder(home), env) : null;
}

/** How to get at a bucket; copies of its files are kept in a folder here. `holds`: backups lie there. */
export function remoteAt(
  settings: S3ArchiveSettings,
  cache: string,
  env: NodeJS.ProcessEnv,
  holds?: Remote['holds'],
): Remote {
  const { region, style, encryption, ca, timeout } = settings;
  return {
    ...locationOf(settings),
    region,
    style,
    auth: authOf(settings, env, holds),
    encryption:
      encryption === undefined
        ? null
        : encryption.type === 'AES256'
          ? encryption
          : { type: encryption.type, key: encryption.key ?? null },
    ca: ca ?? null,
    timeout,
    cache,
    ...(holds === undefined ? {} : { holds }),
  };
}

function locationOf({ endpoint, region, bucket, prefix = '' }: S3ArchiveSettings) {
  return {
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    bucket,
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
  };
}

/** A place as people read it, without credentials; nothing is opened for it. */
export function shownPlace(place: CopyPlace): string {
  return place.type === 'folder' ? place.folder : shownRemote(locationOf(place));
}

const METADATA = 'http://169.254.169.254';
const CONTAINERS = 'http://169.254.170.2';

function authOf({ auth }: S3ArchiveSettings, env: NodeJS.ProcessEnv, holds: Remote['holds']): Remote['auth'] {
  switch (auth.type) {
    case 'basic':
      return {
        type: 'keys',
        accessKeyId: auth.user,
        secretAccessKey: auth.password.reveal(),
        sessionToken: auth.sessionToken?.reveal() ?? null,
      };
    case 'environment':
      return keysIn(env, holds);
    case 'profile':
      return auth;
    case 'instance': {
      const relative = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'];
      return {
        type: 'instance',
        container: relative ? CONTAINERS + relative : env['AWS_CONTAINER_CREDENTIALS_FULL_URI'] || null,
        token: env['AWS_CONTAINER_AUTHORIZATION_TOKEN'] || null,
        tokenFile: env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'] || null,
        metadata: env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] || METADATA,
      };
    }
  }
}

/** The keys in the environment, by the names that all programs use. */
function keysIn(env: NodeJS.ProcessEnv, holds: Remote['holds']): Remote['auth'] {
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']];
  if (accessKeyId && secretAccessKey) {
    return { type: 'keys', accessKeyId, secretAccessKey, sessionToken: env['AWS_SESSION_TOKEN'] || null };
  }
  throw new OfferlineError(
    'config',
    holds === 'backups'
      ? 'The place of the backups has no keys to sign with: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set; set them, or name a profile in its address (?profile=NAME&file=PATH).'
      : 'The archive has no keys to sign with: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set; set them, or write archive.auth.',
  );
}

/** The files of an installation's archive, which is only read; nothing is opened for it. */
export function archivedFile(place: Place): (sha256: string) => KeptFile {
  const remote = remoteOf(place);
  if (remote === null) return (sha256) => keptFile(archiveFolder(place.home), sha256);
  return (sha256) => ({ ...keptFile(remote.cache, sha256), remote });
}

/** What only asks the archive of an installation. */
export async function archiveQuestions(place: Place): Promise<Pick<Archive, 'file' | 'has' | 'verify'>> {
  const remote = remoteOf(place);
  if (remote === null) return questionsTo(archiveFolder(place.home));
  const { questionsToRemote } = await import('../archive/s3/questions.ts');
  return questionsToRemote(remote);
}

/** Where an installation keeps its files, and how to open it there. */
export async function archivePlace(place: Place): Promise<ArchivePlace> {
  const remote = remoteOf(place);
  if (remote === null || place.archive.type !== 's3') {
    const folder = archiveFolder(place.home);
    const { openArchive } = await import('../archive/folder.ts');
    return { identity: folderIdentity(folder), open: () => openArchive(folder), close: () => Promise.resolve() };
  }
  const [{ openStore }, { remoteIdentity }] = await Promise.all([
    import('../archive/s3/store.ts'),
    import('../archive/s3/remote-identity.ts'),
  ]);
  const { cache: cacheBytes } = place.archive;
  const store = openStore(remote);
  return {
    identity: remoteIdentity(store, remote),
    open: async (ledger) => {
      const [{ openS3Archive }, { archivedObjects }] = await Promise.all([
        import('../archive/s3/open-s3-archive.ts'),
        import('../ledger/maintenance/archived-objects.ts'),
      ]);
      return openS3Archive({ remote, store, index: archivedObjects(ledger), cacheBytes, now: () => Date.now() });
    },
    close: async () => store[Symbol.asyncDispose](),
  };
}
