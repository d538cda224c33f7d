/** What a make of mail servers does in its own way. */
export type ImapStyle = {
  capabilities: string[];
  /** The answer to NAMESPACE; without one the server does not know the command. */
  namespace?: string;
  /** Texts go as literals, never between quotes. */
  asLiterals?: boolean;
  /** The structure has no dispositions and nothing else that came with later versions of the protocol. */
  isShort?: boolean;
  /** Names of types, encodings and parameters as the sender wrote them; otherwise in capitals. */
  keepsCase?: boolean;
  /** The size that a structure gives for a body of so many bytes. */
  sizeOf?: (bytes: number) => number;
  /** The most bytes of a piece, whatever was asked for; or always the whole part. */
  piece?: number | 'whole';
  /** Pieces do not say at which byte they begin. */
  hidesOrigin?: boolean;
  /** What comes between the lines that were asked for. */
  meanwhile?: (mails: number) => string[];
  /** UIDs begin after this one. */
  firstUid?: number;
  /** Replies begin in pieces of so many bytes. */
  splits?: number;
  /** A search that finds nothing has no line of its own. */
  isSilentWithoutHits?: boolean;
  /** Files of the mailbox's folders have this before their names, which `INBOX` has not. */
  delimiter?: string;
};

/** Makes of mail servers, as public reports and their documentation show what they write. */
export const IMAP_STYLES = {
  'Cyrus IMAP': {
    capabilities: ['IMAP4rev1', 'LITERAL+', 'ID', 'UIDPLUS', 'NAMESPACE', 'MOVE', 'CHILDREN', 'UNSELECT'],
    namespace: '(("INBOX." ".")) (("user." ".")) (("" "."))',
    delimiter: '.',
  },
  Courier: {
    capabilities: ['IMAP4rev1', 'UIDPLUS', 'CHILDREN', 'NAMESPACE', 'QUOTA'],
    namespace: '(("INBOX." ".")) NIL (("#shared." ".") ("shared." "."))',
    delimiter: '.',
    keepsCase: true,
    meanwhile: (mails) => [`${mails} EXISTS`, '0 RECENT'],
  },
  'Microsoft Exchange': {
    capabilities: ['IMAP4', 'IMAP4rev1', 'AUTH=PLAIN', 'UIDPLUS', 'MOVE', 'ID', 'CHILDREN', 'NAMESPACE', 'LITERAL+'],
    namespace: '(("" "/")) NIL NIL',
    keepsCase: true,
    sizeOf: (bytes) => Math.floor(bytes * 1.07),
  },
  Gmail: {
    capabilities: ['IMAP4rev1', 'UNSELECT', 'IDLE', 'NAMESPACE', 'ID', 'X-GM-EXT-1', 'UIDPLUS', 'MOVE', 'CHILDREN'],
    namespace: '(("" "/")) NIL NIL',
    meanwhile: (mails) => [`${mails} EXISTS`, '1 FETCH (FLAGS (\\Seen))'],
    firstUid: 40_000,
  },
  'HCL Domino': {
    capabilities: ['IMAP4rev1', 'LITERAL+', 'NAMESPACE', 'UIDPLUS', 'MOVE'],
    namespace: '(("" "\\\\")) NIL NIL',
    delimiter: '\\\\',
    hidesOrigin: true,
    isSilentWithoutHits: true,
    sizeOf: (bytes) => Math.ceil(bytes * 0.97),
  },
  hMailServer: { capabilities: ['IMAP4', 'IMAP4rev1', 'CHILDREN', 'IDLE'], isShort: true, piece: 10_000 },
  'Axigen, texts as literals': {
    capabilities: ['IMAP4rev1', 'UIDPLUS', 'NAMESPACE', 'ID'],
    namespace: '(("" "/")) NIL NIL',
    asLiterals: true,
  },
  'MDaemon, parts as a whole': {
    capabilities: ['IMAP4rev1', 'UIDPLUS', 'MOVE'],
    piece: 'whole',
    firstUid: 4_294_960_000,
  },
  'an old server behind a proxy that splits lines': { capabilities: ['IMAP4rev1'], isShort: true, splits: 7 },
} as const satisfies Record<string, ImapStyle>;
