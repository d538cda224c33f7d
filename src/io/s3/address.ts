/** Where a bucket is; without an endpoint it is Amazon's for the region. */
export type BucketPlace = { endpoint?: string | undefined; region: string; bucket: string; style: 'path' | 'host' };

/** The address of a bucket: a folder of the endpoint, or a host of its own. */
export function bucketAddress({ endpoint, region, bucket, style }: BucketPlace): URL {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (style === 'host') url.host = `${bucket}.${url.host}`;
  else url.pathname = `${url.pathname.replace(/\/$/u, '')}/${bucket}`;
  return url;
}

/** The address of an object in a bucket. */
export function objectAddress(bucket: URL, key: string): URL {
  return new URL(bucket.href.replace(/\/?$/u, `/${escapedKey(key)}`));
}

/** A key as signatures demand it: everything but letters, digits and a few signs is escaped, in each part of the path for itself. */
export function escapedKey(key: string): string {
  return key
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replaceAll(/[!'()*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/');
}
