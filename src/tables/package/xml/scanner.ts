import { decodeReferences } from './references.ts';
import { XmlError } from './xml-error.ts';
import { XmlTag } from './tag.ts';

/** What is told of a document. Names are the codes that the handler gave to the local names it wants; others are 0. */
export type XmlHandler = {
  open: (code: number, tag: XmlTag) => void;
  /** True: enough for now; the scanner stops behind this tag. */
  close: (code: number) => boolean;
  /** A text may come in several pieces. */
  text: (text: string) => void;
  /** Whether the text that comes next is wanted. */
  wantsText: () => boolean;
};

type Name = { full: string; code: number };

const [LESS, SLASH, QUESTION, BANG] = [60, 47, 63, 33];
const [AMPERSAND, RETURN] = [38, 13];
/** Characters of a tag, and of what follows `<!` or `<?` without an end: beyond it no program wrote the document. */
const LONGEST_TAG = 1 << 20;
const LONGEST_REFERENCE = 24;
const DEEPEST = 256;
const MOST_NAMES = 4096;

/**
 * Reads the small part of XML that sheets are written in: tags, attributes, text, CDATA, the predefined entities and
 * character references; comments and instructions are skipped. A DTD is refused, so are other entities. It is several
 * times faster than a parser for all of XML, whose events the tests compare with these. Tags must be balanced, and the
 * document complete; it is more lenient in what else makes a document well-formed (doubled attributes, odd characters).
 */
export class XmlScanner {
  readonly #handler: XmlHandler;
  readonly #codes: Record<string, number>;
  readonly #names = new Map<number, Name[]>();
  readonly #open: Name[] = [];
  readonly #tag = new XmlTag();
  #nameCount = 0;
  #text = '';
  #at = 0;
  #ended = false;
  /** What a comment, an instruction or a CDATA section that has begun ends with. */
  #until = '';

  constructor(codes: Record<string, number>, handler: XmlHandler) {
    this.#codes = codes;
    this.#handler = handler;
  }

  /** Adds the next piece of the document; `scan` reads it. */
  write(text: string): void {
    this.#text = this.#at < this.#text.length ? this.#text.slice(this.#at) + text : text;
    this.#at = 0;
  }

