import type { RefusalCode, TokenResponse } from '#contracts/licenses.ts';

/** What activate and validate come to; every one of them is expected. */
export type LicenseAnswer =
  | { readonly outcome: 'token'; readonly response: TokenResponse }
  | { readonly outcome: 'refused'; readonly code: RefusalCode | 'UNAUTHORIZED' }
  | { readonly outcome: 'rate-limited'; readonly retryAfterSeconds: number };
