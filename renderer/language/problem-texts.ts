import type { Language } from '#contracts/language.ts';
import type { ProblemTexts } from '#contracts/problems/problem-entry.ts';
import { type ProblemCode, problems } from '#contracts/problems.ts';
import { loadedProblemTexts } from './problem-words.ts';

/** What a kind of problem means, and what to do about it. Brings all English texts: for pages that come after the first load. */
export const problemTexts = (code: ProblemCode, language: Language): ProblemTexts =>
  loadedProblemTexts(code, language) ?? problems[code];
