/** What is wrong with a document, as the end of a sentence; whoever reads a part of a file adds its name. */
export class XmlError extends Error {
  readonly isDtd: boolean;

  constructor(message: string, isDtd = false) {
    super(message);
    this.isDtd = isDtd;
  }
}
