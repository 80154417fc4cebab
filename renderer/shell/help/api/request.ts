import { type CurlRequest, placeholder } from './curl-command.ts';
import type { ApiOperation, Schemas } from './open-api.ts';
import { exampleOf } from './schemas.ts';

/** The API's address if the page has none that a shell could use, as in the desktop's own window. */
const unknownAddress = 'https://CASTELLAN';

/** The request for a route, with the typed parameters; required ones that are missing appear in capitals. */
export const requestOf = (
  operation: ApiOperation,
  schemas: Schemas,
  values: Readonly<Record<string, string>>,
  address: string,
): CurlRequest => {
  const { method, path, parameters, body, answer, access } = operation;
  const textOf = (name: string): string => values[name]?.trim() || placeholder(name);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(name)));
  const wanted = (place: 'query' | 'header') =>
    parameters.filter(
      ({ in: itsPlace, name, isRequired }) => itsPlace === place && (isRequired || values[name]?.trim()),
    );
  const query = wanted('query')
    .map(({ name }) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(name))}`)
    .join('&');
  const headers = wanted('header').map(({ name }) => [name, textOf(name)] as const);
  const isJson = body?.type.startsWith('application/json') ?? false;
  const isText = /^(?:application\/json|text\/|application\/x-ndjson)/.test(answer?.type ?? 'text/plain');
  return {
    method,
    url: `${address || unknownAddress}${filled}${query && `?${query}`}`,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(body && isJson && { json: exampleOf(body.schema ?? {}, schemas) }),
    ...(body && !isJson && { fileType: body.type }),
    ...(!isText && { saveAs: 'FILE' }),
    isPublic: access === 'public',
  };
};
