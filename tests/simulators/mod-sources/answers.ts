import type { IncomingHttpHeaders } from 'node:http';

export interface SourceRequest {
  readonly method: string;
  /** Relative to the source's address, such as `/v2/search`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface SourceAnswer {
  readonly status: number;
  /** A string is sent unchanged. */
  readonly body: object | string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (body: object): SourceAnswer => ({ status: 200, body });

/** The JSON of a body; null for any other text. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

export const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
