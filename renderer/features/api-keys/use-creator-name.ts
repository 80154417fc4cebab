import { adminsHttp } from '#contracts/admins.ts';
import type { ApiKey } from '#contracts/api-keys.ts';
import { useCan, useMe } from '../../access/access-state.ts';
import { useWords } from '../../language/use-words.ts';
import { useRead } from '../../wire/queries.ts';
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
