import type { Socket } from 'node:net';
import { structureOf, text, envelopeOf, type Writer } from './imap-words.ts';
import type { ImapStyle } from './imap-style.ts';
import { headerField, partAt } from './mail-structure.ts';
import type { KeptMail, Mailboxes } from './mailbox-imap.ts';

/** Bytes of a reply in which structures and headers end; what follows are files, which come in packets as ever. */
const STRUCTURES = 2000;
const PACKET = 1400;

/** A client's connection: it signs in, opens a mailbox, searches, fetches, and changes mails. */
export class ImapSession {
  readonly #socket: Socket;
  readonly #boxes: Mailboxes;
  readonly #style: ImapStyle;
  #opened = 'INBOX';
  #rest = Buffer.alloc(0);
  /** A command whose literals are still coming. */
  #begun = '';
  /** The tag of a client that is about to say who it is. */
  #identifying: string | undefined;
  #writing = Promise.resolve();

  constructor(socket: Socket, boxes: Mailboxes, style: ImapStyle) {
    this.#socket = socket;
    this.#boxes = boxes;
    this.#style = style;
  }

  begin(): void {
    this.#send('* OK ready\r\n');
    this.#socket.on('data', (bytes: Buffer) => this.#take(bytes));
  }

  #take(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (let end = this.#rest.indexOf('\r\n'); end >= 0; end = this.#rest.indexOf('\r\n')) {
      const line = this.#begun + this.#rest.subarray(0, end).toString();
      const literal = /\{(\d+)(\+?)\}$/u.exec(line);
      const length = Number(literal?.[1] ?? 0);
      if (literal !== null) {
        if (literal[2] === '' && this.#rest.length === end + 2) this.#send('+ go on\r\n');
        if (this.#rest.length < end + 2 + length) return;
        this.#begun = `${line.slice(0, literal.index)}"${this.#rest.subarray(end + 2, end + 2 + length).toString()}"`;
      } else {
        this.#begun = '';
        this.#answer(line);
      }
      this.#rest = this.#rest.subarray(end + 2 + length);
    }
  }

