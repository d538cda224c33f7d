import type { ArchiveSettings, S3ArchiveSettings } from '../schema/archive-schema.ts';
import { secret } from '../secrets/secret.ts';
import { inEnvironment } from '../read/server-addresses.ts';
import type { Problem } from '../read/problem.ts';

const QUERY = ['region', 'style', 'tls', 'ca'];
/** As long as a store may be silent, and as many bytes of copies as the settings have by default. */
const USUAL = { timeout: 60_000, cache: 5e9 };

/**
 * The archive of the configuration, or that of `ARCHIVE_URL`: `s3://KEY:SECRET@HOST[:PORT]/BUCKET/PREFIX?region=…&style=path&tls=false`. Without
 * keys those of the environment sign.
 */
export function archiveSettings(
  written: ArchiveSettings,
  address: string | undefined,
): { archive: ArchiveSettings; problems: Problem[] } {
  if (address === undefined) return { archive: written, problems: [] };
  const problem = (message: string) => ({ archive: written, problems: [inEnvironment('ARCHIVE_URL', message)] });
  if (written.type === 's3') return problem('archive is set in the configuration, too; keep one');
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.protocol !== 's3:') {
    return problem('is no address such as s3://KEY:SECRET@HOST/BUCKET/PREFIX?region=REGION');
  }
  const [bucket = '', ...folders] = url.pathname.split('/').slice(1).map(decodeURIComponent);
  if (url.host === '' || !/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/u.test(bucket)) {
    return problem('names no host and bucket: s3://HOST/BUCKET/PREFIX');
  }
  const unknown = [...url.searchParams.keys()].find((name) => !QUERY.includes(name));
  if (unknown !== undefined)
    return problem(`has the part ${unknown}=, which is unknown; known are ${QUERY.join(', ')}`);
  const style = url.searchParams.get('style') ?? 'path';
  if (style !== 'path' && style !== 'host') return problem(`has style=${style}; write path or host`);
  const ca = url.searchParams.get('ca');
  const archive: S3ArchiveSettings = {
    type: 's3',
    endpoint: `${url.searchParams.get('tls') === 'false' ? 'http' : 'https'}://${url.host}`,
    region: url.searchParams.get('region') ?? regionIn(url.hostname),
    bucket,
    prefix: folders.join('/'),
    style,
    auth: authIn(url),
    ...USUAL,
    ...(ca === null ? {} : { ca }),
  };
  return { archive, problems: [] };
}

/** The region in a host of Amazon, such as `s3.eu-central-1.amazonaws.com`. */
function regionIn(host: string): string {
  return /(?:^|\.)s3[.-]([a-z0-9-]+)\.amazonaws\.com/u.exec(host)?.[1] ?? 'us-east-1';
}

function authIn({ username, password }: URL): S3ArchiveSettings['auth'] {
  if (username === '') return { type: 'environment' };
  return { type: 'basic', user: decodeURIComponent(username), password: secret(decodeURIComponent(password)) };
}
