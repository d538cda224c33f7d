/** An object whose properties are computed when they are first read; a copy of it (`{ ...object }`) has read them all. */
export function lazily<T extends object>(properties: { [Name in keyof T]: () => T[Name] }): T {
  const object = {} as T;
  for (const name of Object.keys(properties) as (keyof T)[]) {
    const get = () => {
      const value = properties[name]();
      Object.defineProperty(object, name, { enumerable: true, value });
      return value;
    };
    Object.defineProperty(object, name, { enumerable: true, configurable: true, get });
  }
  return object;
}
