import { AwsV4Signer } from 'aws4fetch';
import { XMLParser } from 'fast-xml-parser';
import { request } from 'undici';
import type { S3Source } from '../../../src/config/schema/sources/s3.ts';
import { bucketAddress } from '../../../src/io/s3/address.ts';

/** A supplier who puts objects into his bucket and takes them away, by requests of his own. */
export function supplierOf(source: S3Source) {
  const send = async (method: 'GET' | 'PUT' | 'DELETE', key = '', body: Buffer | string = '') => {
    const { auth } = source;
    if (auth.type !== 'basic') throw new Error('a supplier has keys');
    const url = `${bucketAddress(source).href}/${key.split('/').map(encodeURIComponent).join('/')}`;
    const keys = { accessKeyId: auth.user, secretAccessKey: auth.password.reveal() };
    const signed = await new AwsV4Signer({ ...keys, method, url, service: 's3', region: source.region }).sign();
    const reply = await request(signed.url, { method, headers: Object.fromEntries(signed.headers), body });
    const bytes = Buffer.from(await reply.body.arrayBuffer());
    if (reply.statusCode >= 300) throw new Error(`${method} ${url}: ${reply.statusCode} ${bytes.toString()}`);
    return bytes;
  };
  const keys = async () => {
    const page = new XMLParser({ isArray: (name) => name === 'Contents' }).parse((await send('GET')).toString()) as {
      ListBucketResult: { Contents?: { Key: string }[] };
    };
    return (page.ListBucketResult.Contents ?? []).map(({ Key }) => Key);
  };
  return {
    makeBucket: () => send('PUT'),
    publish: async (name: string, bytes: Buffer | string) =>
      void (await send('PUT', (source.prefix ?? '') + name, bytes)),
    withdraw: async (name: string) => void (await send('DELETE', (source.prefix ?? '') + name)),
    keys,
    /** Takes the whole bucket away. */
    drop: async () => {
      for (const key of await keys()) await send('DELETE', key);
      await send('DELETE');
    },
    published: async () => {
      const found = await keys();
      return Object.fromEntries(await Promise.all(found.map(async (key) => [key, await send('GET', key)] as const)));
    },
  };
}
