import type { AuditFilter } from '#contracts/audit.ts';
import { rangeIn } from '../../records/range.ts';
import { textIn } from '../../records/text-in.ts';
import type { SearchValues } from '../../routing/use-search-state.ts';

export const auditTexts = ['actor', 'action', 'target', 'text'] as const;
export const auditFilterNames = [...auditTexts, 'from', 'to'] as const;
/** As the contract has it. */
const longestWord = 200;

/** What an address asks for; what it has of other things is left out. */
export const auditFilterIn = (values: SearchValues): AuditFilter => ({
  ...Object.fromEntries(
    auditTexts.flatMap((name) => {
      const word = textIn(values[name], longestWord);
      return word ? [[name, word] as const] : [];
    }),
  ),
  ...rangeIn(values),
});
