/** The folders in which this process looks for programs (`PATH`); empty when none are set. */
export function searchPath(env: NodeJS.ProcessEnv = process.env): string {
  return env['PATH'] ?? '';
}
