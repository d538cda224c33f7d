/** A file in an archive as 7-Zip lists it. */
export type ListedEntry = { name: string; size: number; isFolder: boolean; isLink: boolean; isEncrypted: boolean };

/** Kinds of archives that 7-Zip opens for us; RAR only where its part for that is installed. */
export type ArchiveKind = '7z' | 'rar';

/** What its programs are called. */
export const SEVEN_ZIP = ['7zz', '7z', '7za'];

/** Names are no patterns; it asks for a password on its standard input. */
const OPTIONS = ['-sccUTF-8', '-spd', '-bd', '-y'];

/** The words that ask for the list of an archive. Only the format by its signature is tried. */
export function asksForList(kind: ArchiveKind, archive: string): string[] {
  return ['l', '-slt', '-ba', ...OPTIONS, ...typeOf(kind), '--', archive];
}

/** The words that ask for the content of one entry on the standard output. */
export function asksForEntry(kind: ArchiveKind, archive: string, entry: string): string[] {
  return ['x', '-so', ...OPTIONS, ...typeOf(kind), '--', archive, entry];
}

/** RAR has two formats, which 7-Zip tells apart itself. */
function typeOf(kind: ArchiveKind): string[] {
  return kind === '7z' ? ['-t7z'] : [];
}

/** Reads the list: a block of facts for each entry, of which names cannot make others. Pure. */
export function listedEntries(text: string): ListedEntry[] {
  return text.split(/\n{2,}/u).flatMap((block) => {
    const facts = new Map<string, string>();
    for (const line of block.split('\n')) {
      const [, key, value] = /^([A-Z][A-Za-z ]{0,40}) = ?(.*)$/u.exec(line) ?? [];
      if (key !== undefined && !facts.has(key)) facts.set(key, value!);
    }
    const [name, size] = [facts.get('Path'), facts.get('Size')];
    if (name === undefined || size === undefined) return [];
    const attributes = facts.get('Attributes') ?? '';
    const isSet = (key: string) => !['', '-'].includes(facts.get(key) ?? '');
    return [
      {
        name: name.replaceAll('\\', '/'),
        size: Number(size),
        isFolder: isSet('Folder') || /^D| d[r-]/u.test(attributes),
        isLink: / l[r-]/u.test(attributes) || isSet('Symbolic Link') || isSet('Hard Link'),
        isEncrypted: isSet('Encrypted'),
      },
    ];
  });
}
