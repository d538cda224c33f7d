import { own } from '../../io/dictionary.ts';
import { canDecode } from '../../io/text-decode.ts';

/** A charset with the evidence for it. */
export type DetectedCharset = {
  charset: string;
  bom: boolean;
  sure: boolean;
  /** 0 to 1. */
  confidence: number;
  evidence: string[];
  /** Another charset that may be right when this one is not sure. */
  rival?: string;
};

/** A legacy charset that supplier files come in. */
export type Candidate = {
  /** WHATWG name where one exists, else the IANA name. */
  charset: string;
  /** The languages that it is used for. */
  languages: string[];
  /** Languages that it can write but is hardly used for. */
  guests?: string[];
  /** The logarithm of how likely a file is in this charset before anyone looked: it decides only where evidence is thin. */
  prior: number;
};

const CYRILLIC = ['ru', 'uk', 'be', 'bg', 'sr', 'mk'];
const WESTERN = ['de', 'fr', 'es', 'pt', 'it', 'sv', 'da', 'nb', 'fi', 'is', 'nl', 'ca'];
const CENTRAL = ['pl', 'cs', 'sk', 'hu', 'ro', 'hr', 'sl'];
const BALTIC = ['lt', 'lv', 'et'];
/** They can be written in the Baltic charsets, which were made for Poland and Denmark, too. */
const NEAR_BALTIC = ['pl', 'da'];

/** In the order of preference among charsets that read a file the same way. */
export const CANDIDATES: Candidate[] = [
  { charset: 'windows-1252', languages: WESTERN, guests: ['et'], prior: -0.5 },
  { charset: 'windows-1251', languages: CYRILLIC, prior: -0.5 },
  { charset: 'windows-1250', languages: CENTRAL, guests: ['de'], prior: -1.5 },
  { charset: 'windows-1254', languages: ['tr'], prior: -2 },
  { charset: 'windows-1257', languages: BALTIC, guests: NEAR_BALTIC, prior: -2.5 },
  { charset: 'iso-8859-2', languages: CENTRAL, guests: ['de'], prior: -3 },
  { charset: 'iso-8859-15', languages: WESTERN, guests: ['et'], prior: -3 },
  { charset: 'iso-8859-5', languages: CYRILLIC, prior: -4 },
  { charset: 'koi8-r', languages: CYRILLIC, prior: -3 },
  { charset: 'koi8-u', languages: ['uk', 'ru'], prior: -4.5 },
  { charset: 'ibm866', languages: CYRILLIC, prior: -2.5 },
  { charset: 'ibm850', languages: WESTERN, guests: ['et'], prior: -7 },
  { charset: 'ibm852', languages: CENTRAL, guests: ['de'], prior: -7 },
  { charset: 'x-mac-cyrillic', languages: CYRILLIC, prior: -5 },
  { charset: 'macintosh', languages: WESTERN, guests: ['et'], prior: -7.5 },
  { charset: 'gb18030', languages: ['zh'], prior: -2 },
  { charset: 'big5', languages: ['zh-Hant'], prior: -2.5 },
  { charset: 'shift_jis', languages: ['ja'], prior: -2 },
  { charset: 'euc-jp', languages: ['ja'], prior: -3 },
  { charset: 'euc-kr', languages: ['ko'], prior: -2.5 },
  { charset: 'windows-1253', languages: ['el'], prior: -3 },
  { charset: 'iso-8859-7', languages: ['el'], prior: -4 },
  { charset: 'windows-1255', languages: ['he'], prior: -3.5 },
  { charset: 'windows-1256', languages: ['ar', 'fa'], prior: -3.5 },
  { charset: 'iso-8859-6', languages: ['ar'], prior: -5 },
  { charset: 'windows-874', languages: ['th'], prior: -4 },
  { charset: 'windows-1258', languages: ['vi'], prior: -5 },
  { charset: 'iso-8859-13', languages: BALTIC, guests: NEAR_BALTIC, prior: -8 },
  { charset: 'ibm855', languages: CYRILLIC, prior: -6 },
  { charset: 'ibm857', languages: ['tr'], prior: -8 },
  { charset: 'ibm775', languages: BALTIC, guests: NEAR_BALTIC, prior: -8 },
  { charset: 'cp1125', languages: ['uk', 'be', 'ru'], prior: -6 },
  { charset: 'kz-1048', languages: ['kk', 'ru'], prior: -6 },
  { charset: 'ptcp154', languages: ['kk', 'ru'], prior: -7 },
  { charset: 'ibm869', languages: ['el'], prior: -9 },
  { charset: 'ibm737', languages: ['el'], prior: -8 },
  { charset: 'iso-8859-3', languages: ['mt', 'eo', 'tr'], prior: -7 },
  { charset: 'viscii', languages: ['vi'], prior: -10 },
  { charset: 'iso-8859-4', languages: ['lt', 'et'], prior: -9 },
  { charset: 'iso-8859-10', languages: ['lt', 'et'], prior: -10 },
  { charset: 'iso-8859-16', languages: ['pl', 'hu', 'hr', 'sl'], prior: -9 },
  { charset: 'maccenteuro', languages: [...CENTRAL, ...BALTIC], guests: ['de'], prior: -8 },
  { charset: 'maccroatian', languages: ['hr', 'sl'], prior: -9 },
  { charset: 'macromania', languages: ['ro'], prior: -9 },
  { charset: 'macgreek', languages: ['el'], prior: -9 },
  { charset: 'macturkish', languages: ['tr'], prior: -8 },
  { charset: 'maciceland', languages: ['is'], prior: -9 },
  { charset: 'cp861', languages: ['is'], prior: -9 },
  { charset: 'cp860', languages: ['pt'], prior: -9 },
  { charset: 'cp863', languages: ['fr'], prior: -9 },
];

/** How people write charsets in a setting, where it is neither a WHATWG label nor the name used here. */
const SPELLINGS: Record<string, string> = {
  cp866: 'ibm866',
  dos: 'ibm866',
  cp850: 'ibm850',
  cp852: 'ibm852',
  cp855: 'ibm855',
  cp857: 'ibm857',
  cp775: 'ibm775',
  maccyrillic: 'x-mac-cyrillic',
  'mac-cyrillic': 'x-mac-cyrillic',
  win1250: 'windows-1250',
  win1251: 'windows-1251',
  win1252: 'windows-1252',
};

/** Whether text in this charset can be shown: a binary file is no text, and some charsets are recognised only to be refused. */
export function isReadable(charset: string): boolean {
  return charset !== 'binary' && canDecode(charset);
}

/** The name that answers use for a charset that someone wrote into a setting. */
export function canonicalCharset(written: string): string {
  const name = written.trim().toLowerCase();
  const known = own(SPELLINGS, name) ?? name;
  try {
    return new TextDecoder(known).encoding;
  } catch {
    return known;
  }
}
