import { text } from 'node:stream/consumers';
import type { FetchMessageObject, ImapFlow } from 'imapflow';
import picomatch from 'picomatch';
import type { MailSource } from '../../config/schema/sources/mail.ts';
import { OfferlineError } from '../../errors.ts';
import type { Listed } from '../choose/choose.ts';
import { nameIn } from '../http/name.ts';
import { readFrom } from '../http/ranged.ts';
import { openWeb } from '../http/request.ts';
import type { ServerFolder, ServerPlace } from '../server/server.ts';
import { connect } from './connect.ts';
import { mailError } from './errors.ts';
import { type Attachment, attachmentsOf, isWinmail, rawName, textsOf, wantedLinks } from './parts.ts';
import { fieldsOf, whyNotTrusted } from './trust.ts';

/** What is asked of each mail. */
const FACTS = {
  uid: true,
  envelope: true,
  internalDate: true,
  bodyStructure: true,
  headers: ['from', 'authentication-results'],
};

/** Mails that are asked for at once. */
const PORTION = 1000;

/** Bytes of a text in which links are looked for. */
const LONGEST_TEXT = 1 << 20;
/** Bytes that are asked for at once; on a line as slow as a pull may be they come within a minute. */
const CHUNK = 1 << 18;

/**
 * The attachments of the mails in a mailbox, or what the links in their text lead to, of trusted senders only. The mailbox is
 * opened for reading, until a mail is to be moved or deleted. Each mail appears whole, and its parts never change.
 */
export async function openMail(source: MailSource, place: ServerPlace, signal?: AbortSignal): Promise<ServerFolder> {
  const client = await connect(source, place, signal);
  const mailbox = new Mailbox(source, place, client, signal);
  return {
    whole: true,
    uniqueNames: false,
    resumes: false,
    list: (wanted) => mailbox.list(wanted),
    ignored: () => mailbox.ignored,
    look: async (file) => ((await mailbox.isThere(file)) ? file : undefined),
    read: (file) => mailbox.read(file),
    remove: (file) => mailbox.remove(file),
    move: (file, to) => mailbox.move(file, to),
    close: () => client.close(),
  };
}

class Mailbox {
  ignored: { name: string; why: string }[] = [];
  readonly #source: MailSource;
  readonly #place: ServerPlace;
  readonly #client: ImapFlow;
  readonly #signal: AbortSignal | undefined;
  /** How attachments are encoded, by id. */
  readonly #encodings = new Map<string, string | undefined>();
  /** The addresses behind files that are links, by id. */
  readonly #links = new Map<string, URL>();

  constructor(source: MailSource, place: ServerPlace, client: ImapFlow, signal: AbortSignal | undefined) {
    this.#source = source;
    this.#place = place;
    this.#client = client;
    this.#signal = signal;
  }

  async list(wanted: (name: string) => boolean): Promise<Listed[]> {
    this.ignored = [];
    return this.#asking('the mails', async () => {
      const validity = await this.#open({ readOnly: true });
      const uids = await this.#search();
      const files: Listed[] = [];
      const withLinks: FetchMessageObject[] = [];
      for await (const mail of this.#facts(uids)) {
        const why = this.#whyNot(mail);
        if (why !== undefined) {
          this.ignored.push({ name: subjectOf(mail), why });
          continue;
        }
        const found = attachmentsOf(mail.bodyStructure!);
        const usable = found.filter((attachment) => !isWinmail(attachment));
        if (usable.length < found.length) this.ignored.push({ name: subjectOf(mail), why: WINMAIL });
        for (const attachment of usable) {
          const file = asListed(mail, validity, attachment.part, attachment);
          this.#encodings.set(file.id!, attachment.encoding);
          files.push(file);
        }
        if (this.#source.link.length > 0 && !usable.some(({ name }) => wanted(name))) withLinks.push(mail);
      }
      for (const mail of withLinks) files.push(...(await this.#linked(mail, validity)));
      return this.#withRawNames(files);
    });
  }

  /** In portions: servers limit how long a command may be. */
  async *#facts(uids: number[]): AsyncGenerator<FetchMessageObject> {
    for (let at = 0; at < uids.length; at += PORTION) {
      yield* this.#client.fetch(uids.slice(at, at + PORTION), FACTS, { uid: true });
    }
  }

