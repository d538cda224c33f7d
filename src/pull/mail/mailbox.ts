import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type { ReplyMeter } from '../../io/peers/read-reply.ts';
import type { MailSource } from '../../config/schema/sources/mail.ts';
import { OfferlineError } from '../../errors.ts';
import type { Listed } from '../choose/choose.ts';
import { grouped } from '../../wording/words.ts';
import { patternOf } from '../choose/pattern.ts';
import { type Listing, listingOf, mostFilesOf, tooManyFiles } from '../limits.ts';
import type { ServerPlace } from '../server/server.ts';
import { type Conversation, counted } from './conversation.ts';
import { mailError } from './errors.ts';
import { type Chosen, gather, type Gathered, type MailFile } from './gather.ts';
import { linkedFiles, readLink } from './linked-files.ts';
import { FACTS, readId } from './mail-file.ts';
import { openAttachments, openTexts, readInside } from './open-attachments.ts';
import { rawName } from './part-name.ts';
import { gone, readPart } from './read-part.ts';

/** The facts of a mail: its envelope with all who received it, its structure, and two fields of its header. */
const MAIL: Listing = { bytes: 3000 };

/** The number of a mail, as a search has it. */
const NUMBER: Listing = { bytes: 11 };
/** Mails of a mailbox, whoever sent them: a search may answer with a range of all. */
const MOST_MAILS = 1_000_000;

/** Mails that are asked for at once. */
const PORTION = 1000;

/** A mailbox while it is connected to. */
export class Mailbox {
  ignored: { name: string; why: string }[] = [];
  readonly #source: MailSource;
  readonly #place: ServerPlace;
  readonly #conversation: Conversation;
  readonly #client: ImapFlow;
  readonly #signal: AbortSignal | undefined;
  /** How the bytes of files are got, by id. */
  readonly #from = new Map<string, MailFile['from']>();

  constructor(source: MailSource, place: ServerPlace, conversation: Conversation, signal: AbortSignal | undefined) {
    this.#source = source;
    this.#place = place;
    this.#conversation = conversation;
    this.#client = conversation.client;
    this.#signal = signal;
  }

  async list(wanted: (name: string) => boolean): Promise<Listed[]> {
    this.ignored = [];
    const { validity, uids } = await this.#asking(
      'the mails',
      async () => {
        // A search of a mailbox that is open already need not find what came since.
        if (this.#client.mailbox !== false) await this.#client.noop();
        return { validity: await this.#open({ readOnly: true }), uids: await this.#search() };
      },
      NUMBER,
    );
    const { files, ignored } = await this.#filesOf(uids, { validity, source: this.#source, wanted });
    this.ignored.push(...ignored);
    for (const { file, from } of files) this.#from.set(file.id!, from);
    return files.map(({ file }) => file);
  }

  /** The files of one mail, which are gone with it, as a pull of another source of this mailbox would list them. */
  async goingWith(file: Listed, other: MailSource): Promise<Listed[]> {
    const { validity, uid } = readId(file.id);
    const found = await this.#asking('a mail', () => this.#open({ readOnly: true }));
    if (found !== validity) return [];
    const wanted = patternOf(other.pattern).matches;
    const { files } = await this.#filesOf([uid], { validity, source: other, wanted });
    return files.map((one) => one.file);
  }

  /** What structures show first; then what has to be fetched to be known, of mails in which nothing is found so far. */
  async #filesOf(uids: number[], chosen: Chosen): Promise<Gathered> {
    const { validity, source, wanted } = chosen;
    const gathered = await this.#asking('the mails', async (meter) => {
      const all = await gather(counted(this.#facts(uids), meter), chosen, meter);
      await this.#readRawNames(all.files);
      return all;
    });
    const connected = { conversation: this.#conversation, place: this.#place, validity };
    const withoutFile = () => {
      const found = new Set(gathered.files.flatMap(({ file }) => (wanted(file.name) ? [readId(file.id).uid] : [])));
      return gathered.texts.filter(({ mail }) => !found.has(mail.uid));
    };
    try {
      await openAttachments(gathered, connected);
      gathered.texts = withoutFile();
      await openTexts(gathered, connected);
    } catch (error) {
      throw mailError(error, this.#place, `the attachments of the folder ${source.folder} (source.folder)`);
    }
    if (source.link.length === 0) return gathered;
    await this.#asking('the mails', async (meter) => {
      for (const mail of withoutFile()) {
        const linked = await linkedFiles(this.#client, mail, validity, source, this.#place);
        meter.count({ entries: Math.max(0, linked.length - 1) });
        gathered.files.push(...linked);
      }
    });
    return gathered;
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
    const from = this.#from.get(file.id ?? '');
    if (from instanceof URL) return yield* readLink(file, from, this.#source, this.#signal);
    const [conversation, place] = [this.#conversation, this.#place];
    try {
      if (from === undefined) throw gone(file, place);
      if (from.inside === undefined) yield* readPart(this.#client, from, place);
      else yield* readInside({ conversation, place }, from, from.inside);
    } catch (error) {
      throw mailError(error, place, file.name);
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
    if (uids.length > mostFilesOf(this.#source)) throw tooManyFiles(this.#place, this.#source);
    const mailbox = this.#client.mailbox;
    const others = (mailbox === false ? 0 : mailbox.exists) - uids.length;
    if (others > 0) this.ignored.push({ name: others === 1 ? '1 mail' : `${others} mails`, why: 'of other senders' });
    return uids;
  }

  /** Names in which the server's words were no UTF-8 are read once more, from the header of their part. */
  async #readRawNames(files: MailFile[]): Promise<void> {
    for (const { file } of files.filter((one) => one.file.name.includes('\uFFFD'))) {
      const { uid, part } = readId(file.id);
      const mail = await this.#client.fetchOne(String(uid), { uid: true, bodyParts: [`${part}.mime`] }, { uid: true });
      const header = mail === false || mail === undefined ? undefined : mail.bodyParts?.get(`${part}.mime`);
      file.name = (header === undefined ? undefined : rawName(header)) ?? file.name;
    }
  }

  async #open({ readOnly }: { readOnly: boolean }): Promise<string> {
    const { mailbox } = this.#client;
    const { folder } = this.#source;
    if (mailbox !== false && (mailbox.readOnly ?? false) === readOnly) return String(mailbox.uidValidity);
    const opened = await this.#client.mailboxOpen(folder, { readOnly });
    if (opened.exists > MOST_MAILS) {
      const message = `${this.#place.url} has more than ${grouped(MOST_MAILS)} mails in ${folder}; name a folder of its own (source.folder).`;
      throw new OfferlineError('pull-failed', message, { details: { url: this.#place.url, limit: 'entries' } });
    }
    return String(opened.uidValidity);
  }

  async #asking<T>(what: string, work: (meter: ReplyMeter) => Promise<T>, entry = MAIL): Promise<T> {
    try {
      return await this.#conversation.asking(listingOf(this.#source, entry), work);
    } catch (error) {
      throw mailError(error, this.#place, `${what} of the folder ${this.#source.folder} (source.folder)`);
    }
  }
}
