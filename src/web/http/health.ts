/** What health checks of this machine or of a proxy ask, by whatever name they know it. */
const HEALTH = ['/livez', '/readyz'];

/** Whether a path is asked by health checks: they know no host of ours and say nothing about anybody. */
export function isHealthCheck(path: string): boolean {
  return HEALTH.includes(path);
}
