import { messageOf, systemCode } from '../../errors.ts';

/** What is wrong with the certificate of a server by the codes of TLS, and what to do. */
const CERTIFICATES: [code: RegExp, advice: string][] = [
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/u, 'name the host as its certificate does'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/u, 'renew its certificate, or set the clock of this machine'],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?)|CERT_\w+)$/u,
    'name the file of the CA that signed its certificate as sslrootcert in DATABASE_URL',
  ],
];
/** What Node says of its own options, which are not the user's. */
const NODE_ADVICE = /; if the root CA is installed locally.*$/u;
const NO_TLS = /does not support SSL connections/u;

/** What is wrong with the TLS of a server, with what to do; undefined when it is something else. */
export function tlsTrouble(error: unknown): string | undefined {
  const why = messageOf(error);
  if (NO_TLS.test(why)) return `${why}: switch ssl on there, or leave sslmode out of DATABASE_URL on a trusted network`;
  const advice = CERTIFICATES.find(([code]) => code.test(systemCode(error) ?? ''))?.[1];
  return advice === undefined ? undefined : `${why.replace(NODE_ADVICE, '')}: ${advice}`;
}
