import { reasonOf } from '#contracts/kernel/reasons.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { Deliveries } from './deliveries.ts';
import { readSurvivorNumbers, setSurvivorNumber } from './survivor-numbers.ts';

export const bindDeliveriesRoutes = (routes: ApiRoutes, deliveries: Deliveries): void => {
  const { reading, desk, rules, db } = deliveries;
  const readOne = async (id: string) => demandGranted(await reading.read(id));
  routes.on(deliveriesHttp.list, ({ query }) => reading.list(query));
  routes.on(deliveriesHttp.desk, ({ query }) => reading.desk(query));
  routes.on(deliveriesHttp.rules, async () => ({ rows: await rules.read() }));
  routes.on(deliveriesHttp.read, ({ params }) => readOne(params.id));
  routes.on(deliveriesHttp.decide, async ({ body }, by) => ({
    rows: (await desk.decide(body.ids, body.decision, by)).map((one) => ({
      ...one,
      reason: reasonOf(one.detail),
    })),
  }));
  routes.on(deliveriesHttp.cancel, async ({ params }, by) => {
    demandGranted(await desk.cancel(params.id, by));
    return readOne(params.id);
  });
  routes.on(deliveriesHttp.retry, async ({ params }, by) => {
    demandGranted(await desk.retry(params.id, by));
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
    deliveries.wake([memberId]);
    return {};
  });
};
