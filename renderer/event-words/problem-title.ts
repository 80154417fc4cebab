import type { Language } from '#contracts/language.ts';
import { type ProblemCode, problems } from '#contracts/problems.ts';
import { problemsPtBr } from '#contracts/problems-pt-br.ts';

export const problemTitle = (language: Language, code: ProblemCode): string =>
  (language === 'en' ? problems : problemsPtBr)[code].title;
