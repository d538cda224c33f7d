/**
 * What suppliers read, in English: in the workbook with their mistakes, and in the mail that brings it. One catalogue in this form
 * for each language is all that another language needs.
 */
const ENGLISH = {
  'sheet.first': 'Read me',
  'first.title': '{name}: rows to correct',
  'first.sandbox': 'SANDBOX: this is a trial, nothing of it is real.',
  'first.what.one':
    '{count} of the {read} rows of your file has a mistake, so it is not offered, or not as you meant it.',
  'first.what.many':
    '{count} of the {read} rows of your file have mistakes, so they are not offered, or not as you meant them.',
  'first.what.file': 'Your file could not be used as it is.',
  'first.where.one':
    'The next sheet shows these rows only, with your own columns: red cells cost the row, yellow ones are doubtful, and each comment says what is wrong and what to do.',
  'first.where.many':
    'The next sheets show these rows only, with your own columns: red cells cost the row, yellow ones are doubtful, and each comment says what is wrong and what to do.',
  'first.send':
    'Please correct them in your own file and send the complete list again: a file with these rows alone would remove all your other parts.',
  'first.cut.rows': 'More rows have mistakes; only the first {count} are shown here.',
  'first.cut.cells':
    'Cells with more than 32,767 characters and columns beyond 16,384 do not fit into a workbook and are cut here.',
  'first.cut.missing.one': '{count} row could not be found again in your file and is not shown.',
  'first.cut.missing.many': '{count} rows could not be found again in your file and are not shown.',
  'head.cause': 'What is wrong',
  'head.remedy': 'What to do',
  'head.column': 'Column',
  'head.rows': 'Rows',
  'head.places': 'For example',
  'place.line': 'line {line}',
  'place.sheet': '{sheet}, row {line}',
  'comment.line': 'Line {line} of your file',
  'comment.sheet': 'Row {line} of the sheet {sheet}',

  'mail.subject.one': '{name}: {count} row to correct',
  'mail.subject.many': '{name}: {count} rows to correct',
  'mail.subject.file': '{name} could not be used',
  'mail.subject.full': '{name}: please send the complete list',
  'mail.full.one':
    'It has {count} row only and seems to be the corrected part of your list. Every file replaces the whole list before it, so we have not used this one.',
  'mail.full.many':
    'It has {count} rows only and seems to be the corrected part of your list. Every file replaces the whole list before it, so we have not used this one.',
  'mail.full.send': 'Please send us the complete list with the corrections in it.',
  'mail.greeting': 'Dear {name},',
  'mail.received': 'Thank you for {name}, which we received on {date}.',
  'mail.attached':
    'The attached workbook shows these rows with your own columns; the comments in the coloured cells say what is wrong and what to do.',
  'mail.attached.file': 'The attached workbook says what is wrong and what to do.',
  'mail.send':
    'Please make the corrections in your own file and send us the complete list again, not only the corrected rows: parts that are missing in the list are no longer offered.',
  'mail.causes': 'What is wrong:',
  'mail.more': 'and {count} more; all are in the workbook',
  'mail.thanks': 'Thank you, and kind regards',

  'cause.file-empty': 'The file is empty.',
  'remedy.file-empty': 'Export the list again.',
  'cause.no-rows': 'The file has a header and no rows.',
  'remedy.no-rows': 'Export the list again.',
  'cause.column-missing': 'A column that is needed is missing, or its name is not known.',
  'remedy.column-missing': 'Add the column, or name it in the header row: {column}.',
  'cause.brand-empty': 'The brand is missing.',
  'remedy.brand-empty': 'Write the maker of the part.',
  'cause.oem-empty': 'The article number is missing.',
  'remedy.oem-empty': 'Write the article number.',
  'cause.value-empty': 'This cell must not be empty.',
  'remedy.value-empty': 'Fill it in.',
  'cause.too-many-tags': 'There are more tags than the 20 that are allowed.',
  'remedy.too-many-tags': 'Keep at most 20 of them.',
  'cause.wrong-cell-count': 'The row has more or fewer cells than the header.',
  'remedy.wrong-cell-count':
    'Give it as many cells as the header has, and put quotation marks around a cell that contains the delimiter.',
  'cause.unclosed-quote': 'A quotation mark is opened and never closed.',
  'remedy.unclosed-quote': 'Close it, or double a quotation mark that is part of the text.',
  'cause.row-too-long': 'The row is too long; a line end is probably missing.',
  'remedy.row-too-long': 'Export the list again.',
  'cause.cell-too-long': 'The text is too long.',
  'remedy.cell-too-long': 'Shorten it.',
  'cause.undecodable': 'Some characters are damaged and cannot be read.',
  'remedy.undecodable': 'Write them again, or export the list as UTF-8.',
  'cause.other-header': 'Another table with other columns begins here.',
  'remedy.other-header': 'Send one table in each file, or use the same columns throughout.',
  'cause.cells-swapped': 'The brand and the article number seem to be swapped.',
  'remedy.cells-swapped': 'Put each into its own column.',
  'cause.mostly-skipped': 'Most lines have a single filled cell.',
  'remedy.mostly-skipped': 'The file seems to be damaged: export the list again.',
  'cause.heading-run': 'Many lines in a row have a single filled cell.',
  'remedy.heading-run': 'Check whether their other cells were lost.',
  'cause.duplicate': 'The same part stands further up in your list; only its first row counts.',
  'remedy.duplicate': 'Keep one row for each part.',
  'cause.scientific-notation': 'A spreadsheet has shortened this number, and its last digits are lost.',
  'remedy.scientific-notation': 'Format the column as text and write the whole number.',
  'cause.number-became-date': 'A spreadsheet has turned this number into a date.',
  'remedy.number-became-date': 'Format the column as text and write the number again.',
  'cause.leading-zero-lost': 'The number has lost the zeros at its beginning.',
  'remedy.leading-zero-lost': 'Format the column as text and write the number with its zeros.',
  'cause.spreadsheet-error': 'A formula has failed here.',
  'remedy.spreadsheet-error': 'Correct the formula, or write the value.',
  'cause.lookalike-letters':
    'The cell mixes Latin and Cyrillic letters that look the same, so nobody who types it finds it.',
  'remedy.lookalike-letters': 'Type it again in one alphabet.',
  'cause.mojibake': 'The text is garbled: it was saved in one charset and read in another.',
  'remedy.mojibake': 'Write it again, or export the list as UTF-8.',
  'cause.control-character': 'The cell contains invisible characters.',
  'remedy.control-character': 'Type it again.',
  'cause.refused': 'Our parts search does not accept this row: {message}',
  'remedy.refused': 'Correct it. If it is right as it is, please tell us.',
  'cause.unknown': '{message}',
  'remedy.unknown': 'Correct it. If it is right as it is, please tell us.',
  'cause.others': 'Other mistakes',
  'remedy.others': 'See the comments.',
} as const;

export type WordKey = keyof typeof ENGLISH;

/** A text in two forms, for one thing and for more. */
type CountedKey = WordKey extends infer Key ? (Key extends `${infer Base}.one` ? Base : never) : never;

/** A text for suppliers with its facts filled in; whole numbers are grouped as people read them. */
export function words(key: WordKey, facts: Record<string, string | number> = {}): string {
  return ENGLISH[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const fact = facts[name] ?? '';
    return typeof fact === 'number' ? fact.toLocaleString('en') : fact;
  });
}

/** A text that speaks of a number of things, which is its fact `count`. */
export function countedWords(key: CountedKey, count: number, facts: Record<string, string | number> = {}): string {
  return words(`${key}.${count === 1 ? 'one' : 'many'}`, { ...facts, count });
}

/** Whether there is a text of this name. */
export function isWordKey(key: string): key is WordKey {
  return Object.hasOwn(ENGLISH, key);
}