  /** Reads what was written, up to the tag where the handler has had enough; true when nothing whole is left to read. */
  scan(): boolean {
    const text = this.#text;
    while (this.#at < text.length) {
      if (this.#until !== '') {
        if (!this.#skip()) return true;
      } else if (text.charCodeAt(this.#at) !== LESS) {
        if (!this.#readText()) return true;
      } else {
        const next = text.charCodeAt(this.#at + 1);
        if (next === SLASH) {
          const end = text.indexOf('>', this.#at);
          if (end < 0) return this.#incomplete();
          if (this.#closeTag(end)) return false;
        } else if (next === BANG || next === QUESTION) {
          if (!this.#special(next)) return this.#incomplete();
        } else {
          if (Number.isNaN(next) || !this.#tag.read(text, this.#at)) return this.#incomplete();
          if (this.#openTag()) return false;
        }
      }
    }
    return true;
  }

  /** Says that nothing follows. Throws when the document is not complete. */
  end(): void {
    if (this.#open.length > 0) throw new XmlError(`it ends inside <${this.#open.at(-1)!.full}>`);
    if (this.#until !== '' || this.#text.slice(this.#at).trim() !== '') throw new XmlError('it ends inside a tag');
    if (!this.#ended) throw new XmlError('it is empty');
  }

  /** A tag may go on in the next piece, but not for ever. */
  #incomplete(): true {
    if (this.#text.length - this.#at > LONGEST_TAG) throw new XmlError('a tag is longer than a megabyte');
    return true;
  }

  #openTag(): boolean {
    const tag = this.#tag;
    if (this.#ended) throw new XmlError('something follows its end');
    const name = this.#nameOf(tag.nameStart, tag.nameEnd, tag.hash);
    this.#at = tag.end;
    this.#handler.open(name.code, tag);
    if (!tag.isEmpty) {
      if (this.#open.push(name) > DEEPEST) throw new XmlError('its tags are nested too deep');
      return false;
    }
    this.#ended = this.#open.length === 0;
    return this.#handler.close(name.code);
  }

  #closeTag(end: number): boolean {
    const text = this.#text;
    const name = this.#open.pop();
    const from = this.#at + 2;
    if (name === undefined || !this.#isNamed(name.full, from, end)) {
      const found = text.slice(from, Math.min(end, from + 50));
      throw new XmlError(name === undefined ? `</${found}> closes nothing` : `</${found}> closes <${name.full}>`);
    }
    this.#at = end + 1;
    this.#ended = this.#open.length === 0;
    return this.#handler.close(name.code);
  }

  #isNamed(name: string, from: number, end: number): boolean {
    const text = this.#text;
    const length = name.length;
    if (from + length > end) return false;
    for (let at = 0; at < length; at++) {
      if (text.charCodeAt(from + at) !== name.charCodeAt(at)) return false;
    }
    return from + length === end || text.slice(from + length, end).trim() === '';
  }

  /** Names are few and are met again and again, so each is kept once. */
  #nameOf(from: number, end: number, hash: number): Name {
    const known = this.#names.get(hash);
    if (known !== undefined) {
      for (const name of known) {
        if (name.full.length === end - from && this.#isNamed(name.full, from, end)) return name;
      }
    }
    const full = this.#text.slice(from, end);
    if (++this.#nameCount > MOST_NAMES) throw new XmlError('it has too many names of elements');
    const local = full.slice(full.indexOf(':') + 1);
    const name = { full, code: Object.hasOwn(this.#codes, local) ? this.#codes[local]! : 0 };
    this.#names.set(hash, [...(known ?? []), name]);
    return name;
  }

  /** Text up to the next tag, or to the end of the piece; false when the rest has to wait for more. */
  #readText(): boolean {
    const text = this.#text;
    const from = this.#at;
    let end = from;
    let plain = true;
    for (let code = text.charCodeAt(end); code !== LESS && end < text.length; code = text.charCodeAt(++end)) {
      if (code === AMPERSAND || code === RETURN) plain = false;
    }
    if (end === text.length && !plain) end = wholeTextEnd(text, from);
    this.#at = end;
    if (end === from) return false;
    if (this.#open.length === 0) {
      if (text.slice(from, end).trim() !== '') throw new XmlError('there is text outside its tags');
    } else if (this.#handler.wantsText()) {
      const raw = text.slice(from, end);
      this.#handler.text(plain ? raw : decodeReferences(raw));
    }
    return true;
  }

  /** The beginning of a comment, an instruction or a CDATA section; false when it has not come whole. */
  #special(next: number): boolean {
    const text = this.#text;
    const starts: [string, string][] = next === QUESTION ? [['<?', '?>']] : SPECIALS;
    for (const [start, until] of starts) {
      if (!text.startsWith(start, this.#at)) continue;
      this.#at += start.length;
      this.#until = until;
      return true;
    }
    if (text.length - this.#at < LONGEST_START) return false;
    const isDtd = text.startsWith('<!DOCTYPE', this.#at);
    throw new XmlError(isDtd ? 'it has a DTD' : `"${text.slice(this.#at, this.#at + 10)}" begins no tag`, isDtd);
  }

  /** Skips to the end of what has begun; the text of a CDATA section is text. False when the end has not come. */
  #skip(): boolean {
    const until = this.#until;
    const found = this.#text.indexOf(until, this.#at);
    const end = found < 0 ? Math.max(this.#at, this.#text.length - until.length + 1) : found;
    const isText = until === CDATA_END && end > this.#at;
    if (isText && this.#open.length > 0 && this.#handler.wantsText()) {
      this.#handler.text(this.#text.slice(this.#at, end).replaceAll(/\r\n?/g, '\n'));
    }
    this.#at = end;
    if (found < 0) return false;
    this.#at += until.length;
    this.#until = '';
    return true;
  }
}

const CDATA_END = ']]>';
const SPECIALS: [string, string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', CDATA_END],
];
const LONGEST_START = '<![CDATA['.length;

/** Where a text that is not over can be cut: not within a reference, and not between CR and LF. */
function wholeTextEnd(text: string, from: number): number {
  const reference = text.lastIndexOf('&');
  if (reference >= from && text.length - reference < LONGEST_REFERENCE && !text.includes(';', reference))
    return reference;
  return text.endsWith('\r') ? text.length - 1 : text.length;
}
