import type { S3Source } from '../../config/schema/sources/s3.ts';

/** The address of a bucket: a folder of the endpoint, or a host of its own. */
export function addressOf({
  endpoint,
  region,
  bucket,
  style,
}: Pick<S3Source, 'endpoint' | 'region' | 'bucket' | 'style'>): URL {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (style === 'host') url.host = `${bucket}.${url.host}`;
  else url.pathname = `${url.pathname.replace(/\/$/u, '')}/${bucket}`;
  return url;
}
