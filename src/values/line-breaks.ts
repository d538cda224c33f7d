/**
 * A cell with its line breaks: a vertical tab stands for one where each line of a text is a row, as in texts of tables and in exports of
 * databases. Pure.
 */
export function withLineBreaks(cell: string): string {
  return cell.includes('\v') ? cell.replaceAll('\v', '\n') : cell;
}
