import type * as z from 'zod';
import type { Endpoint } from './http.ts';

type Sent<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type Part<Name extends string, Schema> = Schema extends z.ZodType
  ? Record<never, never> extends z.input<Schema>
    ? { readonly [N in Name]?: Sent<Schema> }
    : { readonly [N in Name]: Sent<Schema> }
  : { readonly [N in Name]?: undefined };

/** What a call to an endpoint sends: its `params`, `query` and `body`, as far as the contract has them. */
export type CallInput<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']>;

/** The address of a call, for `fetch` and for downloads. */
export const addressOf = (path: string, params: unknown, query: unknown): string => {
  const filled = Object.entries((params ?? {}) as Record<string, string>).reduce(
    (text, [name, value]) => text.replace(`:${name}`, encodeURIComponent(value)),
    path,
  );
  const parameters = Object.entries((query ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((one) => one !== undefined)
      .map((one) => `${name}=${encodeURIComponent(String(one))}`),
  );
  const text = parameters.join('&');
  return text ? `${filled}?${text}` : filled;
};
