import { shownAddress } from '#runtime/outside/test-address.ts';
import type { AddressTests } from '../diagnostics/address-tests.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';
import type { SystemProxyWatch } from './system-proxy-watch.ts';

type AddressesHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `addresses.${string}`>>;

/** The tests of addresses that pages ask for. */
export const addressesCalls = (tests: AddressTests, proxy: SystemProxyWatch): AddressesHandlers => ({
  async 'addresses.list'() {
    const { unread } = await proxy.look();
    const addresses = (await tests.list()).map((address) => ({
      kind: address.kind,
      address: shownAddress(address),
    }));
    return { addresses, unreadProxy: unread };
  },
  'addresses.test': ({ kind }) => tests.test(kind),
});