  /** Mails have numbers of their own as long as the mailbox is the same. */
  async isThere({ id }: Listed): Promise<boolean> {
    return this.#asking('a mail', async () => {
      const { validity, uid } = readId(id);
      if ((await this.#open({ readOnly: true })) !== validity) return false;
      return this.#has(uid);
    });
  }

  async *read(file: Listed): AsyncGenerator<Uint8Array> {
    const url = this.#links.get(file.id ?? '');
    if (url !== undefined) return yield* this.#readLink(file, url);
    const { uid, part } = readId(file.id);
    try {
      const options = { uid: true, decodeText: false, chunkSize: CHUNK };
      const { content } = await this.#client.download(String(uid), part, options);
      if (content === undefined) {
        const message = `${this.#place.url} has not the mail with ${file.name} any more.`;
        throw new OfferlineError('pull-failed', message, { details: { url: this.#place.url, changed: true } });
      }
      let bytes = 0;
      for await (const chunk of content as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        yield chunk;
      }
      if (bytes < leastOf(file.size, this.#encodings.get(file.id ?? ''))) throw this.#cut(file, bytes);
    } catch (error) {
      throw mailError(error, this.#place, file.name);
    }
  }

  async remove(file: Listed): Promise<void> {
    await this.#change(file, ['UIDPLUS'], async (uid) => {
      await this.#client.messageDelete(String(uid), { uid: true });
    });
  }

  async move(file: Listed, to: string): Promise<void> {
    await this.#change(file, ['MOVE', 'UIDPLUS'], async (uid) => {
      // It may be there already.
      await this.#client.mailboxCreate(to).catch(() => undefined);
      await this.#client.messageMove(String(uid), to, { uid: true });
    });
  }

  /** `needs`: one of these extensions, to touch this mail alone. */
  async #change(file: Listed, needs: string[], work: (uid: number) => Promise<void>): Promise<void> {
    await this.#asking('to move or delete a mail', async () => {
      const { validity, uid } = readId(file.id);
      const { url } = this.#place;
      if ((await this.#open({ readOnly: false })) !== validity) {
        throw new OfferlineError('pull-failed', `${url} has numbered its mails anew.`, {
          details: { url, changed: true },
        });
      }
      // Without it every mail that somebody else marked as deleted would go as well.
      if (!needs.some((name) => this.#client.capabilities.has(name))) {
        const message = `${url} cannot ${needs.length === 1 ? 'delete' : 'move'} a single mail (${needs.join(' or ')}). Set source.after: keep.`;
        throw new OfferlineError('pull-failed', message, { details: { url } });
      }
      await work(uid);
      if (await this.#has(uid)) {
        const message = `${url} left the mail in ${this.#source.folder}. Grant the right to delete and to move mails, or set source.after: keep.`;
        throw new OfferlineError('pull-failed', message, { details: { url } });
      }
    });
  }

  async #has(uid: number): Promise<boolean> {
    const found = await this.#client.fetchOne(String(uid), { uid: true }, { uid: true });
    return found !== false && found !== undefined;
  }

