import type { Language } from '#contracts/kernel/language.ts';
import { problems } from '#contracts/kernel/problems.ts';
import { problemsPtBr } from '#contracts/kernel/problems-pt-br.ts';
import type { Problem } from '#runtime/problem.ts';
import { faultWords } from './fault.words.ts';
import { PageProblem } from './page-problem.ts';

/** A fault as a page explains it. */
export interface PageFault {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Also in the log. */
  readonly requestId: string;
}

/**
 * The words of the page that refused, otherwise those for this kind of problem, otherwise its documentation. Details
 * that exist only in English are not shown to readers of another language.
 */
export const pageFaultOf = (problem: Problem, language: Language, requestId: string): PageFault => {
  const { code, status } = problem;
  const own = Object.hasOwn(faultWords.en, code) ? faultWords[language][code as OwnWords] : null;
  const { title, meaning } = (language === 'en' ? problems : problemsPtBr)[code];
  const told = problem instanceof PageProblem || language === 'en' ? problem.detail : undefined;
  return { status, title: own?.title ?? title, detail: told ?? own?.text ?? meaning, requestId };
};

type OwnWords = keyof typeof faultWords.en;
