import { type ProblemCode, type ProblemDocument, problems } from '#contracts/kernel/problems.ts';

export interface ProblemOptions {
  /** For people; nothing secret. */
  readonly detail?: string;
  /** Only for the log. */
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the problem document. */
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** A refusal or failure that is reported to the caller by its code. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly detail: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(code: ProblemCode, { detail, cause, headers = {}, extensions = {} }: ProblemOptions = {}) {
    super(detail ?? problems[code].title, { cause });
    this.code = code;
    this.detail = detail;
    this.headers = headers;
    this.extensions = extensions;
  }

  get status(): number {
    return problems[this.code].status;
  }
}

/** The RFC 9457 document of a problem. */
export const toProblemDocument = (
  problem: Problem,
  {
    requestId,
    codeless = false,
  }: {
    readonly requestId?: string;
    /** The interface document defines no code for this answer. */
    readonly codeless?: boolean;
  } = {},
): ProblemDocument => ({
  type: codeless ? 'about:blank' : `urn:castellan:problem:${problem.code}`,
  title: problems[problem.code].title,
  status: problem.status,
  ...(codeless ? {} : { code: problem.code }),
  ...(problem.detail === undefined ? {} : { detail: problem.detail }),
  ...(requestId === undefined ? {} : { instance: requestId }),
  ...problem.extensions,
});