  #answer(line: string): void {
    if (this.#identifying !== undefined) {
      const isRight = Buffer.from(line, 'base64').toString().endsWith('\0correct-horse');
      this.#send(`${this.#identifying} ${isRight ? 'OK signed in' : 'NO wrong password'}\r\n`);
      this.#identifying = undefined;
      return;
    }
    const [tag = '', ...words] = line.split(' ');
    if (/^AUTHENTICATE PLAIN$/iu.test(words.join(' ')) && this.#style.capabilities.includes('AUTH=PLAIN')) {
      this.#identifying = tag;
      this.#send('+ \r\n');
      return;
    }
    const isByUid = words[0]?.toUpperCase() === 'UID';
    const [command = '', ...rest] = isByUid ? words.slice(1) : words;
    const said = this.#do(command.toUpperCase(), rest.join(' '));
    this.#send(`${tag} ${said}\r\n`);
    if (command.toUpperCase() === 'LOGOUT') void this.#writing.then(() => this.#socket.end());
  }

  /** Does a command, and answers with what its last line says. */
  #do(command: string, rest: string): string {
    const { capabilities, namespace } = this.#style;
    const can = (name: string) => capabilities.includes(name);
    switch (command) {
      case 'CAPABILITY':
        this.#untagged(`CAPABILITY ${capabilities.join(' ')}`);
        return 'OK done';
      case 'ID':
        if (!can('ID')) return 'BAD unknown command';
        this.#untagged('ID ("name" "double")');
        return 'OK done';
      case 'LOGIN':
        return rest.includes('correct-horse') ? 'OK signed in' : 'NO wrong password';
      case 'NAMESPACE':
        if (namespace === undefined) return 'BAD unknown command';
        this.#untagged(`NAMESPACE ${namespace}`);
        return 'OK done';
      case 'LIST':
      case 'LSUB':
        return this.#list(command, rest);
      case 'EXAMINE':
      case 'SELECT':
        return this.#open(command, unquoted(rest));
      case 'SEARCH':
        return this.#search(rest);
      case 'FETCH':
        return this.#fetch(rest);
      case 'STORE':
        for (const mail of this.#named(rest)) mail.isDeleted = rest.includes('\\Deleted');
        return 'OK done';
      case 'EXPUNGE':
        return this.#expunge(rest === '' ? this.#mails() : this.#named(rest));
      case 'CREATE':
        if (this.#boxes.byName.has(unquoted(rest))) return 'NO it is there';
        this.#boxes.byName.set(unquoted(rest), []);
        return 'OK done';
      case 'COPY':
        this.#copy(rest);
        return 'OK done';
      case 'MOVE':
        if (!can('MOVE')) return 'BAD unknown command';
        this.#copy(rest);
        for (const mail of this.#named(rest)) mail.isDeleted = true;
        return this.#expunge(this.#named(rest));
      case 'NOOP':
      case 'CHECK':
      case 'CLOSE':
      case 'UNSELECT':
      case 'SUBSCRIBE':
        return 'OK done';
      case 'LOGOUT':
        this.#untagged('BYE until next time');
        return 'OK done';
      default:
        return 'BAD unknown command';
    }
  }

  #list(command: string, rest: string): string {
    const delimiter = `"${this.#style.delimiter ?? '/'}"`;
    const names = [...this.#boxes.byName.keys()];
    // Without a name the question is for the delimiter.
    const lines = rest.endsWith('""')
      ? [`(\\Noselect) ${delimiter} ""`]
      : names.map((name) => `(\\HasNoChildren) ${delimiter} "${name}"`);
    for (const line of lines) this.#untagged(`${command} ${line}`);
    return 'OK done';
  }

  #open(command: string, name: string): string {
    const found = [...this.#boxes.byName.keys()].find((one) => one.toUpperCase() === name.toUpperCase());
    if (found === undefined) return 'NO there is no such mailbox';
    this.#opened = found;
    this.#untagged('FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)');
    this.#untagged(`${this.#mails().length} EXISTS`);
    this.#untagged('0 RECENT');
    this.#untagged('OK [UIDVALIDITY 7] valid');
    this.#untagged(`OK [UIDNEXT ${this.#boxes.nextUid}] next`);
    return command === 'EXAMINE' ? 'OK [READ-ONLY] done' : 'OK [READ-WRITE] done';
  }

  #search(rest: string): string {
    const senders = [...rest.matchAll(/FROM "?([^" )]+)"?/giu)].map(([, sender]) => sender!.toLowerCase());
    const uids = this.#mails()
      .filter(({ mime }) => senders.some((one) => headerField(mime.header, 'From')!.toLowerCase().includes(one)))
      .map(({ uid }) => uid);
    if (uids.length > 0 || this.#style.isSilentWithoutHits !== true) this.#untagged(['SEARCH', ...uids].join(' '));
    return 'OK done';
  }

  #fetch(rest: string): string {
    const asked = rest.slice(rest.indexOf(' ') + 1);
    for (const mail of this.#named(rest)) {
      const number = this.#mails().indexOf(mail) + 1;
      const items = itemsOf(asked).map((item) => [' ', this.#item(item, mail)].flat());
      this.#send(concat([`* ${number} FETCH (UID ${mail.uid}`, ...items.flat(), ')\r\n']));
    }
    for (const line of this.#style.meanwhile?.(this.#mails().length) ?? []) this.#untagged(line);
    return 'OK done';
  }

  #item(item: string, mail: KeptMail): (string | Buffer)[] {
    const writer: Writer = this.#style;
    const upper = item.toUpperCase();
    if (upper === 'FLAGS') return ['FLAGS ()'];
    if (upper === 'RFC822.SIZE') return [`RFC822.SIZE ${mail.bytes.length}`];
    if (upper === 'INTERNALDATE') return [`INTERNALDATE "${internalDate(mail.at)}"`];
    if (upper === 'X-GM-MSGID' || upper === 'X-GM-THRID') return [`${upper} 127${mail.uid}`];
    if (upper === 'X-GM-LABELS') return ['X-GM-LABELS ("\\\\Inbox")'];
    if (upper === 'ENVELOPE') return ['ENVELOPE ', envelopeOf(mail.mime.header, writer)];
    if (upper === 'BODYSTRUCTURE') return ['BODYSTRUCTURE ', structureOf(mail.mime, writer)];
    const found = /^BODY(?:\.PEEK)?\[([^\]]*)\](?:<(\d+)\.(\d+)>)?$/iu.exec(item);
    if (found === null) throw new Error(`The client asked for ${item}, which no test has needed so far.`);
    const [, section = '', start, length] = found;
    return this.#section(section, mail, start === undefined ? undefined : [Number(start), Number(length)]);
  }

  #section(section: string, mail: KeptMail, asked: [start: number, length: number] | undefined): (string | Buffer)[] {
    const { piece, hidesOrigin } = this.#style;
    const whole = sectionOf(section, mail);
    const [start, length] = piece === 'whole' ? [0, Infinity] : (asked ?? [0, Infinity]);
    const most = piece === undefined || piece === 'whole' ? length : Math.min(length, piece);
    const bytes = whole.subarray(start, Math.min(whole.length, start + (asked === undefined ? whole.length : most)));
    const origin = asked === undefined || hidesOrigin === true ? '' : `<${start}>`;
    return [`BODY[${section.toUpperCase()}]${origin} {${bytes.length}}\r\n`, bytes];
  }

  #expunge(mails: KeptMail[]): string {
    for (const mail of mails.filter(({ isDeleted }) => isDeleted)) {
      const at = this.#mails().indexOf(mail);
      this.#mails().splice(at, 1);
      this.#untagged(`${at + 1} EXPUNGE`);
    }
    return 'OK done';
  }

  #copy(rest: string): void {
    const target = this.#boxes.byName.get(unquoted(rest.slice(rest.indexOf(' ') + 1)));
    if (target === undefined) return;
    for (const mail of this.#named(rest)) target.push({ ...mail, uid: this.#boxes.nextUid++, isDeleted: false });
  }

  #mails(): KeptMail[] {
    return this.#boxes.byName.get(this.#opened)!;
  }

  /** The mails whose UIDs a command begins with. */
  #named(rest: string): KeptMail[] {
    const ranges = rest
      .split(' ', 1)[0]!
      .split(',')
      .map((range) => range.split(':'));
    const isNamed = (uid: number) =>
      ranges.some(([from, to = from]) => Number(from) <= uid && (to === '*' || uid <= Number(to)));
    return this.#mails().filter(({ uid }) => isNamed(uid));
  }

  #untagged(line: string): void {
    this.#send(`* ${line}\r\n`);
  }

  #send(said: string | Buffer): void {
    const bytes = Buffer.from(said);
    const { splits } = this.#style;
    if (splits === undefined) {
      this.#socket.write(bytes);
      return;
    }
    let at = 0;
    while (at < bytes.length) {
      const piece = bytes.subarray(at, at + (at < STRUCTURES ? splits : PACKET));
      at += piece.length;
      this.#writing = this.#writing.then(
        () => new Promise((done) => setImmediate(() => done(void this.#socket.write(piece)))),
      );
    }
  }
}

