import type { ProblemTexts } from './problems/problem-entry.ts';
import { accessProblemsPtBr } from './problems/pt-br/access.ts';
import { gameServerProblemsPtBr } from './problems/pt-br/game-servers.ts';
import { licenseProblemsPtBr } from './problems/pt-br/license.ts';
import { modProblemsPtBr } from './problems/pt-br/mods.ts';
import { serviceProblemsPtBr } from './problems/pt-br/service.ts';
import { storeProblemsPtBr } from './problems/pt-br/store.ts';
import type { ProblemCode } from './problems.ts';

/** The problems of contracts/kernel/problems.ts in Brazilian Portuguese, by the same subjects. */
export const problemsPtBr: Readonly<Record<ProblemCode, ProblemTexts>> = {
  ...licenseProblemsPtBr,
  ...accessProblemsPtBr,
  ...gameServerProblemsPtBr,
  ...modProblemsPtBr,
  ...storeProblemsPtBr,
  ...serviceProblemsPtBr,
};
