import type { ProblemCode } from '#contracts/kernel/problems.ts';
import { Problem, type ProblemOptions } from '#runtime/problem.ts';

/** A refusal by a page, explained in the reader's language: what happened and what to do. */
export class PageProblem extends Problem {
  constructor(code: ProblemCode, detail: string, options: Omit<ProblemOptions, 'detail'> = {}) {
    super(code, { ...options, detail });
  }
}
