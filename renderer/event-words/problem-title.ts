import { type ProblemCode, problems } from '#contracts/problems.ts';
import type { Language } from '../language/define-words.ts';
import { problemsPtBr } from '../language/problems-pt-br.ts';

export const problemTitle = (language: Language, code: ProblemCode): string =>
  (language === 'en' ? problems : problemsPtBr)[code].title;