  /** Only what the listed senders wrote; how many others there are is told. */
  async #search(): Promise<number[]> {
    const senders = this.#source.from.map((from) => ({ from }));
    const [one, ...more] = senders;
    const found = await this.#client.search(more.length === 0 ? one! : { or: senders }, { uid: true });
    if (!Array.isArray(found)) {
      const { url } = this.#place;
      throw new OfferlineError('pull-failed', `${url} refused to search its mails by sender.`, { details: { url } });
    }
    const uids = found;
    const mailbox = this.#client.mailbox;
    const others = (mailbox === false ? 0 : mailbox.exists) - uids.length;
    if (others > 0) this.ignored.push({ name: others === 1 ? '1 mail' : `${others} mails`, why: 'of other senders' });
    return uids;
  }

  #whyNot(mail: FetchMessageObject): string | undefined {
    const from = (mail.envelope?.from ?? []).map(({ address = '' }) => address);
    const fields = fieldsOf(mail.headers?.toString('latin1') ?? '');
    const why = whyNotTrusted({ from, fields }, this.#source);
    if (why !== undefined) return why;
    const fits = picomatch.isMatch(mail.envelope?.subject ?? '', this.#source.subject, {
      nocase: true,
      bash: true,
      dot: true,
    });
    if (!fits) return 'has another subject (source.subject)';
    return mail.bodyStructure === undefined ? 'has no readable structure' : undefined;
  }

  #cut({ name, size }: Listed, bytes: number): OfferlineError {
    const { url } = this.#place;
    const message = `${url} ended ${name} after ${bytes} bytes; it announced ${size}, encoded.`;
    return new OfferlineError('pull-failed', message, { retryable: true, details: { url } });
  }

  async #linked(mail: FetchMessageObject, validity: string): Promise<Listed[]> {
    const urls: URL[] = [];
    for (const { part, isHtml } of textsOf(mail.bodyStructure!)) {
      const options = { uid: true, maxBytes: LONGEST_TEXT };
      const { content } = await this.#client.download(String(mail.uid), part, options);
      if (content === undefined) continue;
      urls.push(...wantedLinks(await text(content), isHtml, this.#source.link));
    }
    return [...new Map(urls.map((url) => [url.href, url])).values()].map((url, at) => {
      const file = asListed(mail, validity, `link ${at + 1}`, { name: nameIn(url.href), size: 0 });
      this.#links.set(file.id!, url);
      return file;
    });
  }

  /** Names in which the server's words were no UTF-8 are read once more, from the header of their part. */
  async #withRawNames(files: Listed[]): Promise<Listed[]> {
    for (const file of files.filter(({ name }) => name.includes('\uFFFD'))) {
      const { uid, part } = readId(file.id);
      const mail = await this.#client.fetchOne(String(uid), { uid: true, bodyParts: [`${part}.mime`] }, { uid: true });
      const header = mail === false || mail === undefined ? undefined : mail.bodyParts?.get(`${part}.mime`);
      file.name = (header === undefined ? undefined : rawName(header)) ?? file.name;
    }
    return files;
  }

  async *#readLink(file: Listed, url: URL): AsyncGenerator<Uint8Array> {
    const { timeout, allowHosts } = this.#source;
    const source = {
      url: url.href,
      isForeign: true,
      timeout,
      allowHosts,
      auth: { type: 'none' },
      headers: {},
      maxRedirects: 5,
    } as const;
    const web = openWeb(source);
    try {
      yield* readFrom(web, { url, file, from: 0, signal: this.#signal });
    } finally {
      await web.close();
    }
  }

  async #open({ readOnly }: { readOnly: boolean }): Promise<string> {
    const { mailbox } = this.#client;
    const { folder } = this.#source;
    if (mailbox !== false && (mailbox.readOnly ?? false) === readOnly) return String(mailbox.uidValidity);
    const opened = await this.#client.mailboxOpen(folder, { readOnly });
    return String(opened.uidValidity);
  }

  async #asking<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw mailError(error, this.#place, `${what} of the folder ${this.#source.folder} (source.folder)`);
    }
  }
}

const WINMAIL =
  'has winmail.dat, a format of Outlook: ask the supplier to send mails as HTML or plain text, or the file by another way';

function subjectOf({ envelope, uid }: FetchMessageObject): string {
  return envelope?.subject === undefined || envelope.subject === '' ? `mail ${uid}` : envelope.subject;
}

/** Its time is when the mail arrived, which stays when the mailbox is numbered anew. */
function asListed(
  { uid, internalDate }: FetchMessageObject,
  validity: string,
  part: string,
  { name, size }: Pick<Attachment, 'name' | 'size'>,
): Listed {
  const at = internalDate === undefined ? Number.NaN : new Date(internalDate).getTime();
  const mtimeMs = Number.isNaN(at) ? null : at;
  return { name, size, mtimeMs, id: `${validity}:${uid}:${part}`, inexact: true };
}

/** The fewest bytes that so many encoded ones can stand for: short lines and escapes make them longer. */
function leastOf(encoded: number, encoding: string | undefined): number {
  if (encoding === 'base64') return Math.floor((encoded - 4) * 0.6);
  return encoding === 'quoted-printable' ? Math.floor(encoded / 4) : encoded;
}

function readId(id: string | undefined): { validity: string; uid: number; part: string } {
  const [validity = '', uid = '', part = ''] = (id ?? '').split(':');
  return { validity, uid: Number(uid), part };
}
