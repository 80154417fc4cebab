import { adminsHttp } from '#contracts/identity/admins.ts';
import type { ApiKey } from '#contracts/identity/api-keys.ts';
import { useCan, useMe } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { apiKeysWords } from './api-keys.words.ts';

/** Who created a key, as far as the reader may know. */
export const useCreatorName = (): ((key: ApiKey) => string) => {
  const words = useWords(apiKeysWords);
  const me = useMe();
  const admins = useRead(adminsHttp.list, {}, { enabled: useCan()('admins.read') });
  return ({ creatorId }) => {
    if (creatorId === null) return words.machine;
    if (creatorId === me.id) return me.name;
    return admins.data?.rows.find(({ id }) => id === creatorId)?.name ?? words.unknownCreator;
  };
};
