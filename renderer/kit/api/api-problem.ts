import * as z from 'zod';
import { problemDocumentWith } from '#contracts/kernel/problem-document.ts';
import type { ProblemCode, ProblemDocument } from '#contracts/kernel/problems.ts';

/** The registry of codes stays out of the first load; a code from a newer API is shown by its document's own title. */
const answeredProblem = problemDocumentWith(z.custom<ProblemCode>((code) => typeof code === 'string'));

/** The API's refusal of a call. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly document: ProblemDocument;
  /** From Retry-After; null if absent. */
  readonly retryAfterSeconds: number | null;

  constructor(document: ProblemDocument, retryAfterSeconds: number | null) {
    super(document.detail ?? document.title);
    this.document = document;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get code(): ProblemCode | undefined {
    return this.document.code;
  }
}

/** No answer came, or one of 500 and more that the API would not give: it is away, or a proxy in between says so. */
export class ApiAway extends Error {
  override readonly name: string = 'ApiAway';
}

/**
 * Something between the panel and the API answered in its place: a proxy's limit, a CDN's protection, a page to sign in at. The API
 * never saw the request, so nothing was done.
 */
export class ProxyRefusal extends Error {
  override readonly name = 'ProxyRefusal';
  /** Of HTTP; 200 for a page in place of the answer. */
  readonly status: number;
  /** As its Server header names it, such as `nginx/1.22.1`; null if it does not. */
  readonly server: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(response: Response) {
    super(`an answer of status ${response.status} that is not the API's`);
    this.status = response.status;
    this.server = response.headers.get('Server')?.slice(0, 60) ?? null;
    this.retryAfterSeconds = retryAfter(response);
  }

  /** Also IIS's 404.13, which it reports to others as a plain 404. @param bytes that were sent */
  isTooLarge(bytes: number): boolean {
    return this.status === 413 || (this.status === 404 && bytes > 0);
  }
}

const passingStatuses: readonly number[] = [408, 425, 429];

/** Seconds; null if absent, or a date. */
const retryAfter = ({ headers }: Response): number | null => {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
};

/** Whether a proxy answered with a page of its own in place of what was asked for. */
export const isForeignPage = ({ headers }: Response): boolean =>
  /^text\/html\b/i.test(headers.get('Content-Type') ?? '');

/** The API's answer does not match this panel's contract: the two are of different versions. */
export class AnswerNotUnderstood extends Error {
  override readonly name = 'AnswerNotUnderstood';
}

/** Someone else changed it after the version that a change is based on; a field that is in conflict with another entity is none. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === 'CONFLICT' && !error.document.errors;

/** Passes by itself, so retrying is worthwhile. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiAway ||
  (error instanceof ProxyRefusal && passingStatuses.includes(error.status)) ||
  (error instanceof ApiProblem && (error.document.status >= 502 || error.code === 'DATABASE_UNAVAILABLE'));

export const readProblem = async (response: Response): Promise<Error> => {
  const parsed = answeredProblem.safeParse(await response.json().catch(() => null));
  if (parsed.success) return new ApiProblem(parsed.data, retryAfter(response));
  if (response.status >= 500)
    return new ApiAway(`an answer of status ${response.status} that is not the API's`);
  return new ProxyRefusal(response);
};
