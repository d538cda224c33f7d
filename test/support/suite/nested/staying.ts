/** The arguments with which Node runs until it is killed, under a name that its command line shows. */
export function staying(name: string): string[] {
  return ['-e', `setInterval(() => {}, 1e6) // ${name}`];
}
