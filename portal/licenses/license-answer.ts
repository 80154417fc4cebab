import type { RefusalCode } from '#contracts/license/license-refusals.ts';
import type { TokenResponse } from '#contracts/license/licenses.ts';

/** The possible outcomes of activate and validate; all of them are expected. */
export type LicenseAnswer =
  | { readonly outcome: 'token'; readonly response: TokenResponse; readonly endsAt: Date | null }
  | {
      readonly outcome: 'refused';
      readonly code: RefusalCode | 'UNAUTHORIZED';
      /** What the vendor told the customer when suspending or revoking the license. */
      readonly reason?: string | null;
    }
  | { readonly outcome: 'rate-limited'; readonly retryAfterSeconds: number };
