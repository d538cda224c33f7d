type Json = Record<string, unknown>;

export type Parameter = { name: string; in: 'query' | 'header'; required: boolean; schema: Json; example: unknown };

type Example = { schema: Json; example?: unknown; examples?: Record<string, { value: unknown }> };

export type Operation = {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, Example> };
  responses: Record<string, { headers?: Json; content: Record<string, Example> }>;
};

export type Document = {
  servers: { url: string }[];
  security: Json[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Json };
};

/** A call that is made from the description of its operation, and may be changed before it is sent. */
export type Call = {
  method: string;
  path: string;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | FormData;
};

/** The description as the sandbox serves it. */
export async function readDocument(url: string): Promise<Document> {
  return (await (await fetch(`${url}/openapi.json`)).json()) as Document;
}

type DescribedCall = { method: string; path: string; operation: Operation };

/** Every operation in the order of the document. */
export function operationsOf({ paths }: Document): DescribedCall[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** The call that the examples of an operation describe, with the first body that has one. */
export function exampleCall({ method, path, operation }: DescribedCall): Call {
  const given = (place: Parameter['in']) => operation.parameters.filter((one) => one.in === place);
  const query = given('query').flatMap(({ name, example }) =>
    [example].flat().map((value): [string, string] => [name, String(value)]),
  );
  const headers = Object.fromEntries(given('header').map(({ name, example }) => [name, String(example)]));
  const [first] = exampleBodies(operation);
  if (first === undefined) return { method, path, query, headers };
  return { method, path, query, headers: { ...headers, 'content-type': first.type }, body: first.text };
}

/** The bodies that the description of an operation shows; one of several has a name. */
export function exampleBodies({ requestBody }: Operation): { type: string; name: string; text: string }[] {
  return Object.entries(requestBody?.content ?? {}).flatMap(([type, { example, examples }]) => {
    const shown = example === undefined ? (examples ?? {}) : { '': { value: example } };
    return Object.entries(shown).map(([name, { value }]) => ({
      type,
      name,
      text: typeof value === 'string' ? value : JSON.stringify(value),
    }));
  });
}

/** The call with another value of a parameter. */
export function withParameter(call: Call, name: string, value: string): Call {
  return { ...call, query: [...call.query.filter(([other]) => other !== name), [name, value]] };
}

/** Sends a call to a sandbox. */
export function send(url: string, { method, path, query, headers, body }: Call): Promise<Response> {
  const init = { method: method.toUpperCase(), headers, ...(body === undefined ? {} : { body }) };
  return fetch(`${url}${path}?${new URLSearchParams(query).toString()}`, init);
}
