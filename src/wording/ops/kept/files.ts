import type { KeptSentence } from './kept-sentence.ts';

/** Why a file is refused. */
export const FILES: KeptSentence[] = [
  [
    /^(?<name>.+) is encrypted\. (?:Ask for a file without a password|Save the workbook without a password and send it again)\.$/u,
    'kept.refusal.encrypted',
  ],
  [/^(?<name>.+) is encrypted: ".*" needs a password\. Ask for a file without one\.$/u, 'kept.refusal.encrypted'],
  [
    /^(?<name>.+) must contain exactly one text file\. Its entries: (?<names>.+)\. Choose one with feeds\.NAME\.entry\.$/u,
    'kept.refusal.severalEntries',
  ],
  [
    /^(?<name>.+) has no entry that matches "(?<pattern>.*)" \(feeds\.NAME\.entry\)\. Its entries: (?<names>.+)\.$/u,
    'kept.refusal.noEntry',
  ],
  [
    /^(?<name>.+) has no sheet (?<sheet>.+) \(feeds\.NAME\.sheet\)\. Its sheets: (?<names>.+)\.$/u,
    'kept.refusal.noSheet',
  ],
  [
    /^(?<name>.+) is (?:a broken or truncated zip file: .+|damaged: the checksum of ".*" is wrong|not a valid zip file: .+)\.(?: Ask for the file again\.)?$/u,
    'kept.refusal.brokenZip',
  ],
  [
    /^(?<name>.+) is (?:a broken gzip file: .+|truncated: the gzip data ends too early)\. Ask for the file again\.$/u,
    'kept.refusal.brokenGzip',
  ],
  [
    /^(?<name>.+) is (?:a broken or truncated workbook: .+\. Ask for the file again|a damaged or cut-off workbook\. Open it in Excel, save it as \.xlsx and send it again|a damaged (?:spreadsheet|workbook).+)\.$/u,
    'kept.refusal.brokenWorkbook',
  ],
  [
    /^(?<name>.+) is broken XML at line (?<line>\d+), column (?<column>\d+): .+\. Ask for a file that an XML program can open, and send it again\.$/u,
    'kept.refusal.brokenXml',
  ],
  [
    /^(?<name>.+) is broken XML: it has an "&" in or after line (?<line>\d+) that is not written as &amp;\. Ask for a file that an XML program can open, and send it again\.$/u,
    'kept.refusal.brokenAmpersand',
  ],
  [
    /^(?<name>.+) is broken JSON(?: at line (?<line>\d+), column (?<column>\d+))?: .+\. Ask for a file that a JSON program can open\.$/u,
    'kept.refusal.brokenJson',
  ],
  [
    /^(?<name>.+) is a web page that is cut: .+ \(line (?<line>\d+)\), so its rest is missing\. Ask for the whole file, and send it again\.$/u,
    'kept.refusal.cutPage',
  ],
  [
    /^(?<name>.+) is a web page without a table of at least two rows and two columns\. It may be an error or login page: check whether the download needs a login\.$/u,
    'kept.refusal.noTable',
  ],
  [
    /^(?<name>.+) is not whole: it ends with an error of the program that wrote it \(“(?<quoted>.*)”\)\. Ask the supplier to export it again\.$/u,
    'kept.refusal.cutList',
  ],
  [/^(?<name>.+) is empty\.$/u, 'kept.refusal.empty'],
  [
    /^(?<name>.+) has (?:more than )?(?<bytes>[\d,]+) bytes; limits\.fileSize allows .+\. Raise the limit if the file is right\.$/u,
    'kept.refusal.tooLarge',
  ],
  [/^(?<name>.+) has (?<bytes>[\d,]+) bytes, more than .+ \(limits\.fileSize\)\.$/u, 'kept.refusal.tooLarge'],
  [
    /^(?<name>.+) (?:sent a file that )?unpacks to more than (?<count>[\d,]+) times its (?:packed|transferred) size \(limits\.unpackRatio\), like an archive bomb\. It was not used\.$/u,
    'kept.refusal.bomb',
  ],
  [
    /^(?<name>.+) takes longer than .+ to read \(limits\.readTime\)\. Send the list alone, in fewer rows and columns\.$/u,
    'kept.refusal.tooLong',
  ],
  [
    /^(?<name>.+) takes more than (?<count>[\d,]+) MB of memory to read, the most that a file may take\. Send the list alone, as CSV if it is a workbook\.$/u,
    'kept.refusal.tooMuchMemory',
  ],
  [
    /^The table has (?<columns>[\d,]+) columns or more, but at most (?<count>[\d,]+) are read, as many as a sheet can have\. Delete the empty columns behind the list, or end its lines, and send the file again\.$/u,
    'kept.refusal.fewerColumns',
  ],
];
