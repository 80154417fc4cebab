import { membersHttp } from '#contracts/members.ts';
import { useCan } from '../../access/access-state.ts';
import { useRead } from '../../wire/queries.ts';

/** Empty until it is read, or if the reader may not see it. */
export const useMemberName = (id: string | undefined): string => {
  const enabled = useCan()('members.read') && id !== undefined;
  return useRead(membersHttp.read, { params: { id: id ?? '' } }, { enabled }).data?.name ?? '';
};
