import { waitingHttp } from '#contracts/operations/waiting.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { WaitingList } from './waiting.ts';

export const bindOperationsRoutes = (routes: ApiRoutes, waiting: Pick<WaitingList, 'read'>): void => {
  routes.on(waitingHttp.list, (_input, { actor }) => waiting.read(actor));
};
