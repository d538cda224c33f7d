/**
 * The oldest Node that the libraries of the client run under.
 * @internal exported for tests
 */
export const OLDEST_NODE = '22.19.0';

/**
 * Fails in words under a Node that is too old: its libraries would fail while they are loaded, and name nothing that helps.
 * @internal exported for tests
 */
export function assertNode(version: string): void {
  const parts = (text: string) => text.split('.').map((part) => Number.parseInt(part, 10));
  const [major = 0, minor = 0, patch = 0] = parts(version);
  const [oldestMajor = 0, oldestMinor = 0, oldestPatch = 0] = parts(OLDEST_NODE);
  const isOld =
    major < oldestMajor ||
    (major === oldestMajor && (minor < oldestMinor || (minor === oldestMinor && patch < oldestPatch)));
  if (isOld) throw new Error(`offerline/service needs Node ${OLDEST_NODE} or newer; this is Node ${version}.`);
}

assertNode(process.versions.node);
