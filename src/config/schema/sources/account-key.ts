import { createPrivateKey } from 'node:crypto';
import { hideFromNowOn } from '../../../wording/redact.ts';
import { bareUrl } from './graph.ts';
import { z } from '../zod.ts';

/** What a key of a Google service account says. */
export type AccountKey = { email: string; keyId: string | undefined; privateKey: string; tokenUrl: string };

const key = z.object({
  client_email: z.string().min(1),
  private_key: z.string().refine(isRsaKey),
  private_key_id: z.string().optional(),
  token_uri: bareUrl.default('https://oauth2.googleapis.com/token'),
});

/** Reads the JSON of a key of a service account; undefined where a text is none. */
export function accountKeyOf(text: string): AccountKey | undefined {
  const read = key.safeParse(parsed(text)).data;
  if (read === undefined) return undefined;
  hideFromNowOn(read.private_key);
  return {
    email: read.client_email,
    keyId: read.private_key_id,
    privateKey: read.private_key,
    tokenUrl: read.token_uri,
  };
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
