import { readFile } from 'node:fs/promises';
import { messageOf, OfferlineError } from '../../errors.ts';
import type { Certificates, RedisConnection } from './redis-server.ts';
import type { TlsFiles } from './url.ts';

/** The connection with the certificates that its address names. Fails with `config` when one of them cannot be read. */
export async function withCertificates(connection: RedisConnection, files: TlsFiles = {}): Promise<RedisConnection> {
  if (connection.tls === undefined) return connection;
  const tls: Certificates = {
    ...(await read('ca', files)),
    ...(await read('cert', files)),
    ...(await read('key', files)),
  };
  return { ...connection, tls, ...(connection.enableTLSForSentinelMode === true ? { sentinelTLS: tls } : {}) };
}

async function read(name: keyof TlsFiles, files: TlsFiles): Promise<Certificates> {
  const file = files[name];
  if (file === undefined) return {};
  try {
    return { [name]: await readFile(file, 'utf8') };
  } catch (error) {
    throw new OfferlineError(
      'config',
      `The file ${file}, which REDIS_URL names as ${name}, cannot be read: ${messageOf(error)}. Put the PEM file there, or correct the address.`,
      { cause: error },
    );
  }
}
