import { type ProblemCode, problemCodes, problems } from '#contracts/kernel/problems.ts';
import { vendorReasonOf } from '#contracts/portal/vendor-reason.ts';

/**
 * The vendor's words beyond the meaning of a code; null if there are none.
 * @param detail of a refusal, which begins with the meaning of the code
 */
export const ownWordsOf = (code: string | null, detail: string | null): string | null => {
  const said = detail?.trim() ?? '';
  const reason = vendorReasonOf(said);
  if (reason !== null) return reason;
  const known: ProblemCode | undefined = problemCodes.find((candidate) => candidate === code);
  if (said === '' || (known && said.startsWith(problems[known].meaning))) return null;
  return said;
};
