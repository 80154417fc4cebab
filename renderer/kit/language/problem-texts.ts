import type { Language } from '#contracts/kernel/language.ts';
import type { ProblemTexts } from '#contracts/kernel/problems/problem-entry.ts';
import { type ProblemCode, problems } from '#contracts/kernel/problems.ts';
import { loadedProblemTexts } from './problem-words.ts';

/** The meaning of a kind of problem, and what to do about it. Pulls in all English texts: for pages after the first load. */
export const problemTexts = (code: ProblemCode, language: Language): ProblemTexts =>
  loadedProblemTexts(code, language) ?? problems[code];
