/** Node's cryptography, loaded when it is first asked for: that takes 5 ms, and a check of a file has nothing to hash. */
export function cryptography(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}
