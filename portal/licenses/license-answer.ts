import type { RefusalCode } from '#contracts/license-refusals.ts';
import type { TokenResponse } from '#contracts/licenses.ts';

/** What activate and validate come to; every one of them is expected. */
export type LicenseAnswer =
  | { readonly outcome: 'token'; readonly response: TokenResponse }
  | { readonly outcome: 'refused'; readonly code: RefusalCode | 'UNAUTHORIZED' }
  | { readonly outcome: 'rate-limited'; readonly retryAfterSeconds: number };
