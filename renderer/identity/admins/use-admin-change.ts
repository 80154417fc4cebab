import { type Admin, type AdminChange, adminsHttp } from '#contracts/identity/admins.ts';
import type { EndpointResponse } from '#contracts/kernel/http.ts';
import { isConflict } from '../../kit/api/api-problem.ts';
import { queryClient, readKey, useChange } from '../../kit/api/queries.ts';

const key = readKey(adminsHttp.list, {});

/** Until the list is read again, it shows the saved values and not the old ones. */
const showSaved = async (saved: Admin): Promise<void> => {
  await queryClient.cancelQueries({ queryKey: key });
  queryClient.setQueryData<EndpointResponse<typeof adminsHttp.list>>(
    key,
    (known) => known && { rows: known.rows.map((each) => (each.id === saved.id ? saved : each)) },
  );
};

interface AdminChanging {
  /** Fails with the API's refusal; after a conflict, the current state has been read. */
  send(id: string, change: AdminChange): Promise<Admin>;
  readonly isSending: boolean;
}

export const useAdminChange = (): AdminChanging => {
  const change = useChange(adminsHttp.change, [adminsHttp.sessions]);
  return {
    isSending: change.isPending,
    async send(id, body) {
      try {
        const saved = await change.mutateAsync({ params: { id }, body });
        await showSaved(saved);
        return saved;
      } catch (error) {
        if (isConflict(error)) await queryClient.invalidateQueries({ queryKey: key });
        throw error;
      }
    },
  };
};
