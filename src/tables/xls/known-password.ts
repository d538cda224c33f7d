/** The password with which Excel encrypts what has none of its own, such as a workbook that is only protected from changes. */
export const KNOWN_PASSWORD = Buffer.from('VelvetSweatshop', 'utf16le');
