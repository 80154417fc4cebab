import * as z from 'zod';
import { problemDocumentWith } from '#contracts/problem-document.ts';
import type { ProblemCode, ProblemDocument } from '#contracts/problems.ts';

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

/** No answer came, or none that the API would give: it is away, or a proxy in between says so. */
export class ApiAway extends Error {
  override readonly name: string = 'ApiAway';
}

/** The API's answer does not match this panel's contract: the two are of different versions. */
export class AnswerNotUnderstood extends Error {
  override readonly name = 'AnswerNotUnderstood';
}

/** Someone else changed it after the version that a change is based on. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === 'CONFLICT';

/** Passes by itself, so retrying is worthwhile. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiAway ||
  (error instanceof ApiProblem && (error.document.status >= 502 || error.code === 'DATABASE_UNAVAILABLE'));

export const readProblem = async (response: Response): Promise<Error> => {
  const parsed = answeredProblem.safeParse(await response.json().catch(() => null));
  if (!parsed.success) return new ApiAway(`an answer of status ${response.status} that is not the API's`);
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiProblem(parsed.data, Number.isFinite(seconds) ? seconds : null);
};
