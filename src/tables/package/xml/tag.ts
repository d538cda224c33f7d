import { decodeReferences } from './references.ts';
import { XmlError } from './xml-error.ts';

const [GREATER, SLASH, EQUALS, QUOTE, APOSTROPHE, LESS, COLON] = [62, 47, 61, 34, 39, 60, 58];
const MOST_ATTRIBUTES = 256;

/** A start tag in a text, with the places of its attributes: reading the same object anew for each tag allocates nothing. */
export class XmlTag {
  text = '';
  nameStart = 0;
  nameEnd = 0;
  /** Of the name. */
  hash = 0;
  /** Behind the tag. */
  end = 0;
  isEmpty = false;
  /** How many attributes there are; the other fields have their places in the text. */
  count = 0;
  readonly keyStarts = new Int32Array(MOST_ATTRIBUTES);
  readonly keyEnds = new Int32Array(MOST_ATTRIBUTES);
  readonly starts = new Int32Array(MOST_ATTRIBUTES);
  readonly ends = new Int32Array(MOST_ATTRIBUTES);

  /** Reads the tag that begins at this place; false when it is not whole. */
  read(text: string, start: number): boolean {
    this.text = text;
    this.count = 0;
    this.nameStart = start + 1;
    let at = this.#name(start + 1);
    if (at === start + 1 && at < text.length) throw new XmlError('a "<" is not written as "&lt;"');
    for (;;) {
      at = blanksEnd(text, at);
      const code = text.charCodeAt(at);
      if (code === GREATER) return this.#finish(at + 1, false);
      if (code === SLASH) {
        if (at + 1 >= text.length) return false;
        if (text.charCodeAt(at + 1) !== GREATER) throw new XmlError('a tag has a "/" inside');
        return this.#finish(at + 2, true);
      }
      at = this.#attribute(at);
      if (at < 0) return false;
    }
  }

  /** The value of an attribute by its name without a prefix, undefined when there is none. */
  attribute(name: string): string | undefined {
    for (let index = 0; index < this.count; index++) {
      const key = this.keyStarts[index]!;
      const from = this.keyEnds[index]! - name.length;
      const isLocal = from === key || (from > key && this.text.charCodeAt(from - 1) === COLON);
      if (isLocal && this.text.startsWith(name, from)) return this.value(index);
    }
    return undefined;
  }

  /** The value of the attribute with this number. */
  value(index: number): string {
    const value = this.text.slice(this.starts[index], this.ends[index]);
    return value.includes('&') ? decodeReferences(value) : value;
  }

  #finish(end: number, isEmpty: boolean): true {
    this.end = end;
    this.isEmpty = isEmpty;
    return true;
  }

  #name(from: number): number {
    const { text } = this;
    let at = from;
    let hash = 0;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === GREATER || code === SLASH || code <= 32) break;
      hash = (Math.imul(hash, 31) + code) | 0;
    }
    this.nameEnd = at;
    this.hash = hash;
    return at;
  }

  /** The end of the attribute that begins here; -1 when it is not whole. */
  #attribute(from: number): number {
    const { text } = this;
    let at = from;
    let code = text.charCodeAt(at);
    while (code !== EQUALS && code > 32 && code !== GREATER && code !== LESS) code = text.charCodeAt(++at);
    const keyEnd = at;
    at = blanksEnd(text, at);
    if (at >= text.length) return -1;
    if (text.charCodeAt(at) !== EQUALS || keyEnd === from) throw new XmlError('an attribute has no value');
    at = blanksEnd(text, at + 1);
    if (at >= text.length) return -1;
    const quote = text.charCodeAt(at);
    if (quote !== QUOTE && quote !== APOSTROPHE) throw new XmlError('an attribute has no quotes');
    const start = at + 1;
    let end = start;
    for (code = text.charCodeAt(end); code !== quote; code = text.charCodeAt(++end)) {
      if (end >= text.length) return -1;
    }
    if (this.count === MOST_ATTRIBUTES) throw new XmlError('a tag has too many attributes');
    this.keyStarts[this.count] = from;
    this.keyEnds[this.count] = keyEnd;
    this.starts[this.count] = start;
    this.ends[this.count++] = end;
    return end + 1;
  }
}

function blanksEnd(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || (code >= 9 && code <= 13); code = text.charCodeAt(at)) at++;
  return at;
}
