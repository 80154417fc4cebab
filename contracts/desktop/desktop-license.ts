import * as z from 'zod';
import { activation } from '../license/license-answers.ts';
import { licenseStatus } from '../license/license-state.ts';
import { desktopCall as call } from './desktop-call.ts';

const nothing = z.undefined();

/** The proxy used to reach the portal. */
const licenseProxy = z.object({
  /** Without a password; null: the portal is reached directly. */
  url: z.string().nullable(),
  hasPassword: z.boolean(),
});
export type LicenseProxy = z.infer<typeof licenseProxy>;

export const licenseCalls = {
  'license.status': call(nothing, licenseStatus),
  'license.activate': call(z.strictObject({ key: z.string().max(2000) }), activation),
  /** Asks the portal immediately. */
  'license.check': call(nothing, licenseStatus),
  /** Opens in the system's browser, or in its settings. Does nothing if the system has no such page. */
  'license.open': call(
    z.strictObject({ page: z.enum(['customer-area', 'clock']) }),
    z.object({ isOpened: z.boolean() }),
  ),
  'license.proxy': call(nothing, licenseProxy),
  /** An empty address removes the proxy. Written into `.env`, and effective immediately. */
  'license.changeProxy': call(z.strictObject({ url: z.string().trim().max(500) }), licenseProxy),
} as const;
