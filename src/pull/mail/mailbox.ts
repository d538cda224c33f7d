import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type { MailSource } from '../../config/schema/sources/mail.ts';
import { OfferlineError } from '../../errors.ts';
import type { Listed } from '../choose/choose.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { patternOf } from '../choose/pattern.ts';
import type { ServerPlace } from '../server/server.ts';
import { mailError } from './errors.ts';
import { linkedFiles, readLink } from './linked-files.ts';
import { asListed, FACTS, readId, subjectOf, whyNotUsed } from './mail-file.ts';
import { attachmentsOf, isWinmail, namelessOf, rawName } from './parts.ts';
import { readPart } from './read-part.ts';

/** Mails that are asked for at once. */
const PORTION = 1000;

const WINMAIL =
  'has winmail.dat, a format of Outlook: ask the supplier to send mails as HTML or plain text, or the file by another way';

function nameless(type: string): string {
  return `has an attachment without a name (${foreignText(type, 60)}): ask the supplier to name it`;
}

/** A mailbox while it is connected to. */
export class Mailbox {
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
      return this.#filesOf(this.#facts(await this.#search()), validity, this.#source, wanted);
    });
  }

  /** The files of one mail, which are gone with it, as a pull of another source of this mailbox would list them. */
  async goingWith(file: Listed, other: MailSource): Promise<Listed[]> {
    return this.#asking('a mail', async () => {
      const { validity, uid } = readId(file.id);
      if ((await this.#open({ readOnly: true })) !== validity) return [];
      return this.#filesOf(this.#facts([uid]), validity, other, patternOf(other.pattern).matches);
    });
  }

  async #filesOf(
    mails: AsyncIterable<FetchMessageObject>,
    validity: string,
    source: MailSource,
    wanted: (name: string) => boolean,
  ): Promise<Listed[]> {
    const files: Listed[] = [];
    const withLinks: FetchMessageObject[] = [];
    for await (const mail of mails) {
      const why = whyNotUsed(mail, source);
      if (why !== undefined) {
        this.ignored.push({ name: subjectOf(mail), why });
        continue;
      }
      for (const type of namelessOf(mail.bodyStructure!))
        this.ignored.push({ name: subjectOf(mail), why: nameless(type) });
      const found = attachmentsOf(mail.bodyStructure!);
      const usable = found.filter((attachment) => !isWinmail(attachment));
      if (usable.length < found.length) this.ignored.push({ name: subjectOf(mail), why: WINMAIL });
      for (const attachment of usable) {
        const file = asListed(mail, validity, attachment.part, attachment);
        this.#encodings.set(file.id!, attachment.encoding);
        files.push(file);
      }
      if (source.link.length > 0 && !usable.some(({ name }) => wanted(name))) withLinks.push(mail);
    }
    for (const mail of withLinks) {
      for (const { file, url } of await linkedFiles(this.#client, mail, validity, source)) {
        this.#links.set(file.id!, url);
        files.push(file);
      }
    }
    return this.#withRawNames(files);
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
    const id = file.id ?? '';
    const url = this.#links.get(id);
    if (url !== undefined) return yield* readLink(file, url, this.#source, this.#signal);
    try {
      yield* readPart(this.#client, file, this.#encodings.get(id), this.#place);
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
