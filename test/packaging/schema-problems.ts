import { validate as configMap } from 'kubernetes-models/_schemas/IoK8sApiCoreV1ConfigMap';
import { validate as deployment } from 'kubernetes-models/_schemas/IoK8sApiAppsV1Deployment';
import { validate as disruptionBudget } from 'kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget';
import { validate as job } from 'kubernetes-models/_schemas/IoK8sApiBatchV1Job';
import { validate as pod } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Pod';
import { validate as service } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Service';

/** A compiled schema of Kubernetes; it keeps what it found last. */
type Schema = ((data: unknown) => boolean) & { errors?: { instancePath: string; message?: string; keyword: string }[] };

const SCHEMAS: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  ['v1 ConfigMap', configMap],
  ['v1 Pod', pod],
  ['v1 Service', service],
  ['apps/v1 Deployment', deployment],
  ['batch/v1 Job', job],
  ['policy/v1 PodDisruptionBudget', disruptionBudget],
]);

/** Where a manifest is not as the published schema of its kind says. A key that the schema does not know is a problem, too. */
export function schemaProblems(manifest: { apiVersion?: unknown; kind?: unknown }): string[] {
  const kind = `${String(manifest.apiVersion)} ${String(manifest.kind)}`;
  const schema = SCHEMAS.get(kind);
  if (schema === undefined) return [`there is no schema of ${kind}`];
  const read = new Set<string>();
  const isValid = schema(watched(manifest, '', read));
  const wrong = isValid ? [] : (schema.errors ?? []).map(({ instancePath, keyword }) => `${instancePath}: ${keyword}`);
  return [...wrong, ...unread(manifest, '', read)];
}

/**
 * The same value, which writes down what of it is read. The schemas of Kubernetes allow further keys, as servers drop them without a
 * word; but they read each key that they know, so that a misspelled one is never read.
 */
function watched(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get: (target, key) => {
      const found: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol' || !Object.hasOwn(target, key)) return found;
      read.add(`${path}/${key}`);
      return watched(found, `${path}/${key}`, read);
    },
  });
}

function unread(value: unknown, path: string, read: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = `${path}/${key}`;
    return read.has(at) ? unread(inner, at, read) : [`${at}: unknown`];
  });
}
