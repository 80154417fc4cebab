import * as z from 'zod';
import { problemDocumentWith } from './problem-document.ts';
import { accessProblems } from './problems/access.ts';
import { gameServerProblems } from './problems/game-servers.ts';
import { licenseProblems } from './problems/license.ts';
import { modProblems } from './problems/mods.ts';
import { serviceProblems } from './problems/service.ts';
import { storeProblems } from './problems/store.ts';

/**
 * Every problem that Castellan reports over HTTP, in one place, by subject; docs/problems.md is generated from them.
 */
export const problems = {
  ...licenseProblems,
  ...accessProblems,
  ...gameServerProblems,
  ...modProblems,
  ...storeProblems,
  ...serviceProblems,
} as const;

export type ProblemCode = keyof typeof problems;
export const problemCodes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]];

export const problemContentType = 'application/problem+json';

/** RFC 9457. `code` is absent where the interface document gives none (400 and 429 of the portal). */
export const problemDocument = problemDocumentWith(z.enum(problemCodes)).meta({
  id: 'Problem',
  description: 'RFC 9457 problem document',
});
export type ProblemDocument = z.infer<typeof problemDocument>;