function sectionOf(section: string, { bytes, mime }: KeptMail): Buffer {
  const upper = section.toUpperCase();
  if (section === '') return bytes;
  if (upper === 'TEXT') return mime.body;
  if (upper === 'HEADER') return mime.header;
  const fields = /^HEADER\.FIELDS \(([^)]*)\)$/iu.exec(section);
  if (fields !== null) {
    const names = fields[1]!.split(' ').map((name) => unquoted(name).toLowerCase());
    const lines = mime.header.toString('latin1').split(/\r\n(?![ \t])/u);
    const asked = lines.filter((line) => names.includes(line.split(':', 1)[0]!.toLowerCase()));
    return Buffer.from(`${asked.map((line) => `${line}\r\n`).join('')}\r\n`, 'latin1');
  }
  const [, numbers = '', mimeHeader] = /^([\d.]+?)(\.MIME)?$/iu.exec(section) ?? [];
  const part = partAt(mime, numbers);
  return (mimeHeader === undefined ? part?.body : part?.header) ?? Buffer.alloc(0);
}

/** What a FETCH asks for, each for itself. */
function itemsOf(asked: string): string[] {
  const inside = asked.replace(/^\(([^]*)\)$/u, '$1');
  return (
    inside.match(/BODY(?:\.PEEK)?\[[^\]]*\](?:<[\d.]+>)?|\S+/giu)?.filter((item) => item.toUpperCase() !== 'UID') ?? []
  );
}

function unquoted(text: string): string {
  return text.trim().replaceAll(/^"|"$/gu, '');
}

function internalDate(at: Date): string {
  const [day = '', month = '', year = ''] = at.toUTCString().slice(5, 16).split(' ');
  return `${day.padStart(2, ' ').replace(/^0/u, ' ')}-${month}-${year} ${at.toISOString().slice(11, 19)} +0000`;
}

function concat(parts: (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? text(part) : part)));
}
