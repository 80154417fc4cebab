import { type ProblemCode, problems } from '#contracts/problems.ts';
import type { Language } from './define-words.ts';
import { loadedProblemTexts } from './problem-words.ts';
import type { ProblemTexts } from './problems-pt-br.ts';

/** What a kind of problem means, and what to do about it. Brings all English texts: for pages that come after the first load. */
export const problemTexts = (code: ProblemCode, language: Language): ProblemTexts =>
  loadedProblemTexts(code, language) ?? problems[code];
