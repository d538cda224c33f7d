import type { KeptSentence } from './kept-sentence.ts';

/** Why a file is refused. */
export const FILES: KeptSentence[] = [
  [
    /^(?<name>.{1,500}) is encrypted\. (?:Ask for a file without a password|Save the workbook without a password and send it again)\.$/u,
    'kept.refusal.encrypted',
  ],
  [
    /^(?<name>.{1,500}) is encrypted: ".{0,300}" needs a password\. Ask for a file without one\.$/u,
    'kept.refusal.encrypted',
  ],
  [
    /^(?<name>.{1,500}) is encrypted: ".{0,300}" needs a password\. Set (?<setting>feeds\.\S{1,200}\.unpack\.password), or ask for a file without one\.$/u,
    'kept.refusal.needsPassword',
  ],
  [
    /^(?<name>.{1,500}) is encrypted, and the password in (?<setting>feeds\.\S{1,200}\.unpack\.password) does not open ".{0,300}"\. Set the one that the supplier uses\.$/u,
    'kept.refusal.wrongPassword',
  ],
  [
    /^(?<name>.{1,500}) cannot be decrypted: the password in (?<setting>feeds\.\S{1,200}\.unpack\.password) is wrong, or ".{0,300}" is damaged\. .+$/u,
    'kept.refusal.wrongPassword',
  ],
  [
    /^(?<name>.{1,500}) is encrypted with PGP\. Set (?<setting>feeds\.\S{1,200}\.unpack\.pgp\.key), or ask for a file that is not encrypted\.$/u,
    'kept.refusal.needsKey',
  ],
  [
    /^(?<name>.{1,500}) is encrypted with PGP, and the passphrase in (?<setting>feeds\.\S{1,200}\.unpack\.pgp\.passphrase) is wrong or missing\. Set the one of the key\.$/u,
    'kept.refusal.wrongPassphrase',
  ],
  [
    /^(?<name>.{1,500}) is encrypted for (?<keys>.{1,200}); .{1,300}\. Send the supplier the public key that belongs to yours\.$/u,
    'kept.refusal.wrongKey',
  ],
  [
    /^(?<name>.{1,500}) (?:is a PGP message|has to be signed), but (?:.{1,500} \()?(?<setting>feeds\.\S{1,200}\.unpack\.pgp\.(?:key|signedBy))\)? holds no (?:private|public) key that gpg can read\. .+$/u,
    'kept.refusal.badKey',
  ],
  [
    /^(?<name>.{1,500}) was not used\. .{1,300}, and (?<setting>feeds\.\S{1,200}\.unpack\.pgp\.signedBy) demands a signature(?: of .{1,200})?\. Ask the supplier who sent it\.$/u,
    'kept.refusal.unsigned',
  ],
  [/^(?<name>.{1,500}) is a damaged or truncated PGP message\. Ask for the file again\.$/u, 'kept.refusal.brokenPgp'],
  [
    /^(?<name>.{1,500}) is .{1,100}, which needs a program that is not on this machine\. Install (?<program>.{1,200}), and run the feed again\.$/u,
    'kept.refusal.noProgram',
  ],
  [
    /^(?<name>.{1,500}) must contain exactly one text file\. Its entries: (?<names>.+)\. Choose one with feeds\.NAME\.entry(?:, or read several as one list with feeds\.NAME\.entries)?\.$/u,
    'kept.refusal.severalEntries',
  ],
  [
    /^(?<name>.{1,500}) has no entry that matches "(?<pattern>.*)" \(feeds\.NAME\.entry\)\. Its entries: (?<names>.+)\.$/u,
    'kept.refusal.noEntry',
  ],
  [
    /^(?<name>.{1,500}) has no entry that matches (?<pattern>".*") \(feeds\.NAME\.entries\), so nothing of it was taken\. Its entries: (?<names>.+)\.$/u,
    'kept.refusal.noEntries',
  ],
  [/^(?<name>.{1,500}) contains no files that can be read as lists\.$/u, 'kept.refusal.noLists'],
  [
    /^In (?<name>.{1,500}): (?<file>.{1,500}) has no column for (?<column>.{1,100}), which other files of the delivery have \((?<names>.+)\), so nothing of it was taken\. Name its column under feeds\.NAME\.columns\..{1,100}, or ask the supplier for this file again\.$/u,
    'kept.refusal.fileLacks',
  ],
  [
    /^In (?<name>.{1,500}): (?<file>.{1,500}) has no header and (?<own>.{1,30}) columns, while (?<other>.{1,500}) has (?<theirs>.{1,30}), so nothing of it was taken\. Ask the supplier for this file with a header\.$/u,
    'kept.refusal.fileNoHeader',
  ],
  [
    /^In (?<name>.{1,500}): (?<file>.{1,500}) has no column (?<column>.{1,100}) \(feeds\.(?:NAME|\S{1,200})\.join\.partners\..{1,200}\.bring; (?<names>.+)\), so nothing of it was taken\. Correct the setting, or ask the supplier for this file again\.$/u,
    'kept.refusal.joinedLacks',
  ],
  [
    /^In (?<name>.{1,500}): (?<file>.{1,500}) has no columns but those that are compared, so there is nothing to join\. Ask the supplier for the right file\.$/u,
    'kept.refusal.joinedNothing',
  ],
  [
    /^In (?<name>.{1,500}): .{1,4000}, so nothing of it was taken \(feeds\.\S{1,200}\.join\)\.$/u,
    'kept.refusal.joinedFiles',
  ],
  [
    /^In (?<name>.{1,500}): .{1,4000}, so nothing of the delivery was taken\. Ask the supplier whether it is the right file, and see feeds\.\S{1,200}\.join\.on and feeds\.\S{1,200}\.join\.partners\..{1,200}\.$/u,
    'kept.refusal.joinedOther',
  ],
  [
    /^(?<file>.{1,500}) brings more than 4 GB of values to the list\. Name the columns that are needed: feeds\.\S{1,200}\.join\.partners\.NAME\.bring\.$/u,
    'kept.refusal.joinedMuch',
  ],
  [
    /^The files that are joined have more parts than fit into 4 GB of memory\. Ask the supplier for one file that has these columns\.$/u,
    'kept.refusal.joinedParts',
  ],
  [
    /^(?<name>.{1,500}) has a line of more than (?<count>.{1,30}) characters \(limits\.rowLength\), so it cannot be joined\. Send it with line ends\.$/u,
    'kept.refusal.joinedLine',
  ],
  [
    /^(?<name>.{1,500}) has cells over several lines and lines that end with CR, so it cannot be joined\. Send it with other line ends\.$/u,
    'kept.refusal.joinedReturns',
  ],
  [
    /^(?<name>.{1,500}) has more than (?<limit>.{1,30}) bytes once its files are joined \(limits\.fileSize\)\. Join fewer columns with bring, or ask for shorter cells\.$/u,
    'kept.refusal.joinedLarge',
  ],
  [
    /^In (?<file>.{1,500}): It is not certain which column has the (?:article number|brand), by which files are joined\. .+ Name the column under (?<setting>feeds\.\S{1,300}?)(?:, or join by the number alone \(on: \[oem\]\))?\.$/u,
    'kept.unsure.joined',
  ],
  [
    /^In (?<file>.{1,500}): (?:Several sheets hold offers|It is not certain which part of the file is the list of offers).+ Ask the supplier to send the one that is meant in a file of its own: no setting chooses among the tables of a file that is joined\.$/u,
    'kept.unsure.joinedTables',
  ],
  [
    /^(?<name>.{1,500}) has no sheet (?<sheet>.{1,100}) \(feeds\.NAME\.sheet\)\. Its sheets: (?<names>.+)\.$/u,
    'kept.refusal.noSheet',
  ],
  [
    /^(?<name>.{1,500}) is (?:a broken or truncated zip file: .+|damaged: the checksum of ".*" is wrong|damaged: ".{0,300}" (?:was changed after it was encrypted|cannot be decrypted, [^.]{1,60})|not a valid zip file: .+)\.(?: Ask for the file again\.)?$/u,
    'kept.refusal.brokenZip',
  ],
  [
    /^(?<name>.{1,500}) is (?:a broken gzip file: .+|truncated: the gzip data ends too early)\. Ask for the file again\.$/u,
    'kept.refusal.brokenGzip',
  ],
  [
    /^(?<name>.{1,500}) is (?:a broken or truncated workbook: .+\. Ask for the file again|a damaged or cut-off workbook\. Open it in Excel, save it as \.xlsx and send it again|a damaged (?:spreadsheet|workbook).+)\.$/u,
    'kept.refusal.brokenWorkbook',
  ],
  [
    /^(?<name>.{1,500}) is broken XML at line (?<line>\d+), column (?<column>\d+): .+\. Ask for a file that an XML program can open, and send it again\.$/u,
    'kept.refusal.brokenXml',
  ],
  [
    /^(?<name>.{1,500}) is broken XML: it has an "&" in or after line (?<line>\d+) that is not written as &amp;\. Ask for a file that an XML program can open, and send it again\.$/u,
    'kept.refusal.brokenAmpersand',
  ],
  [
    /^(?<name>.{1,500}) is broken JSON(?: at line (?<line>\d+), column (?<column>\d+))?: .+\. Ask for a file that a JSON program can open\.$/u,
    'kept.refusal.brokenJson',
  ],
  [
    /^(?<name>.{1,500}) is a web page that is cut: .+ \(line (?<line>\d+)\), so its rest is missing\. Ask for the whole file, and send it again\.$/u,
    'kept.refusal.cutPage',
  ],
  [
    /^(?<name>.{1,500}) is a web page without a table of at least two rows and two columns\. It may be an error or login page: check whether the download needs a login\.$/u,
    'kept.refusal.noTable',
  ],
  [
    /^(?<name>.{1,500}) is not whole: it ends with an error of the program that wrote it \(“(?<quoted>.*)”\)\. Ask the supplier to export it again\.$/u,
    'kept.refusal.cutList',
  ],
  [/^(?<name>.{1,500}) is empty\.$/u, 'kept.refusal.empty'],
  [
    /^(?<name>.{1,500}) has (?:more than )?(?<bytes>[\d,]+) bytes; limits\.fileSize allows .+\. Raise the limit if the file is right\.$/u,
    'kept.refusal.tooLarge',
  ],
  [/^(?<name>.{1,500}) has (?<bytes>[\d,]+) bytes, more than .+ \(limits\.fileSize\)\.$/u, 'kept.refusal.tooLarge'],
  [
    /^(?<name>.{1,500}) (?:sent a file that )?unpacks to more than (?<count>[\d,]+) times its (?:packed|transferred) size \(limits\.unpackRatio\), like an archive bomb\. It was not used\.$/u,
    'kept.refusal.bomb',
  ],
  [
    /^(?<name>.{1,500}) takes longer than .{1,40} to read \(limits\.readTime\)\. Send the list alone, in fewer rows and columns\.$/u,
    'kept.refusal.tooLong',
  ],
  [
    /^(?<name>.{1,500}) takes more than (?<count>[\d,]+) MB of memory to read, the most that a file may take\. Send the list alone, as CSV if it is a workbook\.$/u,
    'kept.refusal.tooMuchMemory',
  ],
  [
    /^The table has (?<columns>[\d,]+) columns or more, but at most (?<count>[\d,]+) are read, as many as a sheet can have\. Delete the empty columns behind the list, or end its lines, and send the file again\.$/u,
    'kept.refusal.fewerColumns',
  ],
  [
    /^Line (?<line>\d+) of (?<name>.+) is broken JSON: .+\. Each line has to be one object\.$/u,
    'kept.refusal.brokenLine',
  ],
  [/^The records of (?<name>.+) have more than (?<count>[\d,]+) different fields\. .+$/u, 'kept.refusal.manyFields'],
  [
    /^The sheet "(?<name>.{0,100})" of .{1,300} (?:has more than [\d,]+ empty cells|repeats rows and columns to more than [\d,]+ cells)\. .+$/u,
    'kept.refusal.manyCells',
  ],
  [
    /^The tables of the file have more than [\d,]+ cells, most of them empty\. Delete the empty columns and send the (?<name>file) again\.$/u,
    'kept.refusal.manyCells',
  ],
  [
    /^The (?:sheets of the workbook|tables of the file) are more than (?<bytes>[\d,]+) bytes of text \(limits\.fileSize\)\.(?: Send fewer rows\.)?$/u,
    'kept.refusal.textTooLarge',
  ],
  [
    /^(?:The table of )?(?<name>.{1,300}?) has (?:more columns than a sheet can have \(row \d+\)|more merged cells than a list can have(?: \(row \d+\))?|a tag or comment that does not end, so its table cannot be read|an element with more than [\d,]+ attributes, so its table cannot be read|elements more than [\d,]+ deep in one another, so its table cannot be read|more .{1,40}s than a sheet can have \(row \d+\)|.{1,40}s whose indexes do not rise \(row \d+\))\. Save .+$/u,
    'kept.refusal.badTable',
  ],
  [/^The values of (?<name>.+) lie in one another more than [\d,]+ deep\.$/u, 'kept.refusal.tooDeep'],
  [
    /^(?<name>.{1,500}) changed while it was (?:read|being read)\. Try again when (?:nothing writes to it any more|it is complete)\.$/u,
    'kept.refusal.changed',
  ],
  [/^(?<name>.{1,500}) compresses .{1,300} with a method that is not supported \(\d+\)\. .+$/u, 'kept.refusal.method'],
  [/^(?<name>.{1,500}) is .{1,100} that is packed by a method that is not supported\. .+$/u, 'kept.refusal.method'],
  [
    /^(?<name>.{1,500}) is a broken or truncated .{1,20} archive: .{1,300}\. Ask for the file again\.$/u,
    'kept.refusal.brokenArchive',
  ],
  [/^(?<name>.{1,500}) contains no files\.$/u, 'kept.refusal.noFiles'],
  [
    /^(?<name>.{1,500}) declares (?:no encoding, which means UTF-8|the (?:charset|encoding) .+?), (?:but .+|which is unknown)\. .+$/u,
    'kept.refusal.encoding',
  ],
  [
    /^(?<name>.{1,500}), but (?:its characters are single bytes|line \d+ has bytes that are not UTF-8)\. .+$/u,
    'kept.refusal.encoding',
  ],
  [
    /^(?<name>.{1,500}) is a web page that declares no charset and is not UTF-8\. Set dialect\.charset to what it is, such as windows-1251\.$/u,
    'kept.refusal.encoding',
  ],
  [
    /^(?<name>.{1,500}) has a document type declaration \(<!DOCTYPE>, line \d+\), which offerline does not read\. Send the file without it\.$/u,
    'kept.refusal.dtd',
  ],
  [
    /^(?<name>.{1,500}) is refused: .{1,300} has a document type definition \(DTD\), which no (?:spreadsheet|workbook) needs\. .+$/u,
    'kept.refusal.dtd',
  ],
  [
    /^(?<name>.{1,500}) has (?:a symbolic link instead of a file|an entry whose path leads out of the archive): ".*"\.$/u,
    'kept.refusal.badEntry',
  ],
  [
    /^(?<name>.{1,500}) has more than two layers of archives\. Pack the price list only once\.$/u,
    'kept.refusal.layers',
  ],
  [
    /^(?<name>.{1,500}) has more than [\d,]+ (?:MB|bytes|entries \(limits\.zipEntries\)|parts)\. .+$/u,
    'kept.refusal.sizes',
  ],
  [/^(?<name>.{1,500}) is larger than the limit of [\d,]+ MB\. Send it in parts\.$/u, 'kept.refusal.sizes'],
  [/^(?<name>.{1,500}) unpacks to more than [\d,]+ bytes(?: \(limits\.unpackedSize\))?\. .+$/u, 'kept.refusal.sizes'],
  [/^.{1,300} of (?<name>.{1,300}) unpacks to more than .+\. .+$/u, 'kept.refusal.sizes'],
  [/^(?<name>.{1,500}) is a web archive \(MHTML\) of more than [\d,]+ bytes\. .+$/u, 'kept.refusal.sizes'],
  [/^(?<name>.{1,500}) has no records at .+ \(the setting records\)\..*$/u, 'kept.refusal.noRecords'],
  [/^The setting (?<name>records): .+ is no path\. .+$/u, 'kept.refusal.noRecords'],
  [
    /^(?<name>.{1,500}) is XML \(<.*>\) in which no element with fields repeats, so it is no list\. .+$/u,
    'kept.refusal.noList',
  ],
  [
    /^(?<name>.{1,500}) is (?:JSON|a JSON array).* in which no array has objects with fields\. .+$/u,
    'kept.refusal.noList',
  ],
  [
    /^(?<name>.{1,500}) is (?:a spreadsheet without a sheet|a workbook without a sheet(?: of cells)?|an empty workbook: no sheet has a row|a web archive \(MHTML\) without a table|an old Office file without a workbook|an OpenDocument file, but no spreadsheet|no Excel workbook: it has no part .+|a workbook of Excel 4 or older|a binary workbook \(XLSB\))[.;].*$/u,
    'kept.refusal.noSheets',
  ],
  [
    /^(?<name>.{1,500}) is broken XML: after the tag in line (?<line>\d+) come more than .+ characters without another\. .+$/u,
    'kept.refusal.brokenTag',
  ],
  [/^(?<name>.{1,500}) uses an entity in line (?<line>\d+) that XML does not know; .+$/u, 'kept.refusal.entity'],
  [
    /^(?<name>.{1,500}) takes (?:longer than .+ seconds|more than .+ MB of memory) to read\. Save it as \.xlsx and send it again\.$/u,
    'kept.refusal.tooSlow',
  ],
  [
    /^The rows of changes are marked in the column "(?<column>.{1,200})", which (?<name>.{1,500}) (?:does not have|has several times) \(.+\), so nothing of it was taken\. Name the column as the supplier does, or by its position, in feeds\..{1,100}\.change\.column\.$/u,
    'kept.refusal.changeColumn',
  ],
  [
    /^(?<name>.{1,500}) may be a full list or changes: its name fits both patterns of feeds\.(?<feed>.{1,100})\.delivery, or neither, so nothing of it was taken\. Correct the patterns, or give the file a name that fits one of them\.$/u,
    'kept.refusal.kindUnknown',
  ],
];
