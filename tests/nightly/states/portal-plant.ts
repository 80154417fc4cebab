import type { TestDatabase } from '#harness/database.ts';
import { portalDatabase, startTestPortal } from '#harness/portal.ts';
import { Secret } from '#runtime/secret.ts';
import { readGenericEvent } from '../../../portal/purchases/generic-event.ts';
import { enrolAccount } from '../../../portal/vendor/testing/enrolled-account.ts';

/** A portal with a vendor who has signed in, and what its overview says that is not well. */
export interface VendorsPortal extends AsyncDisposable {
  plant(): Promise<void>;
  undo(): Promise<void>;
  says(): Promise<readonly string[]>;
}

export const openVendorsPortal = async (): Promise<VendorsPortal> => {
  await using opening = new AsyncDisposableStack();
  const database: TestDatabase = opening.use(await portalDatabase());
  const portal = opening.use(
    await startTestPortal({ databaseUrl: database.url, adminToken: new Secret('opens the first page') }),
  );
  const { token } = await enrolAccount(portal, 'Ada');
  const { purchases } = portal.context.vendorArea;
  const resources = opening.move();
  return {
    async plant() {
      const event = readGenericEvent({
        id: 'event-1',
        type: 'purchase',
        occurredAt: new Date().toISOString(),
        orderId: 'order-1',
        email: 'buyer@example.com',
        plan: 'none',
      });
      await purchases.take(event, Buffer.alloc(32));
    },
    async undo() {
      for (const { id } of await purchases.list({ outcome: 'unprocessed', limit: 10 }))
        await purchases.dismiss(id);
    },
    async says() {
      const page = await fetch(`${portal.url}/admin`, { headers: { Cookie: `castellan_vendor=${token}` } });
      return (await page.text()).match(/\d+ purchases? needs? a decision/g) ?? [];
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};
