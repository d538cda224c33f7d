/** Who signs requests: keys, a profile of a credentials file, or the role of this machine. */
export type RemoteAuth =
  | { type: 'keys'; accessKeyId: string; secretAccessKey: string; sessionToken: string | null }
  | { type: 'profile'; file: string; profile: string }
  | ({ type: 'instance' } & Role);

/** Where the keys of a role are asked for: at a container's address, with what identifies it there, or at the metadata of the instance. */
export type Role = { container: string | null; token: string | null; tokenFile: string | null; metadata: string };

/** Where the objects of an archive are, and how to get at them; plain data, so that threads can read them as well. */
export type Remote = {
  /** The origin of the store, such as `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  region: string;
  bucket: string;
  /** Before all keys: empty, or ending in a slash. */
  prefix: string;
  /** Whether the bucket is part of the path or of the host. */
  style: 'path' | 'host';
  auth: RemoteAuth;
  /** How the store encrypts what it keeps; null: as the bucket is set. */
  encryption: { type: 'AES256' } | { type: 'aws:kms'; key: string | null } | null;
  /** A file of certificates (PEM) that are trusted as well. */
  ca: string | null;
  /** How long the store may be silent, milliseconds. */
  timeout: number;
  /** The folder of the copies that were read lately. */
  cache: string;
  /** Backups lie there instead of an archive, which people are to be told. */
  holds?: 'backups';
};

/** A bucket and prefix as people read it, without credentials. */
export function shownRemote({ endpoint, bucket, prefix }: Pick<Remote, 'endpoint' | 'bucket' | 'prefix'>): string {
  return `${endpoint.replace(/\/$/u, '')}/${bucket}/${prefix}`;
}

/** What an address says that is a setting of an archive, in the words of advice; the longer ones first. */
const IN_ADDRESS = [
  ['http:// in archive.endpoint, or tls=false in ARCHIVE_URL', 'tls=false in its address'],
  ['archive.style: path', 'style=path in its address'],
  ['archive.auth.file', 'file= in its address'],
  ['archive.auth.profile', 'profile= in its address'],
  ['write other archive.auth', 'sign with other keys'],
  ['archive.auth', 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile in its address'],
  ['archive.bucket', 'its bucket'],
  ['archive.endpoint', 'its host'],
  ['archive.region', 'region= in its address'],
  ['archive.style', 'style= in its address'],
  ['archive.ca', 'ca= in its address'],
  ['archive.timeout', 'timeout= in its address'],
] as const;

/** Advice that names settings of an archive, as it is for backups, whose place is an address. */
export function adviceFor({ holds }: Pick<Remote, 'holds'>, advice: string): string {
  if (holds !== 'backups') return advice;
  return IN_ADDRESS.reduce((text, [setting, part]) => text.replaceAll(setting, part), advice);
}
