import { AwsV4Signer } from 'aws4fetch';
import { dictionary } from '../dictionary.ts';
import type { S3Keys } from './keys.ts';

/**
 * A request to a store, before it is signed. `headers` are signed as well, and `x-amz-content-sha256` says what the body is. `at`: when it is
 * made, epoch milliseconds; now where nothing is given.
 */
export type Unsigned = {
  method: string;
  url: URL;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  region: string;
  at?: number;
};

/** The address and the headers of a signed request (signature version 4). */
export async function signed(
  { method, url, query = {}, headers = {}, region, at = Date.now() }: Unsigned,
  { accessKeyId, secretAccessKey, sessionToken }: S3Keys,
): Promise<{ url: URL; headers: Record<string, string> }> {
  const asked = new URL(url);
  // Signatures are made over spaces as %20, which is not how forms write them.
  asked.search = Object.entries(query)
    .map(([name, value]) => (value === '' ? name : `${name}=${encodeURIComponent(value)}`))
    .join('&');
  const session = sessionToken === null ? {} : { sessionToken };
  const keys = { accessKeyId, secretAccessKey, ...session };
  const datetime = new Date(at).toISOString().replaceAll(/[:-]|\.\d+/gu, '');
  const signer = new AwsV4Signer({ ...keys, method, url: asked.href, headers, service: 's3', region, datetime });
  const made = await signer.sign();
  return { url: made.url, headers: dictionary(made.headers.entries()) };
}
