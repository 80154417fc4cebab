import { reasonOf } from '#contracts/kernel/reasons.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import { readDeliveries, readDeliveryDetails, readDesk } from '../read-deliveries.ts';
import type { StoreContext } from '../store-context.ts';
import { readSurvivorNumbers, setSurvivorNumber } from '../survivor-numbers.ts';
import type { Deliveries } from './deliveries.ts';

export const bindDeliveriesRoutes = (
  routes: ApiRoutes,
  { db, news, retryRole }: Pick<StoreContext, 'db' | 'news' | 'retryRole'>,
  { desk, rules, wake }: Pick<Deliveries, 'desk' | 'rules' | 'wake'>,
): void => {
  const readOne = async (id: string) => demandGranted(await readDeliveryDetails(db, id));
  routes.on(deliveriesHttp.list, ({ query }) => readDeliveries(db, query));
  routes.on(deliveriesHttp.desk, ({ query }) => readDesk(db, query));
  routes.on(deliveriesHttp.rules, async () => ({ rows: await rules.read() }));
  routes.on(deliveriesHttp.read, ({ params }) => readOne(params.id));
  routes.on(deliveriesHttp.decide, async ({ body }, by) => ({
    rows: (await desk.decide(body.ids, body.decision, by)).map((one) => ({
      ...one,
      reason: reasonOf(one.detail),
    })),
  }));
  routes.on(deliveriesHttp.cancel, async ({ params }, by) => {
    demandGranted(await desk.cancel(params.id, by).finally(() => news.emit('rolesDue')));
    return readOne(params.id);
  });
  routes.on(deliveriesHttp.retry, async ({ params }, by) => {
    const refusal = await desk.retry(params.id, by);
    if (refusal === null) await retryRole(params.id);
    news.emit('rolesDue');
    demandGranted(refusal);
    return readOne(params.id);
  });
  routes.on(deliveriesHttp.setRule, async ({ body }, by) => ({
    rows: demandGranted(await rules.set(body, by)),
  }));
  routes.on(deliveriesHttp.survivorNumbers, async ({ params }, { actor }) => ({
    rows: await readSurvivorNumbers(db, params.id, actor),
  }));
  routes.on(deliveriesHttp.setSurvivorNumber, async ({ params, body }, by) => {
    const memberId = demandGranted(await setSurvivorNumber(db, params.id, body, by));
    wake([memberId]);
    return {};
  });
};
