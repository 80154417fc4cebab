import * as z from 'zod';
import { addressTest, outsideAddress, outsideAddressKinds } from '../operations/outside-addresses.ts';
import { desktopCall as call } from './desktop-call.ts';

/** What this computer's own settings say of a proxy that could not be followed; null: nothing. */
const unreadProxy = z.enum(['script', 'detection', 'socks']).nullable();

export const addressesCalls = {
  /** What the installation uses on the internet, without asking any of it. */
  'addresses.list': call(z.undefined(), z.object({ addresses: z.array(outsideAddress), unreadProxy })),
  /** Takes 15 s at most; null: it is no longer used. */
  'addresses.test': call(z.strictObject({ kind: z.enum(outsideAddressKinds) }), addressTest.nullable()),
} as const;
