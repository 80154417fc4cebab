import type { AuditFilter } from '#contracts/audit.ts';
import { rangeIn } from '../../records/range.ts';
import { textIn } from '../../records/text-in.ts';
import type { SearchValues } from '../../routing/use-search-state.ts';

export const auditTexts = ['actor', 'action', 'target', 'text'] as const;
export const auditFilterNames = [...auditTexts, 'server', 'when', 'from', 'to'] as const;
/** As in the contract. */
const longestWord = 200;
const longestId = 100;

/** The filter that an address asks for; anything else in the address is left out. */
export const auditFilterIn = (values: SearchValues): AuditFilter => {
  const serverId = textIn(values.server, longestId);
  return {
    ...Object.fromEntries(
      auditTexts.flatMap((name) => {
        const word = textIn(values[name], longestWord);
        return word ? [[name, word] as const] : [];
      }),
    ),
    ...(serverId && { serverId }),
    ...rangeIn(values),
  };
};
