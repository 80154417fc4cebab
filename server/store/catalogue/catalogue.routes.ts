import { reasons } from '#contracts/kernel/reasons.ts';
import { catalogueTransferHttp } from '#contracts/store/catalogue-transfer.ts';
import type { Product } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { gameOf } from '#games/games.ts';
import { Problem } from '#runtime/problem.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { Catalogue } from './catalogue.ts';

export const bindStoreRoutes = (routes: ApiRoutes, catalogue: Catalogue): void => {
  const { items } = catalogue;
  routes.on(storeHttp.products, async ({ query }, { actor }) => {
    const { rows, nextCursor } = await catalogue.list(query);
    return { rows: rows.map((product) => productFor(actor, product)), nextCursor };
  });
  routes.on(storeHttp.read, async ({ params }, { actor }) =>
    productFor(actor, demandGranted(await catalogue.read(params.id))),
  );
  routes.on(storeHttp.create, ({ body }, by) => catalogue.create(body, by));
  routes.on(storeHttp.change, ({ params, body }, by) => catalogue.change(params.id, body, by));
  routes.on(storeHttp.duplicate, ({ params, body }, by) => catalogue.duplicate(params.id, body.name, by));
  routes.on(storeHttp.order, async ({ body }, by) => {
    const refusal = await catalogue.order(body, by);
    return refusal ?? {};
  });
  routes.on(storeHttp.onWipe, async ({ body }, by) => {
    const refusal = await catalogue.changeOnWipe(body, by);
    return refusal ?? {};
  });
  routes.on(catalogueTransferHttp.export, ({ query }) => catalogue.export(query));
  routes.on(catalogueTransferHttp.import, async ({ query, body }, by) => {
    const result = await catalogue.import(body, query, by);
    if (query.dryRun || result.faultsTotal === 0) return result;
    throw new Problem('INVALID_REQUEST', {
      detail: reasons['import-has-faults'],
      extensions: { errors: result.faults },
    });
  });
  routes.on(storeHttp.archive, ({ params, body }, by) => catalogue.archive(params.id, body, by));
  routes.on(storeHttp.release, ({ params, body }, by) => catalogue.release(params.id, body.version, by));
  routes.on(storeHttp.approve, ({ params, body }, by) => catalogue.approve(params.id, body.version, by));
  routes.on(storeHttp.setPicture, ({ params, body }, by) => catalogue.setPicture(params.id, body, by));
  routes.on(storeHttp.picture, ({ params }) => catalogue.picture(params.id));
  routes.on(storeHttp.items, ({ query }) => items.search(query));
  routes.on(storeHttp.addItem, ({ body }, by) => items.add(body, by));
  routes.on(storeHttp.removeItem, ({ body }, by) => items.remove(body, by));
  routes.on(storeHttp.confirmItem, ({ body }, by) => items.confirm(body, by));
};

/** Commands can hold passwords, so only actors who may change them see them whole. */
const productFor = (actor: Actor, product: Product): Product => {
  if (may(actor, 'store.write')) return product;
  const { maskCommand } = gameOf(product.game);
  return {
    ...product,
    lines: product.lines.map((line) =>
      line.kind !== 'command'
        ? line
        : {
            ...line,
            command: maskCommand(line.command),
            ...(line.counterCommand === undefined
              ? {}
              : { counterCommand: maskCommand(line.counterCommand) }),
          },
    ),
  };
};
