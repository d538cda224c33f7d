import type { Severity } from '../../model.ts';

type IssueKind = {
  title: string;
  /** What it means and what to do about it; Markdown for docs/reference/issues.md. */
  description: string;
  severity: Severity;
  /** The message with named placeholders; `createIssue` requires a fact for each. */
  message: string;
};

/** Every issue that reading a supplier's file can find; docs/reference/issues.md is generated from it. */
export const ISSUES = {
  'file-empty': {
    title: 'The file is empty',
    description: 'The file has no text at all. Ask the supplier to send it again.',
    severity: 'error',
    message: 'The file is empty. Ask the supplier to send it again.',
  },
  'no-rows': {
    title: 'No rows below the header',
    description:
      'The file has a header and nothing else, so there is nothing to upload. The last good data stays live.',
    severity: 'error',
    message: 'The file has a header (line {line}) but no rows. Ask the supplier to send it again.',
  },
  'column-missing': {
    title: 'A required column is missing',
    description:
      'No column has a name that is known for it, and none looks like it, so the whole file is rejected. Say which one it is: ' +
      'for the header of a run with `offerline approve RUN --columns KEY=COLUMN --reason TEXT`, or for all files of the feed ' +
      'by its name or position in `feeds.NAME.columns`; or set a value for the column in `feeds.NAME.defaults`. Names are ' +
      'compared without case, spaces, underscores and quotes. Brand, number, name and tags are also known by the usual ' +
      'names in many languages.',
    severity: 'error',
    message: 'The column "{column}" is missing. It is known by {accepted}. Columns of the file: {found}. {advice}',
  },
  'column-ambiguous': {
    title: 'Several columns match one setting',
    description:
      'More than one column of the header has an accepted spelling. The first one is used. To use another one, set its ' +
      'position under `feeds.NAME.columns`.',
    severity: 'warning',
    message:
      'Several columns match "{column}": {found}. The first one is used; ' +
      'to use another one, set its position under feeds.NAME.columns.{column}.',
  },
  'signal-missing': {
    title: 'A column that is to be seen is missing',
    description:
      'No column has the name or the position that `feeds.NAME.signals` gives for prices or stock. The rows are uploaded all the ' +
      'same, but what is strange about them goes unnoticed, and `guard.maxPriceJump` or `guard.maxStockDrop` cannot hold them. ' +
      'Add the new name to the setting, or set `auto`.',
    severity: 'warning',
    message:
      'The column of feeds.NAME.signals.{column} is missing. It is set to {wanted}. Columns of the file: {found}. ' +
      'Its values are not watched. Add the right name under feeds.NAME.signals.{column}.',
  },
  'signal-ambiguous': {
    title: 'Several columns could be the one that is to be seen',
    description:
      'More than one column fits what `feeds.NAME.signals` says of prices or stock, so none of them is watched. Set the name ' +
      'of the right one, or its position where both have the same name.',
    severity: 'warning',
    message:
      'Several columns fit feeds.NAME.signals.{column} ({wanted}): {found}. None of them is watched; ' +
      'set the right one by its name or its position.',
  },
  'file-lacks-column': {
    title: 'A file lacks a column that others have',
    description:
      'The delivery has several files that are read as one list, and this one lacks a column that others of them have. The column is ' +
      'empty in the rows of this file. Ask the supplier whether it was left out by mistake; if it has another name there, add that ' +
      'under `feeds.NAME.columns`.',
    severity: 'warning',
    message: 'The file has no column for "{column}", which other files of the delivery have: it is empty in its rows.',
  },
  'structure-changed': {
    title: 'The columns have changed',
    description:
      'The supplier has renamed, moved, added or dropped columns since the delivery that is live. The file is read when the ' +
      'meaning of every required column is certain; otherwise the run is held. Check that the columns still mean the same; ' +
      'a name that is not known can be accepted with `offerline approve RUN --columns`, or set in `feeds.NAME.columns`.',
    severity: 'warning',
    message: 'The columns are not those of the live delivery: {changes}. Check that they still mean the same.',
  },
  'brand-empty': {
    title: 'The brand is empty',
    description: 'Nobody can find an offer without a brand, so the row is dropped. Fill in the cell.',
    severity: 'error',
    message: 'The brand is empty. Fill it in; rows without a brand are dropped.',
  },
  'oem-empty': {
    title: 'The article number is empty',
    description: 'Nobody can find an offer without an article number, so the row is dropped. Fill in the cell.',
    severity: 'error',
    message: 'The article number is empty. Fill it in; rows without a number are dropped.',
  },
  'value-empty': {
    title: 'A required cell is empty',
    description:
      'The column is marked `required` in the `offer.columns` settings, so the row is dropped. Fill in the cell.',
    severity: 'error',
    message: 'The required column "{column}" is empty. Fill it in; the row is dropped.',
  },
  'too-many-tags': {
    title: 'Too many tags',
    description:
      'The service refuses an offer with more than 20 tags. Tags are counted after trimming, and repeated tags only once. ' +
      'The row is dropped; with `onTooManyTags: truncate` the first 20 tags are kept and this is only a warning.',
    severity: 'error',
    message: 'The row has {count} tags, but at most {max} are allowed; {consequence}.',
  },
  'tag-with-separator': {
    title: 'A tag that would become two',
    description:
      'The tag contains the character that stands between tags in the uploaded file (`offer.tagSeparator`, a comma unless it is set), so ' +
      'the service would take it for two tags. The tag is left out; the row and its other tags are kept. Write the tag without ' +
      'that character. If it is two tags, put the mark between them that the list has between its other tags.',
    severity: 'warning',
    message:
      'The tag {tag} contains "{separator}", which stands between tags in the uploaded file, so it would become two; it is left out. ' +
      'Write it without that character.',
  },
  'several-numbers': {
    title: 'Several article numbers in one cell',
    description:
      'The cell holds several article numbers, such as `A00037,B00091`. Nobody searches for them together, so the row is ' +
      'dropped. Give each number a row of its own. Or say what such cells mean: with ' +
      '`feeds.NAME.numbers: { separator: ",", take: each }` each number becomes an offer, with `first` only the first one does, and with ' +
      '`whole` the cell is one number as it stands.',
    severity: 'error',
    message: '{what}, so the row is dropped. {remedy}.',
  },
  'wrong-cell-count': {
    title: 'Wrong number of cells',
    description:
      'The row has fewer or more cells than the header, so it is unclear which cell belongs to which column. The row is ' +
      'dropped. Often a cell contains the delimiter but is not quoted, or the line is a heading or a total. Empty cells ' +
      'at the end of a row are ignored.',
    severity: 'error',
    message:
      'The row has {cells} instead of {expected}. Quote cells that contain the delimiter, and give every row all its cells.',
  },
  'unclosed-quote': {
    title: 'A quote is never closed',
    description:
      'A cell begins with a quotation mark that is never closed. The line is dropped, and reading continues with the ' +
      'next line. Close the quote, or double a quotation mark that is part of the text (`"5"" hose"`). In place of a ' +
      'ditto mark, which stands for the value above, write the value.',
    severity: 'error',
    message:
      'A quote that opens in this line is never closed. Close it, or double a quotation mark that is part of the text.',
  },
  'row-too-long': {
    title: 'The row is too long',
    description:
      'The row is longer than `limits.rowLength` allows and is dropped; the rows after it are read. The file is probably ' +
      'damaged here, often because a line end is missing.',
    severity: 'error',
    message: 'The row has {count} characters, but at most {max} (limits.rowLength) are allowed. The row is dropped.',
  },
  'cell-too-long': {
    title: 'The cell is too long',
    description: 'The cell is longer than `limits.cellLength` allows, so the row is dropped. Shorten the text.',
    severity: 'error',
    message: 'The cell has {count} characters, but at most {max} (limits.cellLength) are allowed. Shorten it.',
  },
  undecodable: {
    title: 'Bytes that are not text',
    description:
      'Some bytes are not valid in the charset of the file, or the file already contains replacement characters (�). The ' +
      'row is dropped. If many rows are affected, the charset is probably wrong: set `feeds.NAME.dialect.charset`, or of a file that ' +
      'is joined `feeds.NAME.join.partners.NAME.dialect.charset`.',
    severity: 'error',
    message:
      'The cell contains bytes that are not valid {charset}, or replacement characters (�). If many rows are affected, set ' +
      '{setting}; if the file itself has lost its letters, ask the supplier to export it again.',
  },
  'repeated-header': {
    title: 'A repeated header',
    description:
      'The row repeats the header, as in lists joined from several sheets. It is not an offer. Such rows are counted under ' +
      '`rows.skipped`; only runs of earlier versions have this issue.',
    severity: 'error',
    message: 'The row repeats the header and is dropped.',
  },
  'other-header': {
    title: 'Another header further down',
    description:
      'Below the data stands another header whose columns are not those of the first one, as where two lists were joined in ' +
      'one file. The rows below it would be read with the wrong columns, so the whole file is rejected. Ask the supplier for ' +
      'one list in each file, or for the same columns throughout. A header that only repeats the first one, also in other ' +
      'words, is skipped.',
    severity: 'error',
    message:
      'Another header begins in line {line}: {found} stands where {place} was. The rows below it have other columns. Ask ' +
      'the supplier for one list in each file, or for the same columns throughout.',
  },
  'cells-swapped': {
    title: 'Brand and number are swapped',
    description:
      'The brand looks like an article number, and the number has no digit: the cells of this row are swapped or shifted. The ' +
      'row is dropped. If many rows are affected, the supplier has joined lists with different columns: ask for one ' +
      'list in each file.',
    severity: 'error',
    message:
      'The brand looks like an article number, and the number {number} has no digit: the cells are swapped or shifted. Put ' +
      'them into the right columns; the row is dropped.',
  },
  'mostly-skipped': {
    title: 'More headings than rows',
    description:
      'More lines have a single filled cell than there are rows, so they cannot all be group headings or notes, which are ' +
      'skipped. They count as read and rejected, and the guards see them. The file is probably damaged: compare it with an ' +
      'earlier delivery, or ask the supplier to export it again.',
    severity: 'error',
    message:
      '{count} lines have a single filled cell, more than the {rows} rows of the file, so they are not taken for headings ' +
      'and count as rejected. The file is probably damaged; ask the supplier to export it again.',
  },
  'heading-run': {
    title: 'Too many headings in a row',
    description:
      'The line reads like a group heading, as many lines before it do. Headings are skipped, but more than 20 in a row are ' +
      'probably rows that lost their other cells: they count as read and rejected, and the guards see them. Compare the file ' +
      'with an earlier delivery, or ask the supplier to export it again.',
    severity: 'error',
    message: 'The line reads like a heading, but more than 20 such lines come one after another; it is not uploaded.',
  },
  footer: {
    title: 'A line below the table',
    description:
      'The line is a total or a count (`Total: 12 345 positions`, `Итого`, `Summe`), not an offer. Such lines are counted ' +
      'under `rows.skipped`; only runs of earlier versions have this issue.',
    severity: 'error',
    message: 'The line is a total below the table, not an offer; it is not uploaded.',
  },
  duplicate: {
    title: 'The same part twice',
    description:
      'An earlier row has the same brand and article number, compared without case, spaces, dashes and dots. The first ' +
      'row wins. Duplicates are counted separately from rejected rows.',
    severity: 'warning',
    message: 'The part in line {line} was already offered in line {first}; the first one is used.',
  },
  'placeholder-value': {
    title: 'A value that stands for nothing',
    description:
      'The cell has a word or a mark that people and programs write where they have no value: `-`, `n/a`, `null`, `0`, `?`, ' +
      '`без бренда`, `auf Anfrage`, in the languages of price lists; or a number of zeros only, or one that repeats the name of ' +
      'its column. Nobody finds an offer by it. As brand or article number it costs the row; a name or a tag is left out, and ' +
      'the row is kept. A maker that is called so is known when it fills a large part of the column. Write the real value, ' +
      'or, where the value is right, keep it with `feeds.NAME.values.keep: [VALUE]`.',
    severity: 'error',
    message: 'The value stands for nothing, so {consequence}.',
  },
  'scientific-notation': {
    title: 'A number damaged by a spreadsheet',
    description:
      'The article number looks like `1,23E+11`: a spreadsheet has shortened a long number, or taken a number such as `12E5` for ' +
      'a power of ten, and what it was is lost. The row is dropped, because it may stand in the place of another part; with ' +
      '`feeds.NAME.onDamagedNumber: keep` this is only a warning. A column in which other numbers are written alike with other ' +
      'letters is left alone. Ask the supplier to format the column as text and export the file again.',
    severity: 'error',
    message:
      'A spreadsheet seems to have shortened the number. {consequence}. Format the column as text and export the file again.',
  },
  'number-became-date': {
    title: 'A date where a number was',
    description:
      'The article number looks like `01.03.2026` or `1-Mar`: a spreadsheet turned the number into a date, and the original ' +
      'number is lost. The row is dropped; with `feeds.NAME.onDamagedNumber: keep` this is only a warning. Numbers that only ' +
      'look like dates are left alone where most numbers of the column are written alike. Ask the supplier to format the ' +
      'column as text and export the file again.',
    severity: 'error',
    message:
      'The number has become a date: a spreadsheet changed it. {consequence}. Format the column as text and export the file again.',
  },
  'digits-lost': {
    title: 'More digits than a spreadsheet keeps',
    description:
      'The article number has more than 15 digits, and all behind the 15th are zeros (`12345678901234600000`): spreadsheets keep ' +
      'no more, and write zeros for the rest. The row is dropped; with `feeds.NAME.onDamagedNumber: keep` this is only a ' +
      'warning. Ask the supplier to format the column as text, write the numbers again and export the file again.',
    severity: 'error',
    message:
      'The number has more than 15 digits, and a spreadsheet has turned the others into zeros. {consequence}. Format the column ' +
      'as text, write the number again and export the file again.',
  },
  'comment-in-number': {
    title: 'A comment in a number',
    description:
      'A comment or remark stands behind the article number (`A 123 [Comment: sold out]`, `4589 clearance`): nobody ' +
      'finds the part. The row is dropped; with `feeds.NAME.onDamagedNumber: keep` this is only a warning. Remove the comment.',
    severity: 'error',
    message: 'A comment stands behind the number. {consequence}. Remove the comment from the cell.',
  },
  'no-article-number': {
    title: 'What stands in the place of the number is none',
    description:
      'A sentence stands where the article number belongs (`* Prices are valid until May`), the example of a template (`Example: 123`), ' +
      'an address of the web or of mail, a price, a quantity, another part (`see 334810`), a number of which somebody did not know all (`965???1`), or the brand once more. Nobody finds such an offer, so the row is dropped. If it is a number, keep it with ' +
      '`feeds.NAME.values.keep`.',
    severity: 'error',
    message:
      'This {why}, and no article number: the row is dropped. Write the number, or keep this one with feeds.NAME.values.keep.',
  },
  'leading-zero-lost': {
    title: 'Leading zeros are lost',
    description:
      'The live delivery of this feed has the same part with leading zeros in its number; a spreadsheet has treated the ' +
      'number as an amount. The row is kept. Ask the supplier to format the column as text and export the file again.',
    severity: 'warning',
    message:
      'The number has lost its leading zeros: the live delivery still has them. Format the column as text and export the file again.',
  },
  'spreadsheet-error': {
    title: 'A failed formula',
    description:
      'A spreadsheet wrote `#REF!`, `#N/A`, `#NAME?` or the like instead of a value, or a formula such as `=VLOOKUP(…)`. In a required column the row is ' +
      'dropped; elsewhere this is a warning, and the cell is uploaded as it is. Ask the supplier to fix the formula.',
    severity: 'error',
    message: '{what}. Fix it and export the file again.',
  },
  'heading-brand': {
    title: 'A brand that nobody knows stands in a heading',
    description:
      'The brands of this list stand in headings above its rows (`feeds.NAME.columns.brand: { from: headings }`), and one of them is no ' +
      'known maker. The rows below it are kept with it as their brand. If it is the heading of a group, ask the supplier for a column with ' +
      'the brand.',
    severity: 'warning',
    message:
      'The heading above this row is no known maker, and was taken as the brand of the rows below it. Check it; if it is no brand, add a column with the brand.',
  },
  'lookalike-letters': {
    title: 'Letters of another alphabet',
    description:
      'A brand or an article number mixes Cyrillic and Latin letters that look the same (`ОС 90` with a Cyrillic О and С), ' +
      'so nobody who types it will find it. A number whose letters are all Cyrillic is reported too if they all look ' +
      'Latin, it has digits, and its brand is Latin. The row is kept as it is; with `feeds.NAME.repair: [lookalikes]` the ' +
      'letters are replaced.',
    severity: 'warning',
    message: 'Letters that look alike: {letters}. {remedy}',
  },
  mojibake: {
    title: 'Text garbled before it reached us',
    description:
      'The text looks like UTF-8 that was read in another charset and saved (`Ð¤Ð¸Ð»ÑŒÑ‚Ñ€` for `Фильтр`). The row is kept ' +
      'as it is; with `feeds.NAME.repair: [mojibake]` the text is repaired where that is certain. It is better to ask the ' +
      'supplier to fix the export.',
    severity: 'warning',
    message: 'A wrong charset in the supplier’s system seems to have garbled the text. {remedy}',
  },
  'control-character': {
    title: 'Invisible characters were removed',
    description:
      'Control characters, zero-width characters and the like were removed from the cell. The row is kept. Some control ' +
      'characters are windows-1252 characters (`–`, `™`, `…`) that were read as ISO-8859-1; with ' +
      '`feeds.NAME.repair: [control-characters]` they are restored. (Tabs and line breaks inside a cell become a space ' +
      'without an issue.)',
    severity: 'warning',
    message: 'Invisible characters ({count}) were {fate}: {before} became {after}. {proposal}',
  },
  'bytes-passed-over': {
    title: 'Bytes around the file were passed over',
    description:
      'The file has bytes before or behind its content that are no part of it: NUL bytes with which a program filled it up, the mark ' +
      'that ends a text of DOS (Ctrl-Z), or a few bytes before an archive. It is read without them. Nothing has to be done.',
    severity: 'info',
    message: '{what} The content of the file is read without them.',
  },
  'last-line-open': {
    title: 'The last line may have been cut off',
    description:
      'The last line of the file has no end, and the article number stands at the end of each line: if the file was cut off on its way, ' +
      'the last number is too short, and nobody can find the part. The row is kept. Compare it with the supplier’s list, and ask for an ' +
      'export whose last line ends as all others.',
    severity: 'warning',
    message:
      'The last line of the file has no end: if the file was cut off there, the last article number is too short.',
  },
  'values-unwrapped': {
    title: 'What a program wrote around values was taken off',
    description:
      'Spreadsheets and exports write more than the value into a cell: a formula that keeps zeros (`="00012"`), an apostrophe before ' +
      'each value of a column, quotes or brackets around each of them (`«00012»`, `[00012]`), `.0` behind each number, the ' +
      'markup of web pages (`<b>00012</b>`, `&amp;`), wide letters and dashes of typesetting in brands and numbers (`１２–３`), or the backslashes of a database (`\\N` for no value, `\\t`, `\\"`). The values are uploaded without it. This is said once for ' +
      'a column. Nothing has to be done; if one of them belongs to the values, ask the supplier for an export as plain text.',
    severity: 'info',
    message: 'In the column "{column}" {what}. The values are uploaded without it.',
  },
  'tags-dropped': {
    title: 'Empty and repeated tags were left out',
    description:
      'Between two marks stands no tag (`new,,sale`), or a tag stands twice in one cell (`new,sale,new`). The others are uploaded. ' +
      'This is said once for a column. Nothing has to be done.',
    severity: 'info',
    message: 'In the column "{column}" {values} had empty or repeated tags. The other tags are uploaded.',
  },
  'left-out': {
    title: 'A rule left the row out',
    description:
      'A rule of the configuration (`feeds.NAME.rules`, `logins.NAME.rules`) keeps the row from the dataset. It is no mistake: the row counts as left ' +
      'out by this rule, and the supplier is not told. To offer it, change the rule.',
    severity: 'info',
    message: 'The rule “{rule}” left the row out.',
  },
  'row-removes': {
    title: 'A row of changes that removes its part',
    description:
      'The mark of the row (`feeds.NAME.change.removed`) says that the part is offered no longer, so it leaves the dataset. It is no mistake, and the ' +
      'supplier is not told.',
    severity: 'info',
    message: 'The row removes the part.',
  },
  'changed-again': {
    title: 'A part that a delivery of changes names again',
    description:
      'Several rows of a delivery of changes have the same brand and article number, compared without case, spaces, dashes and dots. They are put upon the ' +
      'rows before them in their order, so the last one counts. Nothing has to be done if the supplier writes down each change as it happens.',
    severity: 'info',
    message: 'The part in line {line} is in line {first}, too; the last row of a part counts.',
  },
  'mark-unknown': {
    title: 'A row of changes with an unknown mark',
    description:
      'Rows of changes say in a column (`feeds.NAME.change.column`) what is done with their parts, and this row says something that is neither among ' +
      '`added` and `changed` nor among `removed`. The row is not taken, and the part stays as it was. Ask the supplier what the mark means, and add it ' +
      'to one of the lists.',
    severity: 'error',
    message: 'The column "{column}" has a mark that the settings do not know; the part stays as it was.',
  },
  'rule-changed': {
    title: 'A rule changed rows',
    description:
      'A rule of the configuration gave rows other tags, another name or another brand. This is said once for each rule. Nothing has to be done, unless ' +
      'tags found no room: the service takes 20 of a position.',
    severity: 'info',
    message: 'The rule “{rule}” changed {rows}{full}.',
  },
  'brand-spelled': {
    title: 'Brands were written in other spellings',
    description:
      'The configuration says which brands other spellings stand for (`brands`). The rows are uploaded with these brands; issues and the marked ' +
      'workbook show what the supplier wrote. This is said once. Nothing has to be done.',
    severity: 'info',
    message: 'The brand of {rows} is written in another spelling. What is uploaded is the brand that `brands` names.',
  },
} as const satisfies Record<string, IssueKind>;

export type IssueCode = keyof typeof ISSUES;
