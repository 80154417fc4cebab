import type { RefusalCode } from '#contracts/license-refusals.ts';
import type { TokenClaims } from '#contracts/licenses.ts';

/**
 * The meaning of the portal's answer. Only its own problem document refuses; anything else without a good token says nothing
 * about the license. `detail` is for people.
 */
export type Answer =
  | {
      readonly kind: 'confirmed';
      readonly token: string;
      readonly claims: TokenClaims;
      /** End of the license, ISO 8601; null: never. Undefined when the portal does not send it. */
      readonly endsAt: string | null | undefined;
    }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly detail: string }
  /** Unknown key, license not active, or a token that proves nothing. */
  | { readonly kind: 'unauthorized'; readonly detail: string }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number | null; readonly detail: string }
  /** A token signed by a key that we do not trust. */
  | { readonly kind: 'wrong-environment'; readonly kid: string; readonly detail: string }
  | { readonly kind: 'unreachable'; readonly detail: string };
